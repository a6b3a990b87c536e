/** Characters that do something where text is shown: controls but for tabs and ends of lines, and what turns the direction of text. */
const ACTING = /(?![\t\n\r])[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** As JSON and people write a character that must not act: by its number. Two texts that differ so differ still. */
const numbered = (character: string) => `\\u${character.codePointAt(0)!.toString(16).padStart(4, "0")}`;

/** Text for a file in which nothing acts: where somebody prints it on a terminal, or opens it in an editor. */
export const harmless = (text: string): string => text.replace(ACTING, numbered);

/** A value as JSON that holds the same, and in which nothing acts: JSON itself leaves most of it as it is. */
export const harmlessJson = (value: unknown, indent?: number): string => harmless(JSON.stringify(value, null, indent));
