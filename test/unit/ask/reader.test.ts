import { readerOf, TEXTS } from '../../../nodes/MessagingGateway/ask/texts';

const localeOf = (header: unknown) => readerOf(header).locale;

it.each([
	['id-ID,id;q=0.9,en-US;q=0.8', 'id-ID'],
	['in-ID', 'id-ID'],
	['ms', 'ms'],
	['ES-mx', 'es-MX'],
	['pt-BR', 'pt-BR'],
	['de-Latn-CH-1996', 'de-CH'],
	['fr;q=0.3, ar-EG;q=0.7', 'ar-EG'],
	['ja, zh;q=0.9, hi;q=0.1', 'hi'],
	['es-419', 'es'],
	['id;v=b3', 'id'],
])('a page speaks the first of the browser’s languages that it knows: %s', (header, locale) => {
	expect(localeOf(header)).toBe(locale);
	expect(readerOf(header).texts).toBe(TEXTS[locale.slice(0, 2)]);
});

it.each([
	'ja',
	'',
	undefined,
	'*',
	'id;q=0',
	'id;q=x',
	'constructor',
	'__proto__',
	`${' '.repeat(600)}id`,
])('a page speaks English otherwise: %s', (header) =>
	expect(readerOf(header)).toMatchObject({ language: 'en', locale: 'en', direction: 'ltr' }),
);

it('a page has Arabic from right to left', () => {
	expect(readerOf('ar').direction).toBe('rtl');
});

const PLACES = { until: '{time}', tooLong: '{count}', howMany: '{count}' };

it.each(Object.entries(TEXTS))(
	'a language says everything, and in words of its own: %s',
	(language, texts) => {
		for (const [name, text] of Object.entries(texts)) {
			const [place = ''] = /\{.*\}/.exec(text) ?? [];
			expect([name, place]).toEqual([name, PLACES[name as keyof typeof PLACES] ?? '']);
			expect(text).not.toMatch(/[<>&"]|^\s|\s$/);
			// “optional” is a German word, too.
			const isShared = language === 'de' && name === 'optional';
			if (language !== 'en' && !isShared)
				expect(text).not.toBe(TEXTS.en?.[name as keyof typeof texts]);
		}
		expect(Object.keys(texts)).toEqual(Object.keys(TEXTS.en ?? {}));
		expect(() => new Date().toLocaleString(language)).not.toThrow();
	},
);
