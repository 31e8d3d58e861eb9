import { placeholderIn } from '../../../nodes/MessagingGateway/input/placeholders';

/** What the programs themselves write. The errors of spreadsheets are those in the tables of HyperFormula and EPPlus, and Excel's. */
const WRITTEN = [
	...[undefined, null, NaN, {}, [{}], new Date(NaN), 1 / 0, Math, String].map(String),
	// By Luxon.
	...['Invalid DateTime', 'Invalid Duration', 'Invalid Interval'],
	...'#N/A #REF! #VALUE! #NAME? #DIV/0! #NUM! #NULL! #ERROR! #SPILL! #CALC! #GETTING_DATA'.split(
		' ',
	),
	...'#NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #VALEUR! #NOM? #NOMBRE! #EPARS! #N/D #RIF! #VALORE!'.split(
		' ',
	),
	...'#¡REF! #¡VALOR! #¿NOMBRE? #¡DIV/0! #¡NUM! #¡DESBORDAMIENTO! #NÚM! #WAARDE! #VERW! #N/B'.split(
		' ',
	),
	...'#ARG! #DZIEL/0! #N/D! #I/T #VÆRDI! #SAKNAS! #VÄRDEFEL! #PUUTTUU! #ARVO! #HIÁNYZIK #ČÍSLO!'.split(
		' ',
	),
	...'#ДЕЛ/0! #Н/Д #ЗНАЧ! #ССЫЛКА! #ИМЯ? #ΤΙΜΗ! #Δ/Υ #YOK #DEĞER! #BAŞV! #ANGKA! Err:502'.split(
		' ',
	),
];

it.each(WRITTEN)('%s stands in place of a value', (word) => {
	for (const text of [word, `Hi ${word}, see you`, `(${word}).`, `a-${word}-2026`]) {
		expect(word).toContain(placeholderIn(text, '') ?? 'nothing');
	}
	expect(placeholderIn(`Hi ${word}`, `Hi ${word}`)).toBeUndefined();
});

it.each(['nrundefined', 'nrnull', 'nullPratiwi', 'nrNaN', 'order_null', 'nr#N/A'])(
	'%s has a word in place of a value, without a space',
	(text) => {
		expect(placeholderIn(text, '')).toBeDefined();
	},
);

it.each([
	'Nullam id dolor',
	'Dear Nan, Nana and NaNa',
	'null and void',
	'nullable, annulled, Nullpunkt',
	'N/A',
	'#NVIDIA #REFILL #NAMES #1 #SALE! #PROMO?',
	'Infinity Pool',
	'an invalid date',
	'Error: 502',
	'the object Object',
])('%s has none', (text) => {
	expect(placeholderIn(text, '')).toBeUndefined();
});
