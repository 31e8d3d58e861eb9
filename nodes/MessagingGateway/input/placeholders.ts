/** The words that programs write in place of a value, for texts and keys alike. */

/**
 * The error values of spreadsheets, without their number sign, in the languages of Excel, Google Sheets and LibreOffice.
 * A list, because a hashtag such as “#SALE!” has the same form.
 */
const SPREADSHEET_ERRORS = `
NULL! NUL! NULO! NULLO! NULLA! ¡NULO! ПУСТО! ΚΕΝΟ! BOŞ! TYHJÄ! SKÄRNING! LEEG!
DIV/0! ¡DIV/0! DIVISION/0! DĚLENÍ_NULOU! DELING.DOOR.0! DEEL/0! DZIEL/0! JAKO/0! ZÉRÓOSZTÓ! BAGI0! SAYI/0! ДЕЛ/0! ΔΙΑΙΡ./0!
VALUE! VALEUR! VALOR! ¡VALOR! VALORE! WERT! WAARDE! ARG! ARVO! ÉRTÉK! HODNOTA! NILAI! VERDI! VÆRDI! VÄRDEFEL! DEĞER! ЗНАЧ! ΤΙΜΗ!
REF! ¡REF! RIF! BEZUG! VERW! ADR! REFERENCE! REFERENS! VIITTAUS! HIV! ODKAZ! BAŞV! ССЫЛКА! ΑΝΑΦ!
NAME? NAME! NOM? NOMBRE? ¿NOMBRE? NOME? NAAM? NAZWA? NAVN? NAMN? NIMI? NÉV? NÁZEV? AD? ИМЯ? ΟΝΟΜΑ?
NUM! ¡NUM! NÚM! NOMBRE! ZAHL! GETAL! LICZBA! NUMMER! LUKU! SZÁM! ČÍSLO! OGILTIGT! ANGKA! SAYI! ЧИСЛО! ΑΡΙΘ!
N/A N/A! N/D N/D! N/B I/T NV YOK HIÁNYZIK NENÍ_K_DISPOZICI PUUTTUU! SAKNAS! Н/Д Δ/Υ
SPILL! EPARS! PROPAGATION! ÜBERLAUF! ¡DESBORDAMIENTO! DESBORDAMIENTO! ESPANSIONE! TRANSPOSIÇÃO! DESPEJAR! OVERLOOP! OVERLØB!
OVERFLYT! ROZLANIE! KIBONTÁS! LEVITTYMINEN! PRESAH! TUMPAH! TAŞMA! ПЕРЕНОС!
ERROR! GALAT! BŁĄD! FEHLER! ERREUR! SIKLUS! CYKL! ZYKLUS!
CALC! FIELD! BLOCKED! UNKNOWN! CONNECT! BUSY! EXTERNAL! MACRO? GETTING_DATA`
	.trim()
	.split(/\s+/)
	.map((word) => word.replace(/[.?/]/g, '\\$&'))
	.join('|');

/** Behind other letters, too: 'no-' + undefined, and 'no' + null. A person writes “Null” and “NULL” as whole words only. */
const JAVASCRIPT = [
	'undefined',
	String.raw`null(?! and void)(?!\p{Ll})`,
	String.raw`(?<!\p{L})(?:Null|NULL|Undefined|UNDEFINED)(?!\p{L})`,
	String.raw`NaN(?!\p{Ll})`,
	String.raw`(?<!\p{L})Infinity(?!\s*\p{L})`,
	String.raw`\[(?:object|OBJECT) \w+\]`,
	String.raw`\[native code\]`,
	// Luxon's, and that of other libraries for dates.
	String.raw`Invalid (?:DateTime|Date|date|Duration|Interval)(?!\p{L})`,
];

const PLACEHOLDER = new RegExp(
	[
		...JAVASCRIPT,
		String.raw`#(?:${SPREADSHEET_ERRORS})(?![\p{L}\p{N}])`,
		String.raw`(?<!\p{L})Err:\d{3}(?!\d)`,
	].join('|'),
	'gu',
);

/**
 * Returns the first word in a text that stands in place of a value.
 *
 * @param typed the part of the text that a person typed. Its words are meant as they are.
 */
export function placeholderIn(text: string, typed: string): string | undefined {
	return text.match(PLACEHOLDER)?.find((word) => !typed.includes(word));
}
