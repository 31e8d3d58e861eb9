import { placesOf } from '../../../nodes/MessagingGateway/gateway/places';

/** All texts of so many pieces, which begin alike. */
const textsOf = (count: number): string[] =>
	count === 0
		? ['']
		: textsOf(count - 1).flatMap((text) => [text + 'a'.repeat(70), `${text}${'a'.repeat(69)}b`]);

it.each([1, 2, 3, 4])(
	'a part of %i × 70 characters is found wherever it stands, once if it overlaps',
	(count) => {
		for (const part of textsOf(count)) {
			for (const text of textsOf(6)) {
				const expected: number[] = [];
				for (let at = 0; at < text.length; at++) {
					if (text.startsWith(part, at)) at = (expected.push(at), at + part.length - 1);
				}
				expect(placesOf(part, text)).toEqual(expected);
			}
		}
	},
);

it('a long part is not found where its first character is missing', () => {
	const beginning = `${'a'.repeat(200)}b`;
	expect(placesOf(`${beginning}b`, `${beginning}${beginning.slice(1)}b`)).toEqual([]);
});
