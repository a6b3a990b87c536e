/** Faults that would show a secret, open a door, or pass an option to another program. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandFaults, type CommandRow } from "./command-faults.ts";
import type { BenchFault } from "./fault.ts";
import type { Stage } from "./stage.ts";

/** A program that answers where it is told to, or elsewhere. */
const serverAt = (address: string) => (stage: Stage) => {
  const file = join(stage.folder, "server.mjs");
  writeFileSync(
    file,
    `import { createServer } from "node:http";
createServer((_, reply) => reply.end("a")).listen(process.env.PORT, ${address});`,
  );
  return ["run", "--command", `"${process.execPath}" "${file}"`, "--dry-run"];
};

const LINES: readonly CommandRow[] = [
  [
    "listens-everywhere",
    "a program that listens on all addresses",
    0,
    /0\.0\.0\.0, where others may reach it/,
    serverAt('"0.0.0.0"'),
  ],
  ["listens-on-host", "a program that listens on HOST", 0, /: answers(?:;|$)/m, serverAt("process.env.HOST")],
  [
    "base-option",
    "a revision that git takes for an option",
    2,
    /begins with a dash/,
    "run {suite} --against=--output=x --dry-run",
  ],
  [
    "header-in-arguments",
    "a header that proves who asks, to a generator that shows it",
    2,
    /ab takes its requests as arguments, which every user here may read/,
    (stage) => [...serverAt("process.env.HOST")(stage), "--header", "authorization: aBc123", "--generator", "ab"],
  ],
];

/** See above. */
export const LEAK_FAULTS: readonly BenchFault[] = commandFaults("input", LINES);
