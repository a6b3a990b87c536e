import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { commandFaults, type CommandRow } from "./command-faults.ts";
import { type BenchFault, type FaultRow, Missed, ofGroup } from "./fault.ts";
import { commandOf, FAULTY_SUITE, finishedRun, planOf, SOUND, SOUND_TOO } from "./small-runs.ts";
import type { Stage, Wish } from "./stage.ts";
import { serverRuns } from "./steps.ts";

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

const launched = LAUNCHED.map(([name, injected, link]): CommandRow => [
  name,
  injected,
  0,
  /Suites/,
  "list",
  // "$0" is bin/bench itself, which the link stands for.
  (stage) => ({ shell: `shift; exec '${link(stage)}' "$@"` }),
]);

const env = (variables: NonNullable<Wish["env"]>) => () => ({ env: variables });

const ENVIRONMENTS: readonly CommandRow[] = [
  [
    "empty-results",
    "LEVELFIELD_RESULTS set to nothing",
    0,
    /"runs":\[/,
    "show --list --json",
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
];

const ODD: readonly FaultRow[] = [
  {
    name: "interrupted-empty",
    injected: "Ctrl-C before the first step, then show",
    expected: "the run before is the newest one still",
    async inject(stage) {
      finishedRun(stage, "2020-01-01-000000");
      const running = stage.start(commandOf(stage, await planOf([SOUND, SOUND_TOO])));
      await stage.until("its server", () => serverRuns(stage));
      process.kill(running.pid, "SIGINT");
      const { code } = await running.ended;
      if (code !== 130) throw new Missed(`exit ${code}`);
      await stage.expect(["show"], 0, /sound-too.*/);
    },
  },
  {
    name: "label-of-against",
    injected: "--label of the very revision that --against names",
    expected: "a line that says so",
    async inject(stage) {
      const line = ["run", FAULTY_SUITE, "--against", "HEAD", "--dry-run"];
      const { stdout } = await stage.expect(line, 0, /@[0-9a-f]{7}\b/);
      const [, label] = /@([0-9a-f]{7})\b/.exec(stdout)!;
      await stage.expect([...line, "--label", label!], 2, /is the label of the revision it is held against/);
    },
  },
];

/** Conditions before a measurement, except refusals, which tests hold. */
export const INPUT_FAULTS: readonly BenchFault[] = [
  ...commandFaults("input", ENVIRONMENTS, ["git-broken"]),
  ...commandFaults("input", launched, [], { expected: "it starts" }),
  ...ofGroup("input", ODD),
];
