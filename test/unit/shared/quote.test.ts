import fc from 'fast-check';
import { excerpt, quote, withoutMarkup } from '../../../nodes/MessagingGateway/shared/quote';

it.each([
	['<a href="https://a.example">Sign in</a>', '‹a href="https://a.example"›Sign in‹/a›'],
	['<img src=x>', '‹img src=x›'],
	['a < b & c > d', 'a ‹ b & c › d'],
	['&lt;b&gt;', '＆lt;b＆gt;'],
	['&#60;b&#x3e;', '＆#60;b＆#x3e;'],
	['AT&T; Smith & Co', 'AT＆T; Smith & Co'],
	['[Sign in](https://a.example)', '[Sign in] (https://a.example)'],
	['`code`', 'ˋcodeˋ'],
])('markup in the words of strangers is made a text: %s', (words, shown) => {
	expect(excerpt(words)).toBe(shown);
	expect(quote(words)).toBe(`“${shown}”`);
});

it('the expressions that the node advises stay as they are in a quotation', () => {
	const expression = "{{ $('Opt-outs').all().map(i => i.json.phone) }} `$json.name`";
	expect(withoutMarkup(expression)).toBe(expression);
	expect(withoutMarkup('<b>&amp;')).toBe('‹b>＆amp;');
});

it('a quotation leaves no markup in any text, and is the same the second time', () => {
	const unit = fc.constantFrom('<', '>', '&', 'lt', '#60', ';', '](', '[', '`', 'a', ' ', '\u200B');
	fc.assert(
		fc.property(fc.string({ unit, maxLength: 400 }), (text) => {
			const shown = excerpt(text);
			expect(shown).not.toMatch(/[<>`]|&#?\w+;|\]\(/);
			expect(excerpt(shown)).toBe(shown);
			expect(shown.length).toBeLessThanOrEqual(302);
		}),
	);
});
