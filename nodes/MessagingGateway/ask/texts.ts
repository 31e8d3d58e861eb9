/** The sentences of the page in each language, and the language of the reader. */

/** All sentences of the page. The question and the labels come from the workflow and are not translated. */
const en = {
	title: 'A question for you',
	until: 'Please answer by {time}',
	over: 'The time to answer is over',
	nothing: 'Nothing was recorded.',
	yourReply: 'Your answer',
	send: 'Send answer',
	choose: 'Please choose an answer below.',
	empty: 'Your answer is empty. Please write something, then send it.',
	tooLong: 'Your answer is too long. Please shorten it to {count} characters, then send it.',
	correct: 'Please check the fields that are marked.',
	missing: 'Please fill in this field.',
	notOffered: 'Please choose one of the answers offered.',
	howMany: 'Number of answers to choose: {count}.',
	notNumber: 'Please enter a number.',
	notDate: 'Please enter a date, such as 2026-12-31.',
	notEmail: 'Please enter an email address, such as ana@example.com.',
	pick: 'Please choose',
	optional: 'optional',
	recorded: 'Answer recorded',
	thanks: 'Thank you, your answer was recorded.',
	question: 'The question',
	close: 'You can close this page.',
	closed: 'This question is closed',
	earlier: 'This link belongs to an earlier question.',
	newest: 'Please open the link in the newest message that you got.',
};

export type Texts = Record<keyof typeof en, string>;

const id: Texts = {
	title: 'Pertanyaan untuk Anda',
	until: 'Mohon jawab paling lambat {time}',
	over: 'Waktu untuk menjawab sudah berakhir',
	nothing: 'Tidak ada jawaban yang dicatat.',
	yourReply: 'Jawaban Anda',
	send: 'Kirim jawaban',
	choose: 'Silakan pilih jawaban di bawah ini.',
	empty: 'Jawaban Anda masih kosong. Silakan tulis sesuatu, lalu kirim.',
	tooLong: 'Jawaban Anda terlalu panjang. Mohon persingkat menjadi {count} karakter, lalu kirim.',
	correct: 'Mohon periksa isian yang ditandai.',
	missing: 'Mohon lengkapi isian ini.',
	notOffered: 'Mohon pilih salah satu jawaban yang tersedia.',
	howMany: 'Jumlah jawaban yang harus dipilih: {count}.',
	notNumber: 'Mohon masukkan angka.',
	notDate: 'Mohon masukkan tanggal, misalnya 2026-12-31.',
	notEmail: 'Mohon masukkan alamat email, misalnya ana@example.com.',
	pick: 'Silakan pilih',
	optional: 'opsional',
	recorded: 'Jawaban sudah dicatat',
	thanks: 'Terima kasih, jawaban Anda sudah dicatat.',
	question: 'Pertanyaan',
	close: 'Anda dapat menutup halaman ini.',
	closed: 'Pertanyaan ini sudah ditutup',
	earlier: 'Tautan ini untuk pertanyaan sebelumnya.',
	newest: 'Silakan buka tautan di pesan terbaru yang Anda terima.',
};

const ms: Texts = {
	title: 'Soalan untuk anda',
	until: 'Sila jawab selewat-lewatnya pada {time}',
	over: 'Masa untuk menjawab sudah tamat',
	nothing: 'Tiada jawapan direkodkan.',
	yourReply: 'Jawapan anda',
	send: 'Hantar jawapan',
	choose: 'Sila pilih jawapan di bawah.',
	empty: 'Jawapan anda masih kosong. Sila tulis sesuatu, kemudian hantar.',
	tooLong: 'Jawapan anda terlalu panjang. Sila pendekkan kepada {count} aksara, kemudian hantar.',
	correct: 'Sila semak ruangan yang bertanda.',
	missing: 'Sila isi ruangan ini.',
	notOffered: 'Sila pilih salah satu jawapan yang disediakan.',
	howMany: 'Bilangan jawapan yang perlu dipilih: {count}.',
	notNumber: 'Sila masukkan nombor.',
	notDate: 'Sila masukkan tarikh, contohnya 2026-12-31.',
	notEmail: 'Sila masukkan alamat e-mel, contohnya ana@example.com.',
	pick: 'Sila pilih',
	optional: 'tidak wajib',
	recorded: 'Jawapan telah direkodkan',
	thanks: 'Terima kasih, jawapan anda telah direkodkan.',
	question: 'Soalan',
	close: 'Anda boleh menutup halaman ini.',
	closed: 'Soalan ini telah ditutup',
	earlier: 'Pautan ini untuk soalan yang terdahulu.',
	newest: 'Sila buka pautan dalam mesej terbaharu yang anda terima.',
};

