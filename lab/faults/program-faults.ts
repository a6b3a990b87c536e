/** Programs that listen by themselves, each with something about it that a start on a runtime meets first. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../bench/machine/listening-ports.ts";
import { commandFaults, type CommandRow } from "./command-faults.ts";
import type { BenchFault } from "./fault.ts";
import type { Stage } from "./stage.ts";

/** Ports that nobody has, in place of `A` and `B` in a program. */
async function texted(text: string): Promise<string> {
  const [a, b] = [await freePort("127.0.0.1"), await freePort("127.0.0.1")];
  return `const { createServer } = require("node:http");
const on = (port) => createServer((_, reply) => reply.end("a")).listen(port, "127.0.0.1");
const [A, B] = [${a}, ${b}];
${text}`;
}

const planned = (text: string) => async (stage: Stage): Promise<readonly string[]> => {
  const file = join(stage.folder, "a.cjs");
  writeFileSync(file, await texted(text));
  return ["run", "--program", file, "--runtime", "bun", "--dry-run"];
};

const ROWS: readonly CommandRow[] = [
  [
    "program-own-port",
    "a program that ignores PORT",
    0,
    /listens on \d+ whatever PORT says/,
    planned("on(A);"),
  ],
  [
    "program-two-ports",
    "one that listens on two ports, of which PORT is neither",
    1,
    /it listens on ports \d+, \d+, .*: say which with --port/,
    planned("on(A); on(B);"),
  ],
  [
    "program-further-port",
    "one that listens on PORT and on a port of its own",
    0,
    /answers, listens on \d+ whatever PORT says/,
    planned("on(process.env.PORT); on(B);"),
  ],
];

/** Faults of a `--program`, found before anything is measured. */
export const PROGRAM_FAULTS: readonly BenchFault[] = commandFaults("input", ROWS);
