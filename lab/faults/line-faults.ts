/** Command lines that have to end in one line, or to mean what they say. */
import { join } from "node:path";
import { argsOf, commandFaults, type CommandRow } from "./command-faults.ts";
import { type Damage, instead, inText, JOURNAL, put } from "./damage.ts";
import type { BenchFault } from "./fault.ts";
import { finishedRun } from "./small-runs.ts";
import type { Stage, Wish } from "./stage.ts";

/** The line about a sound run and a damaged one. */
const damagedRun = (command: string, damage: Damage) => (stage: Stage) => {
  finishedRun(stage, "sound");
  damage(finishedRun(stage, "damaged"));
  return argsOf(command, stage);
};
const env = (variables: NonNullable<Wish["env"]>) => () => ({ env: variables });

/** Lines that were found to end in a raw error, to be ignored in part or to mean something else. */
const LINES: readonly CommandRow[] = [
  ["format-of-object", "report --format toString", 2, /unknown format "toString"/, "report {run} --format toString"],
  ["readme-and-format", "report --readme --format csv", 2, /--format/, "report {run} --readme --format csv"],
  [
    "json-and-markdown",
    "compare --json --markdown",
    2,
    /exclude each other|--markdown|comes twice/,
    "compare {a} {b} --json --markdown",
  ],
  ["short-option", "an unknown option of one letter", 2, /unknown option "-x"/, "run -x"],
  ["number-underscores", "--rounds 1__0", 2, /--rounds "1__0"/, "run --rounds 1__0 --dry-run"],
  ["label-aa", "a label that is A/A's in capitals", 2, /--label "AA"/, "run {suite} --label AA --dry-run"],
  ["results-no-folder", "verify --results of a file", 1, /".*\/file"/, "verify --results {file}"],
  [
    "data-file",
    "run --data of a file, to a suite with files",
    1,
    /cannot write data to ".*\/file"/,
    "run --quick --rounds 1 --data {file}",
  ],
  [
    "data-below-file",
    "data --data of a folder below a file",
    1,
    /cannot write data to ".*\/file\/data": ENOTDIR/,
    "data --data {file}/data",
  ],
  [
    "empty-results",
    "LEVELFIELD_RESULTS set to nothing",
    0,
    /"runs":\[\{/,
    "runs --json",
    env({ LEVELFIELD_RESULTS: "" }),
  ],
  [
    "git-broken",
    "a GIT_DIR that is none, and --against",
    0,
    /cell/,
    "run {suite} --against HEAD --dry-run",
    (stage) => ({ env: { GIT_DIR: join(stage.folder, "nowhere") } }),
  ],
  [
    "no-driver",
    "runtimes from PATH, and none there",
    1,
    /deno/,
    "list",
    env({ LEVELFIELD_TOOLS: "path", LEVELFIELD_DRIVER: "deno", PATH: "/usr/bin:/bin" }),
  ],
  ["runs-damaged", "runs with a damaged one among them", 0, /damaged/, damagedRun("runs", put("run.json", "7"))],
  ["resume-finished", "resume a run that is finished", 2, /is finished/, "run --resume {run}"],
  ["output-folder", "report --output of a folder", 1, /cannot write ".*": EISDIR/, "report {run} --output {folder}"],
  ["run-outside", "a run named by a path that leaves the folder", 2, /there is no run/, "show ../../etc"],
  ["axis-of-others", "serve with an axis its suite does not have", 2, /no axis for --size/, "serve {suite} --size 10k"],
];

const NO_JSON = /journal\.ndjson.* is damaged: it is no JSON/;

/** Ways a journal is damaged that other commands than verify and show have to name too. */
const JOURNALS: readonly (readonly [name: string, injected: string, says: RegExp, damage: Damage])[] = [
  ["random", "random bytes", NO_JSON, put(JOURNAL, "\u0000\u0001}\n")],
  ["blank", "a blank first line", NO_JSON, inText(JOURNAL, (text) => `\n${text}`)],
  ["gone", "no journal", /cannot read ".*journal\.ndjson": ENOENT/, instead(JOURNAL, "nothing")],
];
const READERS = {
  report: "report damaged",
  compare: "compare sound damaged",
  reproduce: "reproduce damaged",
  resume: "run --resume damaged",
};

const ofDamaged = JOURNALS.flatMap(([how, injected, says, damage]) =>
  Object.entries(READERS).map(([name, command]): CommandRow => [
    `${name}-${how}`,
    `${name} of a run with ${injected}`,
    1,
    says,
    damagedRun(command, damage),
  ])
);

/** Command lines that have to end in one line, or to mean what they say. */
export const LINE_FAULTS: readonly BenchFault[] = commandFaults("input", [...LINES, ...ofDamaged], [
  "results-no-folder",
]);