const es: Texts = {
	title: 'Una pregunta para usted',
	until: 'Por favor, responda a más tardar el {time}',
	over: 'El plazo para responder ha terminado',
	nothing: 'No se ha registrado ninguna respuesta.',
	yourReply: 'Su respuesta',
	send: 'Enviar respuesta',
	choose: 'Por favor, elija una respuesta a continuación.',
	empty: 'Su respuesta está vacía. Por favor, escriba algo y envíelo.',
	tooLong: 'Su respuesta es demasiado larga. Por favor, acórtela a {count} caracteres y envíela.',
	correct: 'Por favor, revise los campos marcados.',
	missing: 'Por favor, complete este campo.',
	notOffered: 'Por favor, elija una de las respuestas ofrecidas.',
	howMany: 'Número de respuestas que debe elegir: {count}.',
	notNumber: 'Por favor, escriba un número.',
	notDate: 'Por favor, escriba una fecha, por ejemplo 2026-12-31.',
	notEmail: 'Por favor, escriba un correo electrónico, por ejemplo ana@example.com.',
	pick: 'Elija una opción',
	optional: 'opcional',
	recorded: 'Respuesta registrada',
	thanks: 'Gracias, su respuesta ha quedado registrada.',
	question: 'La pregunta',
	close: 'Puede cerrar esta página.',
	closed: 'Esta pregunta está cerrada',
	earlier: 'Este enlace corresponde a una pregunta anterior.',
	newest: 'Por favor, abra el enlace del mensaje más reciente que recibió.',
};

/** In words that Brazil and Portugal share. */
const pt: Texts = {
	title: 'Há uma pergunta à sua espera',
	until: 'Por favor, responda até {time}',
	over: 'O prazo para responder terminou',
	nothing: 'Nenhuma resposta foi guardada.',
	yourReply: 'A sua resposta',
	send: 'Enviar resposta',
	choose: 'Por favor, escolha uma resposta abaixo.',
	empty: 'A sua resposta está vazia. Por favor, escreva algo e envie.',
	tooLong: 'A sua resposta é longa demais. Por favor, encurte-a para {count} caracteres e envie.',
	correct: 'Por favor, verifique os campos marcados.',
	missing: 'Por favor, preencha este campo.',
	notOffered: 'Por favor, escolha uma das respostas oferecidas.',
	howMany: 'Número de respostas a escolher: {count}.',
	notNumber: 'Por favor, escreva um número.',
	notDate: 'Por favor, escreva uma data, por exemplo 2026-12-31.',
	notEmail: 'Por favor, escreva um endereço de e-mail, por exemplo ana@example.com.',
	pick: 'Escolha uma opção',
	optional: 'opcional',
	recorded: 'Resposta guardada',
	thanks: 'Agradecemos. A sua resposta foi guardada.',
	question: 'A pergunta',
	close: 'Pode fechar esta página.',
	closed: 'Esta pergunta está encerrada',
	earlier: 'Este link pertence a uma pergunta anterior.',
	newest: 'Por favor, abra o link da mensagem mais recente que recebeu.',
};

const de: Texts = {
	title: 'Eine Frage an Sie',
	until: 'Bitte antworten Sie bis {time}',
	over: 'Die Zeit zum Antworten ist abgelaufen',
	nothing: 'Es wurde nichts gespeichert.',
	yourReply: 'Ihre Antwort',
	send: 'Antwort senden',
	choose: 'Bitte wählen Sie unten eine Antwort.',
	empty: 'Ihre Antwort ist leer. Bitte schreiben Sie etwas und senden Sie es dann.',
	tooLong: 'Ihre Antwort ist zu lang. Bitte kürzen Sie sie auf {count} Zeichen.',
	correct: 'Bitte prüfen Sie die markierten Felder.',
	missing: 'Bitte füllen Sie dieses Feld aus.',
	notOffered: 'Bitte wählen Sie eine der angebotenen Antworten.',
	howMany: 'Anzahl der Antworten, die zu wählen sind: {count}.',
	notNumber: 'Bitte geben Sie eine Zahl ein.',
	notDate: 'Bitte geben Sie ein Datum ein, zum Beispiel 2026-12-31.',
	notEmail: 'Bitte geben Sie eine E-Mail-Adresse ein, zum Beispiel ana@example.com.',
	pick: 'Bitte wählen',
	optional: 'optional',
	recorded: 'Antwort gespeichert',
	thanks: 'Vielen Dank, Ihre Antwort wurde gespeichert.',
	question: 'Die Frage',
	close: 'Sie können diese Seite schließen.',
	closed: 'Diese Frage ist abgeschlossen',
	earlier: 'Dieser Link gehört zu einer früheren Frage.',
	newest: 'Bitte öffnen Sie den Link in der neuesten Nachricht, die Sie bekommen haben.',
};

