import { TEXTS, type Texts } from './pageTexts';

/** Who reads the page. */
export interface Reader {
	language: string;
	/** The language, with the country that decides how a date is written. */
	locale: string;
	direction: 'ltr' | 'rtl';
	texts: Texts;
}

const ENGLISH = TEXTS.en as Texts;
const LONGEST_HEADER = 500;

/** Android calls Indonesian by its old name. */
const OLD_NAMES: Record<string, string> = { in: 'id' };

/** Returns the reader whose browser sent this Accept-Language; an English one if no language of it is known. */
export function readerOf(acceptLanguage: unknown): Reader {
	const header = typeof acceptLanguage === 'string' ? acceptLanguage : '';
	const [wish] = header
		.slice(0, LONGEST_HEADER)
		.split(',')
		.map(parseWish)
		.filter(({ language, weight }) => weight > 0 && Object.hasOwn(TEXTS, language))
		.sort((one, other) => other.weight - one.weight);
	const { language, country } = wish ?? { language: 'en' };
	return {
		language,
		locale: country ? `${language}-${country}` : language,
		direction: language === 'ar' ? 'rtl' : 'ltr',
		texts: TEXTS[language] ?? ENGLISH,
	};
}

function parseWish(wish: string): { language: string; country?: string; weight: number } {
	const [tag = '', ...parameters] = wish.split(';').map((part) => part.trim());
	const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1;
	const [name = '', ...rest] = tag.toLowerCase().split('-');
	const country = rest.find((part) => /^[a-z]{2}$/.test(part))?.toUpperCase();
	return { language: OLD_NAMES[name] ?? name, country, weight: Number(weight) || 0 };
}
