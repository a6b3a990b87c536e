/** What commands print fits the terminal: from committed reference runs, at 80 and at 50 columns. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { widthOf } from "../bench/report/align.ts";
import { commandLine } from "./command-line.ts";

const RESULTS = fileURLToPath(new URL("../results/", import.meta.url));
const references = readdirSync(RESULTS).filter((name) => name.startsWith("reference-")).sort();
/** One of each suite and preset, whichever machine it is of: the last three words of a name. */
const shown = [
  ...new Map(references.toReversed().map((name) => [name.split("-").slice(0, -3).join("-"), name])).values(),
];
const [first, second] = [references[0]!, references.find((name) => name.includes("-kv-"))!];

/** Commands that measure nothing. What depends on the moment is not held against itself. */
const COMMANDS: readonly { readonly args: readonly string[]; readonly varies?: true }[] = [
  ...shown.flatMap((name) => [{ args: ["show", name] }, { args: ["show", name, "--all"] }]),
  { args: ["show", "reference"] },
  { args: ["verify", second] },
  { args: ["compare", first, second] },
  { args: ["reproduce", second, "--with", second] },
  { args: ["runs"] },
  { args: ["list"] },
  { args: ["list", "users"] },
  { args: ["list", "sqlite"] },
  { args: ["--version"] },
  { args: ["run", "--quick", "--dry-run", "--seed", "1"], varies: true },
  { args: ["doctor"], varies: true },
  { args: ["compare", "--bogus"] },
  { args: ["sohw"] },
  { args: ["show", "no-such-run"] },
];

/** Words as they are told; a command that goes on in the next line says so with a backslash. */
const words = (text: string) => text.replaceAll("\\\n", "").split(/[\s…,;:]+/).filter((word) => word !== "");

test("nothing a command prints is wider than the terminal, words are whole, and marks stand under each other", async () => {
  for (const { args, varies } of COMMANDS) {
    const wide = await commandLine(args, RESULTS);
    const known = new Set(words(wide.stdout + wide.stderr));
    assert.ok(known.size > 3, args.join(" "));
    for (const columns of [80, 50]) {
      const { code, stdout, stderr } = await commandLine(args, RESULTS, columns);
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
});
