/** The examples in what a program reads of Levelfield: its pages on the library and the documentation of each of its exports. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** An example as it stands in the documentation. */
export interface Example {
  /** File and line, from the project's folder. */
  readonly where: string;
  readonly code: string;
  /** It makes real observations. */
  readonly measures: boolean;
}

/** The entries of the package, as package.json names them. */
export const ENTRIES: Readonly<Record<string, string>> =
  JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).exports;

/** All examples: of the pages on the library, of the entries and of every file an entry exports something of. */
export function libraryExamples(): Example[] {
  const entries = Object.values(ENTRIES).map((path) => posix.normalize(path));
  const sources = entries.flatMap((entry) => [
    entry,
    ...[...readFileSync(join(ROOT, entry), "utf8").matchAll(/^(?:export|\}).* from "(\..+)";$/gm)]
      .map(([, path]) => posix.join(posix.dirname(entry), path!)),
  ]);
  return ["docs/library.md", "docs/statistics.md", ...new Set(sources)].flatMap(examplesIn);
}

function examplesIn(file: string): Example[] {
  const found: Example[] = [];
  let open: { readonly line: number; readonly measures: boolean; readonly code: string[] } | undefined;
  for (const [index, text] of readFileSync(join(ROOT, file), "utf8").split("\n").entries()) {
    const line = file.endsWith(".md") ? text : /^\s*\*(?: (.*))?$/.exec(text)?.[1] ?? "";
    const fence = /^```(.*)$/.exec(line);
    if (open === undefined) {
      if (fence !== null && /^ts( measures)?$/.test(fence[1]!)) {
        open = { line: index + 1, measures: fence[1] !== "ts", code: [] };
      }
    } else if (fence === null) open.code.push(line);
    else {
      found.push({ where: `${file}:${open.line}`, code: open.code.join("\n") + "\n", measures: open.measures });
      open = undefined;
    }
  }
  return found;
}

/**
 * Writes examples as modules into a folder inside the project, where "levelfield" is the project itself, and removes it
 * afterwards. Each is named after where it stands.
 */
export async function withExamples<T>(
  examples: readonly Example[],
  work: (folder: string, files: readonly string[]) => Promise<T>,
): Promise<T> {
  mkdirSync(join(ROOT, ".data"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".data", "examples-"));
  try {
    const files = examples.map(({ where, code }) => {
      const file = join(folder, `${where.replaceAll(/[^\w]+/g, "-")}.ts`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, code);
      return file;
    });
    return await work(folder, files);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
