import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BenchFault, saying } from "./fault.ts";
import { changeJson, FAULTY_SUITE, fileIn, finishedRun } from "./small-runs.ts";
import type { Stage, Wish } from "./stage.ts";

interface Line {
  readonly name: string;
  readonly injected: string;
  readonly args: (stage: Stage) => readonly string[];
  readonly code: number | readonly number[];
  readonly says: RegExp;
  readonly wish?: (stage: Stage) => Wish;
  readonly quick?: boolean;
}

/** Command lines that were found to end in a raw error, to be ignored in part or to mean something else. */
const LINES: readonly Line[] = [
  {
    name: "format-of-object",
    injected: "report --format toString",
    args: (stage) => ["report", finishedRun(stage), "--format", "toString"],
    code: 2,
    says: /unknown format "toString"/,
  },
  {
    name: "readme-and-format",
    injected: "report --readme --format csv",
    args: (stage) => ["report", finishedRun(stage), "--readme", "--format", "csv"],
    code: 2,
    says: /--format/,
  },
  {
    name: "json-and-markdown",
    injected: "compare --json --markdown",
    args: (stage) => ["compare", finishedRun(stage, "a"), finishedRun(stage, "b"), "--json", "--markdown"],
    code: 2,
    says: /exclude each other|--markdown|comes twice/,
  },
  {
    name: "short-option",
    injected: "an unknown option of one letter",
    args: () => ["run", "-x"],
    code: 2,
    says: /unknown option "-x"/,
  },
  {
    name: "number-underscores",
    injected: "--rounds 1__0",
    args: () => ["run", "--rounds", "1__0", "--dry-run"],
    code: 2,
    says: /--rounds "1__0"/,
  },
  {
    name: "label-aa",
    injected: "a label that is A/A's in capitals",
    args: () => ["run", FAULTY_SUITE, "--label", "AA", "--dry-run"],
    code: 2,
    says: /--label "AA"/,
  },
  {
    name: "results-no-folder",
    injected: "verify --results of a file",
    args: (stage) => ["verify", "--results", fileIn(stage)],
    code: 1,
    says: /".*\/file"/,
    quick: true,
  },
  {
    name: "data-file",
    injected: "run --data of a file, to a suite with files",
    args: (stage) => ["run", "--quick", "--rounds", "1", "--data", fileIn(stage)],
    code: 1,
    says: /cannot write data to ".*\/file"/,
  },
  {
    name: "data-below-file",
    injected: "data --data of a folder below a file",
    args: (stage) => ["data", "--data", join(fileIn(stage), "data")],
    code: 1,
    says: /cannot write data to ".*\/file\/data": ENOTDIR/,
  },
  {
    name: "empty-results",
    injected: "LEVELFIELD_RESULTS set to nothing",
    args: () => ["runs", "--json"],
    code: 0,
    says: /"runs":\[\{/,
    wish: () => ({ env: { LEVELFIELD_RESULTS: "" } }),
  },
  {
    name: "git-broken",
    injected: "a GIT_DIR that is none, and --against",
    args: () => ["run", FAULTY_SUITE, "--against", "HEAD", "--dry-run"],
    code: 0,
    says: /cell/,
    wish: (stage) => ({ env: { GIT_DIR: join(stage.folder, "nowhere") } }),
  },
  {
    name: "no-driver",
    injected: "runtimes from PATH, and none there",
    args: () => ["list"],
    code: 1,
    says: /deno/,
    wish: () => ({ env: { LEVELFIELD_TOOLS: "path", LEVELFIELD_DRIVER: "deno", PATH: "/usr/bin:/bin" } }),
  },
  {
    name: "runs-damaged",
    injected: "runs with a damaged one among them",
    args: (stage) => {
      finishedRun(stage, "sound");
      changeJson(join(finishedRun(stage, "damaged"), "run.json"), () => 7);
      return ["runs"];
    },
    code: 0,
    says: /damaged/,
  },
  {
    name: "resume-finished",
    injected: "resume a run that is finished",
    args: (stage) => ["run", "--resume", finishedRun(stage)],
    code: 2,
    says: /is finished/,
  },
  {
    name: "output-folder",
    injected: "report --output of a folder",
    args: (stage) => ["report", finishedRun(stage), "--output", stage.folder],
    code: 1,
    says: /cannot write ".*": EISDIR/,
  },
  {
    name: "run-outside",
    injected: "a run named by a path that leaves the folder",
    args: () => ["show", "../../etc"],
    code: 2,
    says: /there is no run/,
  },
  {
    name: "axis-of-others",
    injected: "serve with an axis its suite does not have",
    args: () => ["serve", FAULTY_SUITE, "--size", "10k"],
    code: 2,
    says: /no axis for --size/,
  },
];

/** Ways a journal is damaged that other commands than verify and show have to name too. */
const JOURNALS: readonly (readonly [name: string, injected: string, damage: (file: string) => void, says: RegExp])[] = [
  [
    "random",
    "random bytes",
    (file) => writeFileSync(file, "\u0000\u0001}\n"),
    /journal\.ndjson.* is damaged: it is no JSON/,
  ],
  [
    "blank",
    "a blank first line",
    (file) => writeFileSync(file, `\n${readFileSync(file, "utf8")}`),
    /journal\.ndjson.* is damaged: it is no JSON/,
  ],
  ["gone", "no journal", (file) => rmSync(file), /cannot read ".*journal\.ndjson": ENOENT/],
];
const READERS: readonly (readonly [name: string, args: (path: string) => readonly string[]])[] = [
  ["report", (path) => ["report", path]],
  ["compare", (path) => ["compare", "sound", path]],
  ["shape", (path) => ["shape", path]],
  ["reproduce", (path) => ["reproduce", path]],
  ["resume", (path) => ["run", "--resume", path]],
];

const damaged = JOURNALS.flatMap(([how, injected, damage, says]) =>
  READERS.map(([name, argsFor]): Line => ({
    name: `${name}-${how}`,
    injected: `${name} of a run with ${injected}`,
    args(stage) {
      finishedRun(stage, "sound");
      const path = finishedRun(stage, "damaged");
      damage(join(path, "journal.ndjson"));
      return argsFor(path);
    },
    code: 1,
    says,
  }))
);

/** Command lines that have to end in one line, or to mean what they say. */
export const LINE_FAULTS: readonly BenchFault[] = [...LINES, ...damaged].map((
  { name, injected, args, code, says, wish, quick = false },
) => ({
  kind: "bench",
  group: "input",
  name,
  injected,
  expected: saying(says),
  quick,
  async inject(stage) {
    await stage.expect(args(stage), code, says, wish?.(stage));
  },
}));
