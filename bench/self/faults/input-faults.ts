import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../host/runtimes.ts";
import { type BenchFault, Missed } from "./fault.ts";
import { changeJson, commandOf, FAULTY_SUITE, finishedRun, planOf, SOUND, SOUND_TOO } from "./small-runs.ts";
import { PLAN_FAULTS } from "./plan-faults.ts";
import type { Stage, Wish } from "./stage.ts";

interface Line {
  readonly name: string;
  readonly injected: string;
  readonly args: (stage: Stage) => readonly string[];
  readonly code: number | readonly number[];
  readonly says: RegExp;
  readonly wish?: Wish;
  readonly quick?: boolean;
}

/** Two copies of a run; the second with a journal damaged in a way. */
const withDamaged = (stage: Stage): string => {
  finishedRun(stage, "sound");
  const path = finishedRun(stage, "damaged");
  writeFileSync(join(path, "journal.ndjson"), "\u0000\u0001}\n");
  return path;
};

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
    name: "results-passwd",
    injected: "verify --results of a file",
    args: () => ["verify", "--results", "/etc/passwd"],
    code: [1, 2],
    says: /"\/etc\/passwd"/,
    quick: true,
  },
  {
    name: "data-file",
    injected: "--data of a file, to a suite with files",
    args: () => ["run", "--quick", "--rounds", "1", "--data", "/etc/passwd"],
    code: 1,
    says: /cannot write data to "\/etc\/passwd"/,
  },
  {
    name: "empty-results",
    injected: "LEVELFIELD_RESULTS set to nothing",
    args: () => ["runs", "--json"],
    code: 0,
    says: /"runs":\[\{/,
    wish: { env: { LEVELFIELD_RESULTS: "" } },
  },
  {
    name: "git-broken",
    injected: "a GIT_DIR that is none, and --against",
    args: () => ["run", FAULTY_SUITE, "--against", "HEAD", "--dry-run"],
    code: 0,
    says: /cell/,
    wish: { env: { GIT_DIR: "/nowhere" } },
  },
  {
    name: "no-driver",
    injected: "runtimes from PATH, and none there",
    args: () => ["list"],
    code: 1,
    says: /deno/,
    wish: { env: { LEVELFIELD_TOOLS: "path", LEVELFIELD_DRIVER: "deno", PATH: "/usr/bin:/bin" } },
  },
  {
    name: "report-damaged",
    injected: "report of a damaged journal",
    args: (stage) => ["report", withDamaged(stage)],
    code: 1,
    says: /damaged/,
  },
  {
    name: "compare-damaged",
    injected: "compare with a damaged journal",
    args: (stage) => ["compare", "sound", withDamaged(stage)],
    code: 1,
    says: /line 1" is damaged: it is no JSON/,
  },
  {
    name: "shape-damaged",
    injected: "shape of a damaged journal",
    args: (stage) => ["shape", withDamaged(stage)],
    code: 1,
    says: /line 1" is damaged: it is no JSON/,
  },
  {
    name: "reproduce-damaged",
    injected: "reproduce a damaged journal",
    args: (stage) => ["reproduce", withDamaged(stage)],
    code: 1,
    says: /line 1" is damaged: it is no JSON/,
  },
  {
    name: "resume-damaged",
    injected: "resume a damaged journal",
    args: (stage) => ["run", "--resume", withDamaged(stage)],
    code: 1,
    says: /line 1" is damaged: it is no JSON/,
  },
  {
    name: "runs-damaged",
    injected: "runs with a damaged one among them",
    args: (stage) => {
      changeJson(join(withDamaged(stage), "run.json"), () => 7);
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
];

const lines: BenchFault[] = LINES.map(({ name, injected, args, code, says, wish, quick = false }) => ({
  kind: "bench",
  group: "input",
  name,
  injected,
  expected: says.source,
  quick,
  async inject(stage) {
    await stage.expect(args(stage), code, says, wish);
  },
}));

const LAUNCHED: readonly (readonly [name: string, injected: string, link: (stage: Stage) => string])[] = [
  ["launcher-link", "bin/bench through a relative link", (stage) => linked(stage, ["bench"])],
  ["launcher-links", "bin/bench through three links in a row", (stage) => linked(stage, ["a", "b", "bench"])],
];

/** Links that lead to bin/bench one after the other, each relative; gives the last. */
function linked(stage: Stage, names: readonly string[]): string {
  const folder = join(stage.folder, "bin");
  mkdirSync(folder);
  symlinkSync(join(PROJECT_ROOT, "bin"), join(stage.folder, "project"));
  let target = "../project/bench";
  for (const name of names) {
    symlinkSync(target, join(folder, name));
    target = name;
  }
  return join(folder, target);
}

const launched: BenchFault[] = LAUNCHED.map(([name, injected, link]) => ({
  kind: "bench",
  group: "input",
  name,
  injected,
  expected: "it starts",
  async inject(stage) {
    // "$0" is bin/bench itself, which the link stands for.
    await stage.expect(["list"], 0, /Suites/, { shell: `shift; exec '${link(stage)}' "$@"` });
  },
}));

const empty: BenchFault = {
  kind: "bench",
  group: "input",
  name: "interrupted-empty",
  injected: "Ctrl-C before the first step, then show",
  expected: "the run before is the newest one still",
  async inject(stage) {
    finishedRun(stage, "2020-01-01-000000");
    const running = stage.start(commandOf(stage, await planOf([SOUND, SOUND_TOO])));
    await stage.until("its server", () => stage.processes().some(({ command }) => command.includes("faulty-app.ts")));
    process.kill(running.pid, "SIGINT");
    const { code } = await running.ended;
    if (code !== 130) throw new Missed(`exit ${code}`);
    await stage.expect(["show"], 0, /sound-too.*/);
  },
};

/** Plans, suites and command lines that are wrong. */
export const INPUT_FAULTS: readonly BenchFault[] = [...PLAN_FAULTS, ...lines, ...launched, empty];
