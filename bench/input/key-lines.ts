/** Comments, texts, words, and every other character by itself. */
const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[\p{L}\p{N}_$]+|\S/gu;

/** A bracket that is open. */
interface Open {
  readonly bracket: string;
  /** Keys that lead into it; null where it holds code or nobody knows. */
  readonly path: readonly string[] | null;
  /** Of a list: the place it is at. */
  place: number;
  /** Of an object: the key it is at, and whether its value has begun. */
  key: string | null;
  inValue: boolean;
}

/**
 * The line, from 1, on which a source says the value at a path of keys and places, or what that value is part of. It does not
 * read TypeScript, only brackets, texts and what stands before colons: undefined where no line or more than one would fit.
 */
export function keyLine(source: string, path: readonly PropertyKey[]): number | undefined {
  const found = placesIn(source);
  for (let depth = path.length; depth > 0; depth--) {
    const lines = found.get(path.slice(0, depth).map(String).join("\0")) ?? [];
    if (lines.length === 1) return lines[0];
    if (lines.length > 1) return undefined;
  }
  return undefined;
}

/** By path, the lines on which its value is said. */
function placesIn(source: string): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const tokens = [...source.matchAll(TOKENS)].filter(([text]) => !/^\/[/*]/.test(text));
  const lineAt = lineCounter(source);
  const stack: Open[] = [];
  const note = (path: readonly string[], at: number) => {
    const key = path.join("\0");
    found.set(key, [...found.get(key) ?? [], lineAt(at)]);
  };
  for (const [n, token] of tokens.entries()) {
    const [text] = token;
    const [before, after] = [tokens[n - 1]?.[0], tokens[n + 1]?.[0]];
    const open = stack.at(-1);
    const begins = open !== undefined && (before === open.bracket || before === ",");
    if (open?.path && open.bracket === "[" && begins && text !== "]") {
      note([...open.path, String(open.place)], token.index);
    }
    if (
      open?.path && open.bracket === "{" && begins && /^[\p{L}\p{N}_$"']/u.test(text) && /^[:,}(]$/.test(after ?? "")
    ) {
      open.key = text.replace(/^["'](.*)["']$/, "$1");
      note([...open.path, open.key], token.index);
    } else if (text === ":" && open?.key) open.inValue = true;
    if (text === "," && open !== undefined) Object.assign(open, { place: open.place + 1, key: null, inValue: false });
    else if (/^[{[(]$/.test(text)) {
      stack.push({ bracket: text, path: pathInto(open, before), place: 0, key: null, inValue: false });
    } else if (/^[}\])]$/.test(text)) stack.pop();
  }
  return found;
}

/** Keys that lead into a bracket that opens where another one is open. */
function pathInto(open: Open | undefined, before: string | undefined): readonly string[] | null {
  // Names that are imported are no keys.
  if (open === undefined) return before === "import" || before === "type" ? null : [];
  if (open.path === null) return null;
  if (open.bracket === "(") return open.path;
  if (open.bracket === "[") return [...open.path, String(open.place)];
  return open.inValue ? [...open.path, open.key!] : null;
}

function lineCounter(source: string): (at: number) => number {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index);
  return (at) => {
    const line = ends.findIndex((end) => end >= at);
    return (line < 0 ? ends.length : line) + 1;
  };
}
