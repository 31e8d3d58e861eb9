import type { Question, WaitLimit } from '../shared/question';
import type { GivenOptions } from './givenOptions';
import type { Holes } from './holes';
import type { NumberLists } from './numberLists';
import type { SameList } from './sameList';

/** What all items of one run share. */
export interface RunParameters {
	credentialDeviceId: string;
	/** A calling code or a country, '' if the credential has none; the option Default Country Code overrides it. */
	credentialCountryCode: string;
	/** The name of a field. Read once a run. */
	phoneNumberField: string;
	/** Where the numbers of a bulk send come from. Read once a run. */
	recipientSource: 'list' | 'items';
	/** The options that the node has, and whether they are expressions. */
	given: GivenOptions;
	/** Who gets nothing, and who alone gets something; read once a run. */
	optOuts?: NumberLists['optOuts'];
	allowed?: NumberLists['allowed'];
	/** Reads the lists of numbers. */
	lists: SameList;
	/** Code that n8n does not fill in, because the field of the text is set to Fixed. */
	unfilled?: string;
	/** Look for holes in each text and file name of a dry run. */
	holes?: Record<'text' | 'fileName', Holes>;
	/** Keeps a question for its page, and returns the link to it. */
	openPage(question: Question, limit: WaitLimit | undefined): string;
}