const fr: Texts = {
	title: 'Une question pour vous',
	until: 'Merci de répondre avant le {time}',
	over: 'Le délai de réponse est écoulé',
	nothing: 'Rien n’a été enregistré.',
	yourReply: 'Votre réponse',
	send: 'Envoyer la réponse',
	choose: 'Veuillez choisir une réponse ci-dessous.',
	empty: 'Votre réponse est vide. Veuillez écrire quelque chose, puis l’envoyer.',
	tooLong: 'Votre réponse est trop longue. Veuillez la réduire à {count} caractères.',
	correct: 'Veuillez vérifier les champs signalés.',
	missing: 'Veuillez remplir ce champ.',
	notOffered: 'Veuillez choisir l’une des réponses proposées.',
	howMany: 'Nombre de réponses à choisir\u00A0: {count}.',
	notNumber: 'Veuillez saisir un nombre.',
	notDate: 'Veuillez saisir une date, par exemple 2026-12-31.',
	notEmail: 'Veuillez saisir une adresse e-mail, par exemple ana@example.com.',
	pick: 'Veuillez choisir',
	optional: 'facultatif',
	recorded: 'Réponse enregistrée',
	thanks: 'Merci, votre réponse a bien été enregistrée.',
	question: 'La question',
	close: 'Vous pouvez fermer cette page.',
	closed: 'Cette question est close',
	earlier: 'Ce lien correspond à une question précédente.',
	newest: 'Veuillez ouvrir le lien du dernier message que vous avez reçu.',
};

const ar: Texts = {
	title: 'سؤال موجَّه إليك',
	until: 'يُرجى الرد في موعد أقصاه {time}',
	over: 'انتهى الوقت المحدد للإجابة',
	nothing: 'لم تُسجَّل أي إجابة.',
	yourReply: 'إجابتك',
	send: 'إرسال الإجابة',
	choose: 'يُرجى اختيار إجابة أدناه.',
	empty: 'إجابتك فارغة. يُرجى كتابة شيء ثم إرساله.',
	tooLong: 'إجابتك طويلة جدًا. يُرجى اختصارها ثم إرسالها. الحد الأقصى لعدد الأحرف: {count}.',
	correct: 'يُرجى مراجعة الحقول المحدَّدة.',
	missing: 'يُرجى ملء هذا الحقل.',
	notOffered: 'يُرجى اختيار إحدى الإجابات المعروضة.',
	howMany: 'عدد الإجابات المطلوب اختيارها: {count}.',
	notNumber: 'يُرجى إدخال رقم.',
	notDate: 'يُرجى إدخال تاريخ، مثل 2026-12-31.',
	notEmail: 'يُرجى إدخال عنوان بريد إلكتروني، مثل ana@example.com.',
	pick: 'يُرجى الاختيار',
	optional: 'اختياري',
	recorded: 'سُجِّلت الإجابة',
	thanks: 'شكرًا لك، لقد سُجِّلت إجابتك.',
	question: 'السؤال',
	close: 'يمكنك إغلاق هذه الصفحة.',
	closed: 'هذا السؤال مغلق',
	earlier: 'هذا الرابط يخص سؤالًا سابقًا.',
	newest: 'يُرجى فتح الرابط الموجود في أحدث رسالة وصلت إليك.',
};

const hi: Texts = {
	title: 'आपके लिए एक प्रश्न',
	until: 'कृपया {time} तक उत्तर दें।',
	over: 'उत्तर देने का समय समाप्त हो गया है',
	nothing: 'कोई उत्तर दर्ज नहीं किया गया।',
	yourReply: 'आपका उत्तर',
	send: 'उत्तर भेजें',
	choose: 'कृपया नीचे एक उत्तर चुनें।',
	empty: 'आपका उत्तर खाली है। कृपया कुछ लिखें, फिर भेजें।',
	tooLong: 'आपका उत्तर बहुत लंबा है। कृपया इसे {count} अक्षरों तक छोटा करें, फिर भेजें।',
	correct: 'कृपया चिह्नित फ़ील्ड जाँचें।',
	missing: 'कृपया यह फ़ील्ड भरें।',
	notOffered: 'कृपया दिए गए उत्तरों में से एक चुनें।',
	howMany: 'चुने जाने वाले उत्तरों की संख्या: {count}।',
	notNumber: 'कृपया एक संख्या लिखें।',
	notDate: 'कृपया एक तारीख लिखें, जैसे 2026-12-31।',
	notEmail: 'कृपया एक ईमेल पता लिखें, जैसे ana@example.com।',
	pick: 'कृपया चुनें',
	optional: 'वैकल्पिक',
	recorded: 'उत्तर दर्ज हो गया',
	thanks: 'धन्यवाद, आपका उत्तर दर्ज हो गया है।',
	question: 'प्रश्न',
	close: 'आप यह पेज बंद कर सकते हैं।',
	closed: 'यह प्रश्न बंद हो चुका है',
	earlier: 'यह लिंक किसी पिछले प्रश्न का है।',
	newest: 'कृपया आपको मिले सबसे नए संदेश का लिंक खोलें।',
};

/** By the first part of a language tag. */
export const TEXTS: Record<string, Texts> = { en, id, ms, es, pt, de, fr, ar, hi };

/** The reader of a page. */
export interface Reader {
	language: string;
	/** The language and the country, which decides the format of dates. */
	locale: string;
	direction: 'ltr' | 'rtl';
	texts: Texts;
}

const ENGLISH = TEXTS.en as Texts;
const LONGEST_HEADER = 500;

/** Android uses the old code of Indonesian. */
const OLD_NAMES: Record<string, string> = { in: 'id' };

/** Returns the reader whose browser sent this Accept-Language. English if none of its languages is known. */
export function readerOf(acceptLanguage: unknown): Reader {
	const [wish] = String(acceptLanguage)
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
