/** Returns the phone number of the nth recipient. */
export const numberOf = (n: number): string => String(6281000000000 + n);
