/** What commands print fits the terminal: from committed reference runs, at 80 and at 50 columns. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { Writable } from "node:stream";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { widthOf } from "../bench/report/align.ts";
import { runCommandLine } from "../bench/command-line.ts";

const RESULTS = fileURLToPath(new URL("../results/", import.meta.url));
const references = readdirSync(RESULTS).filter((name) => name.startsWith("reference-")).sort();
const [first, second] = [references[0]!, references.find((name) => name.includes("-kv-"))!];

/** Commands that measure nothing. What depends on the moment is not held against itself. */
const COMMANDS: readonly { readonly args: readonly string[]; readonly varies?: true }[] = [
  ...references.flatMap((name) => [{ args: ["show", name] }, { args: ["show", name, "--verdicts"] }]),
  { args: ["show", "reference"] },
  { args: ["shape", "reference"] },
  { args: ["shape", second] },
  { args: ["capacity", "reference"] },
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

/** What a command prints where a terminal has so many columns, and its exit code. */
async function printedAt(args: readonly string[], columns: number | undefined) {
  const env = { NO_COLOR: "1", ...(columns === undefined ? {} : { COLUMNS: String(columns) }) };
  const [stdout, stderr] = [stream(), stream()];
  const code = await runCommandLine(args, { stdout: stdout.to, stderr: stderr.to, env });
  return { code, text: stdout.text() + stderr.text(), stderr: stderr.text() };
}

/** A stream that is no terminal and keeps what is written to it. */
function stream() {
  let text = "";
  const to = new Writable({ decodeStrings: false, write: (chunk: string, _, done) => (text += chunk, done()) });
  return { to: to as NodeJS.WriteStream, text: () => text };
}

test("nothing a command prints is wider than the terminal, words are whole, and marks stand under each other", async () => {
  process.env["LEVELFIELD_RESULTS"] = RESULTS;
  try {
    for (const { args, varies } of COMMANDS) {
      const wide = await printedAt(args, undefined);
      const known = new Set(words(wide.text));
      assert.ok(known.size > 3, args.join(" "));
      for (const columns of [80, 50]) {
        const { code, text, stderr } = await printedAt(args, columns);
        const what = `bench ${args.join(" ")}, ${columns} columns: `;
        assert.equal(code, wide.code, what + stderr);
        const lines = text.split("\n");
        // One word, a path or a list without spaces, may be longer than any line.
        const long = lines.filter((line) => widthOf(line) > columns && /\S\s+\S/.test(line.replace(/ \\$/, "")));
        assert.deepEqual(long, [], what);
        if (varies !== true) assert.deepEqual(words(text).filter((word) => !known.has(word)), [], what);
        assert.deepEqual(lines.filter((line) => /^ +[✓✗] /.test(line)), [], `${what}a mark is not where marks stand`);
      }
    }
  } finally {
    delete process.env["LEVELFIELD_RESULTS"];
  }
});
