import type { Question, WaitLimit } from '../shared/question';
import type { GivenOptions } from './givenOptions';
import type { NumberLists } from './numberLists';
import type { SameList } from './sameList';
import type { TextHoles } from './textHoles';

/** What all items of one run share. */
export interface RunParameters {
	credentialDeviceId: string;
	/** A calling code or a country, '' if the credential has none; the option Default Country Code overrides it. */
	credentialCountryCode: string;
	/** The name of a field, read once a run. */
	phoneNumberField: string;
	/** Where the numbers of a bulk send come from, read once a run. */
	recipientSource: 'list' | 'items';
	/** Which options the node has, and which of them an expression gives. */
	given: GivenOptions;
	/** Who gets nothing, and who alone gets something; read once a run. */
	optOuts?: NumberLists['optOuts'];
	allowed?: NumberLists['allowed'];
	/** Reads the lists of numbers. */
	lists: SameList;
	/** Code that stands in the text as it is, because its field is set to Fixed. */
	unfilled?: string;
	/** Look at each text, file name and Send-Once Key for what is missing in it. */
	holes?: Record<'text' | 'fileName' | 'key', TextHoles>;
	/** Keeps a question for its page, and returns the link to it. */
	openPage(question: Question, limit: WaitLimit | undefined): string;
}
