/** The moment until which a message is worth sending. */
export interface Deadline {
	/** Milliseconds since 1970. */
	at: number;
	/** As a person of the workflow's time zone reads it: 2026-11-28 18:00. */
	asText: string;
}
