/** Apps and programs that say, serve or listen otherwise than a first look has it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { locateRuntime } from "../../bench/runtimes/runtimes.ts";
import { commandFaults, type CommandRow } from "./command-faults.ts";
import type { BenchFault } from "./fault.ts";
import type { Stage } from "./stage.ts";

const HTTP = 'import { createServer } from "node:http";\n';

/** An app on Bun. */
const app = (text: string, ...more: readonly string[]) => (stage: Stage): readonly string[] => {
  const file = join(stage.folder, "a.mjs");
  writeFileSync(file, text);
  return ["run", "--app", file, "--runtime", "bun", ...more, "--dry-run"];
};

/** A program on Node, under a name. */
const command = (text: string, name = "a") => (stage: Stage): readonly string[] => {
  const file = join(stage.folder, "a.mjs");
  writeFileSync(file, `${HTTP}${text}`);
  return ["run", "--command", `${name}='${locateRuntime("node").file}' '${file}'`, "--dry-run"];
};

const ROWS: readonly CommandRow[] = [
  [
    "command-throws",
    "a program that throws at its start, with a footer of its runtime below",
    1,
    /ended with exit 1: TypeError: Cannot read properties of undefined/,
    command("createServer().listen(undefined.port);"),
  ],
  [
    "command-throws-lines",
    "one whose error has several lines and a cause",
    1,
    /exit 1: no: - PORT; caused by Error: inner/,
    command('throw new Error("no:\\n  - PORT", { cause: new Error("inner") });'),
  ],
  [
    "command-other-runtime",
    "one that is named after a runtime and served by another",
    0,
    /bun: answers; node \S+ serves it/,
    command('createServer((_, reply) => reply.end("a")).listen(process.env.PORT, "127.0.0.1");', "bun"),
  ],
  [
    "command-slow-root",
    "one whose first path takes a second and a half",
    0,
    /a: answers/,
    command(
      'createServer((_, reply) => setTimeout(() => reply.end("a"), 1500)).listen(process.env.PORT, "127.0.0.1");',
    ),
  ],
  [
    "app-listens",
    "an app that listens by itself",
    1,
    /listens by itself and exports no app[\s\S]*--program/,
    app(`${HTTP}createServer().listen(0);`),
  ],
  [
    "app-promise",
    "an app that is a promise, beside a helper called open",
    0,
    /answers/,
    app('export const open = () => 7; export default Promise.resolve({ fetch: () => new Response("a") });'),
  ],
  [
    "app-needs-body",
    "an app that needs a body",
    2,
    /status 422, "no id"[\s\S]*--body @FILE/,
    app('export default () => new Response("no id", { status: 422 });', "--request", "POST /"),
  ],
  [
    "app-throws-inside",
    "an app that throws as it answers",
    2,
    /status 500, and it says "TypeError: no table/,
    app('export default () => { throw new TypeError("no table"); };'),
  ],
];

/** Faults of apps and commands that their first start shows. */
export const SERVED_FAULTS: readonly BenchFault[] = commandFaults("input", ROWS);
