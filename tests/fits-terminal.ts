/** Holds what a command prints against terminals of 80 and of 50 columns. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { widthOf } from "../bench/report/align.ts";
import { commandLine } from "./command-line.ts";

const RESULTS = fileURLToPath(new URL("../results/", import.meta.url));

/** Names of the reference runs. */
export const REFERENCES = readdirSync(RESULTS).filter((name) => name.startsWith("reference-")).sort();

/** A reference run of each suite and preset, whichever machine it is of: the last three words of a name. */
export const OF_EACH_SUITE = [
  ...new Map(REFERENCES.toReversed().map((name) => [name.split("-").slice(0, -3).join("-"), name])).values(),
];

/** A command; what depends on the moment is not held against itself. */
export interface Shown {
  readonly args: readonly string[];
  readonly varies?: true;
}

/** Words as they are told; a command that goes on in the next line says so with a backslash. */
const words = (text: string) => text.replaceAll("\\\n", "").split(/[\s…,;:]+/).filter((word) => word !== "");

/** Asserts that no line is wider than the terminal, that words are whole, and that marks stand under each other. */
export async function assertFits({ args, varies }: Shown): Promise<void> {
  const narrow = await commandLine(args, RESULTS, 80);
  const wide = varies === true ? narrow : await commandLine(args, RESULTS);
  const known = new Set(words(wide.stdout + wide.stderr));
  assert.ok(known.size > 3, args.join(" "));
  for (const columns of [80, 50]) {
    const { code, stdout, stderr } = columns === 80 ? narrow : await commandLine(args, RESULTS, columns);
    const what = `bench ${args.join(" ")}, ${columns} columns: `;
    assert.equal(code, wide.code, what + stderr);
    const text = stdout + stderr;
    const lines = text.split("\n");
    // One word, a path or a list without spaces, may be longer than any line.
    const long = lines.filter((line) => widthOf(line) > columns && /\S\s+\S/.test(line.replace(/ \\$/, "")));
    assert.deepEqual(long, [], what);
    if (varies !== true) assert.deepEqual(words(text).filter((word) => !known.has(word)), [], what);
    assert.deepEqual(lines.filter((line) => /^ +[✓✗] /.test(line)), [], `${what}a mark is not where marks stand`);
  }
}
