/** Thomas Hobbes, Leviathan, 1651, part 1, chapter 6, in the lines of the seed; in the public domain. */
export const QUOTE = `Man is distinguished, not only by his reason, but by this singular passion from
other animals, which is a lust of the mind, that by a perseverance of delight
in the continued and indefatigable generation of knowledge, exceeds the short
vehemence of any carnal pleasure.`;

/** Largest text a key may have, in bytes; a larger one is answered with 413. */
export const TEXT_LIMIT_BYTES = 65_536;

/** Content type of every reply. */
export const TEXT_TYPE = "text/plain; charset=UTF-8";

/** Replies for a text that was kept or removed, or is too large, and for an unknown key. */
export const STORED = "stored";
export const REMOVED = "removed";
export const TOO_LARGE = `a text has at most ${TEXT_LIMIT_BYTES} bytes`;
export const NO_KEY = "no such key";

/** Reply, with 400, to a text that ended before its length. */
export const BROKEN = "the text broke off";

/** True if a text can be a key. Any other is answered like an unknown key. */
export function isKey(text: string): boolean {
  return /^[\w.-]{1,200}$/.test(text);
}

/** Name of a key: `test` where there is one, `test-0` and so on where there are more. `{key}` stands for a drawn one. */
export function keyName(keys: number, key: number | "{key}"): string {
  return keys === 1 ? "test" : `test-${key}`;
}

/** The text each key has before anybody puts another: the quote, and for all but the first which key's it is. */
export function loadedText(key: number): string {
  return key === 0 ? QUOTE : `${QUOTE} #${key}`;
}

/** The text that a load puts: which key's it is, and the serial number of the request. */
export function putText(key: number | "{key}", serial: number | "{serial}"): string {
  return `${QUOTE} #${key}.${serial}`;
}

/** The serial number of a text that a load put for a key, `loaded` for the text before, undefined for any other text. */
export function serialIn(text: string, key: number): number | "loaded" | undefined {
  if (text === loadedText(key)) return "loaded";
  const start = putText(key, 0).slice(0, -1);
  return text.startsWith(start) && /^\d+$/.test(text.slice(start.length))
    ? Number(text.slice(start.length))
    : undefined;
}

/** The texts of so many keys, by name. */
export function loadedTexts(keys: number): Map<string, string> {
  const texts = new Map<string, string>();
  for (let key = 0; key < keys; key++) {
    // Through bytes, so that no text is two joined ones that its first reader would have to copy.
    texts.set(keyName(keys, key), Buffer.from(loadedText(key)).toString());
  }
  return texts;
}
