/** A string of a JSON text, and where it stands. */
export interface JsonString {
  readonly text: string;
  /** Keys that lead to it, the nearest last; those of arrays are left out. */
  readonly keys: readonly string[];
  /** From 1. */
  readonly line: number;
}

/** Strings of an array that has two or more, as a command line has. */
export interface JsonWords {
  readonly words: readonly JsonString[];
}

interface Frame {
  readonly inArray: boolean;
  readonly words: JsonString[];
  key: string | undefined;
}

/**
 * All strings of a JSON text with their lines, values and keys alike, and arrays of strings once more as a whole. Lines
 * of JSON are read, too. A text that is no JSON gives what looks like strings of it.
 */
export function* jsonStrings(json: string): Generator<JsonString | JsonWords> {
  const stack: Frame[] = [];
  let line = 1;
  const keys = () => stack.flatMap(({ key }) => key ?? []);
  for (const [token, colon] of json.matchAll(/"[^"\\]*(?:\\[^][^"\\]*)*"(\s*:)?|[{}[\]\n]/g)) {
    const top = stack.at(-1);
    if (token === "\n") line++;
    else if (token === "{" || token === "[") stack.push({ inArray: token === "[", words: [], key: undefined });
    else if (token === "}" || token === "]") {
      stack.pop();
      if (top !== undefined && top.words.length > 1) yield { words: top.words };
    } else {
      const text = decoded(colon === undefined ? token : token.slice(0, -colon.length));
      if (colon !== undefined && top !== undefined) top.key = undefined;
      const found = { text, keys: keys(), line };
      if (colon !== undefined && top !== undefined) top.key = text;
      else if (top?.inArray) top.words.push(found);
      yield found;
    }
  }
}

function decoded(token: string): string {
  try {
    return JSON.parse(token);
  } catch {
    return token.slice(1, -1);
  }
}
