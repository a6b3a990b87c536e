/** Locks of others, two drivers, ports of others. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../../bench/basics/units.ts";
import { commandFaults, type CommandRow } from "./command-faults.ts";
import { type BenchFault, type FaultRow, Missed, ofGroup } from "./fault.ts";
import { asNobody, noRoot } from "./nobody.ts";
import { commandOf, FAULTY_SUITE, linesIn, planOf, SOUND, SOUND_TOO } from "./small-runs.ts";
import { expectEnd, type Stage } from "./stage.ts";
import { serverRuns } from "./steps.ts";

const lockOf = (stage: Stage) => join(stage.tmp, "levelfield.lock");
const small = async (stage: Stage) => commandOf(stage, await planOf([SOUND]));
const deadProcess = (lock: string) => writeFileSync(lock, `${spawnSync("true").pid}\n`);

/** A run next to a lock that somebody left. */
const run = (leave: (lock: string) => void) => (stage: Stage) => {
  leave(lockOf(stage));
  return small(stage);
};

const DEAD: CommandRow = ["lock-dead", "a lock of a process that has ended", [0, 3], /results in/, run(deadProcess)];

const FOLDER: CommandRow = [
  "lock-folder",
  "a lock that is a folder",
  1,
  /the lock ".*levelfield\.lock" .*(folder|EISDIR)/,
  run(mkdirSync),
];
const STICKY: CommandRow = [
  "lock-sticky",
  "a lock another user left in a folder where only owners may remove",
  1,
  /the lock ".*levelfield\.lock"/,
  run((lock) => writeFileSync(lock, "")),
  asNobody(":", 0o1777),
];

const SECOND: readonly FaultRow[] = [
  {
    name: "two-benches",
    injected: "a second bench while one measures",
    expected: "the second names the first one's process; the first goes on",
    async inject(stage) {
      const command = commandOf(stage, await planOf([SOUND], 5));
      const first = stage.start(command);
      await stage.until("the first one's server", () => serverRuns(stage));
      await stage.expect(command, 1, new RegExp(`another run is measuring .* process ${first.pid}$`, "m"));
      expectEnd(await first.ended, [0, 3], /results in/, "the first run");
    },
  },
  {
    name: "two-benches-one-folder",
    injected: "two benches in one second with one folder of results and locks of their own",
    expected: "a run each, both whole",
    async inject(stage) {
      const command = commandOf(stage, await planOf([SOUND, SOUND_TOO]));
      const other = join(stage.tmp, "other");
      mkdirSync(other);
      const both = [stage.start(command), stage.start(command, { env: { TMPDIR: other } })];
      for (const running of both) expectEnd(await running.ended, [0, 3], /results in/, "a run");
      rmdirSync(other);
      const runs = readdirSync(stage.results);
      if (runs.length !== 2) throw new Missed(`${counted(runs.length, "run")} in the folder: ${runs.join(", ")}`);
      for (const run of runs) {
        stage.lost += 2 - linesIn(join(stage.results, run)).length;
        await stage.expect(["verify", run], 0, /follow/);
      }
    },
  },
  {
    name: "two-benches-at-once",
    injected: "four benches that find one stale lock at once",
    expected: "one measures, three are refused",
    async inject(stage) {
      const command = await run(deadProcess)(stage);
      const ended = await Promise.all([1, 2, 3, 4].map(() => stage.bench(command)));
      const refused = ended.filter(({ code, stderr }) => code === 1 && /another run is measuring/.test(stderr));
      if (refused.length !== 3) throw new Missed(`they ended with ${ended.map(({ code }) => code).join(", ")}`);
    },
  },
  {
    name: "port-of-others",
    injected: "a port somebody listens on, for bench serve",
    expected: "a line that names it",
    async inject(stage) {
      const first = stage.start(["serve", FAULTY_SUITE, "--port", "0"]);
      const port = await stage.until("a port", () => /127\.0\.0\.1:(\d+)/.exec(first.stderr() + first.stdout())?.[1]);
      const taken = new RegExp(`${port}.*(taken|in use|EADDRINUSE)|EADDRINUSE`);
      await stage.expect(["serve", FAULTY_SUITE, "--port", port], 1, taken);
      process.kill(first.pid, "SIGINT");
      expectEnd(await first.ended, [0, 130], /^/, "bench serve");
    },
  },
];

/** Locks of others, two drivers, ports of others. */
export const LOCK_FAULTS: readonly BenchFault[] = [
  ...commandFaults("locks", [DEAD], [], { expected: "it is taken over, the run is made" }),
  ...commandFaults("locks", [FOLDER], ["lock-folder"], { leavesFiles: true }),
  ...commandFaults("locks", [STICKY], [], {
    expected: "a line that names the lock and how to be rid of it",
    leavesFiles: true,
    impossible: noRoot,
  }),
  ...ofGroup("locks", SECOND),
];
