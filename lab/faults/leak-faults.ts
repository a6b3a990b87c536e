/** What would tell a secret, open a door, or hand an option to another program. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sealRun } from "../../bench/host/seal.ts";
import { commandFaults, type CommandRow } from "./command-faults.ts";
import { inText } from "./damage.ts";
import { type BenchFault, type FaultRow, Missed, ofGroup, saying } from "./fault.ts";
import { finishedRun } from "./small-runs.ts";
import type { Stage } from "./stage.ts";

const SECRETS: readonly (readonly [name: string, injected: string, says: RegExp, text: string])[] = [
  ["pack-token", "a token in an address", /run\.json:\d+: what "access_token" holds/, "/?access_token=aBc123"],
  [
    "pack-password",
    "a password in an address",
    /run\.json:\d+: a password in an address/,
    "http://a:hunter2@127.0.0.1/",
  ],
  ["pack-known-form", "a key of a cloud", /run\.json:\d+: an AWS access key/, `AKIA${"IOSFODNN7EXAMPLE"}`],
  [
    "pack-header",
    "a header that proves who asks",
    /run\.json:\d+: what "authorization" holds/,
    "authorization: aBc123",
  ],
];

const secrets = SECRETS.map(([name, injected, says, text]): FaultRow => ({
  name,
  injected: `bench pack of a run that holds ${injected}`,
  expected: `${saying(says)}, and no file`,
  async inject(stage) {
    const run = finishedRun(stage, "told");
    inText("run.json", (json) => json.replace(/("wanted": ")/, `$1${text} `))(run);
    sealRun(run);
    await stage.expect(["pack", "told", "--as-is"], 2, says);
    if (existsSync(join(stage.folder, "told.levelfield.gz"))) throw new Missed("it was packed");
    await stage.expect(["pack", "told", "--as-is", "--anyway"], 0, /told\.levelfield\.gz/);
  },
}));

const link: FaultRow = {
  name: "pack-part-link",
  injected: "bench pack beside a link that has the name of its unfinished file",
  expected: "what the link leads to stays as it was",
  async inject(stage) {
    finishedRun(stage, "told");
    const other = join(stage.folder, "other");
    writeFileSync(other, "as it was");
    symlinkSync(other, join(stage.folder, "x.gz.part"));
    await stage.expect(["pack", "told", "--as-is", "--output", "x.gz"], 0, /x\.gz/);
    if (readFileSync(other, "utf8") !== "as it was") throw new Missed("the link was followed");
  },
};

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
export const LEAK_FAULTS: readonly BenchFault[] = [
  ...ofGroup("input", [...secrets, link]),
  ...commandFaults("input", LINES),
];
