import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../../bench/basics/units.ts";
import { findProgram } from "../../bench/host/child.ts";
import { type BenchFault, Missed, saying } from "./fault.ts";
import { commandOf, FAULTY_SUITE, finishedRun, linesIn, planOf, SOUND, SOUND_TOO } from "./small-runs.ts";
import { expectEnd, type Stage } from "./stage.ts";

const lockOf = (stage: Stage) => join(stage.tmp, "levelfield.lock");
const small = () => planOf([SOUND]);

/** Locks somebody left, which are taken over. */
const LEFT: readonly (readonly [name: string, injected: string, leave: (lock: string) => void])[] = [
  ["lock-dead", "of a process that has ended", (lock) => writeFileSync(lock, `${spawnSync("true").pid}\n`)],
  ["lock-reused", "of a process id some other program has now", (lock) => writeFileSync(lock, "1 999999999999\n")],
  ["lock-empty", "that is empty", (lock) => writeFileSync(lock, "")],
  ["lock-garbled", "that holds no number", (lock) => writeFileSync(lock, "\u0000\u0001\ufffd none\n")],
  ["lock-huge", "of a number no process has", (lock) => writeFileSync(lock, "99999999999999999999\n")],
  ["lock-loop", "that is a link to itself", (lock) => symlinkSync(lock, lock)],
  ["lock-pipe", "that is a pipe nobody writes to", (lock) => execFileSync("mkfifo", [lock])],
  ["lock-nowhere", "that is a link to nowhere", (lock) => symlinkSync(join(lock, "..", "nowhere", "at", "all"), lock)],
];

/** Locks that cannot be taken. */
const HELD: readonly (readonly [name: string, injected: string, leave: (lock: string) => void, says: RegExp])[] = [
  ["lock-folder", "that is a folder", (lock) => mkdirSync(lock), /the lock ".*levelfield\.lock" .*(folder|EISDIR)/],
];

const left: BenchFault[] = LEFT.map(([name, injected, leave]) => ({
  kind: "bench",
  group: "locks",
  name,
  injected: `a lock ${injected}`,
  expected: "it is taken over, the run is made",
  async inject(stage) {
    leave(lockOf(stage));
    await stage.expect(commandOf(stage, await small()), [0, 3], /results in/);
  },
}));

const held: BenchFault[] = HELD.map(([name, injected, leave, says]) => ({
  kind: "bench",
  group: "locks",
  name,
  injected: `a lock ${injected}`,
  expected: saying(says),
  quick: name === "lock-folder",
  leavesFiles: true,
  async inject(stage) {
    leave(lockOf(stage));
    await stage.expect(commandOf(stage, await small()), 1, says);
  },
}));

const SECOND: readonly BenchFault[] = [
  {
    kind: "bench",
    group: "locks",
    name: "lock-sticky",
    injected: "a lock another user left in a folder where only owners may remove",
    expected: "a line that names the lock and how to be rid of it",
    leavesFiles: true,
    impossible: () =>
      process.getuid?.() !== 0
        ? "becoming another user needs root"
        : findProgram("setpriv") === undefined
        ? "setpriv is not installed"
        : null,
    async inject(stage) {
      writeFileSync(lockOf(stage), "");
      for (const folder of [stage.folder, stage.tmp]) chmodSync(folder, 0o1777);
      const shell = 'exec setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"';
      await stage.expect(commandOf(stage, await small()), 1, /the lock ".*levelfield\.lock"/, { shell });
    },
  },
  {
    kind: "bench",
    group: "locks",
    name: "two-benches",
    injected: "a second bench while one measures",
    expected: "the second names the first one's process; the first goes on",
    async inject(stage) {
      const command = commandOf(stage, await small());
      const first = stage.start(command);
      await stage.until(
        "the first one's server",
        () => stage.processes().some(({ command }) => command.includes("faulty-app.ts")),
      );
      await stage.expect(command, 1, new RegExp(`another run is measuring .* process ${first.pid}$`, "m"));
      expectEnd(await first.ended, [0, 3], /results in/, "the first run");
    },
  },
  {
    kind: "bench",
    group: "locks",
    name: "two-benches-one-folder",
    injected: "two benches in one second with one folder of results and locks of their own",
    expected: "a run each, both whole",
    async inject(stage) {
      const command = commandOf(stage, await planOf([SOUND, SOUND_TOO]));
      const other = join(stage.tmp, "other");
      mkdirSync(other);
      const both = [stage.start(command), stage.start(command, { env: { TMPDIR: other } })];
      for (const running of both) expectEnd(await running.ended, [0, 3], /results in/, "a run");
      execFileSync("rmdir", [other]);
      const runs = readdirSync(stage.results);
      if (runs.length !== 2) throw new Missed(`${counted(runs.length, "run")} in the folder: ${runs.join(", ")}`);
      for (const run of runs) {
        stage.lost += 2 - linesIn(join(stage.results, run)).length;
        await stage.expect(["verify", run], 0, /follow/);
      }
    },
  },
  {
    kind: "bench",
    group: "locks",
    name: "two-benches-at-once",
    injected: "four benches that find one stale lock at once",
    expected: "one measures, three are refused",
    async inject(stage) {
      writeFileSync(lockOf(stage), `${spawnSync("true").pid}\n`);
      const command = commandOf(stage, await small());
      const ended = await Promise.all([1, 2, 3, 4].map(() => stage.bench(command)));
      const refused = ended.filter(({ code, stderr }) => code === 1 && /another run is measuring/.test(stderr));
      if (refused.length !== 3) throw new Missed(`they ended with ${ended.map(({ code }) => code).join(", ")}`);
    },
  },
  {
    kind: "bench",
    group: "locks",
    name: "port-of-others",
    injected: "a port somebody listens on, for bench serve",
    expected: "a line that names it",
    async inject(stage) {
      const first = stage.start(["report", finishedRun(stage), "--serve", "--port", "0"]);
      const port = await stage.until("a port", () => /127\.0\.0\.1:(\d+)/.exec(first.stderr() + first.stdout())?.[1]);
      await stage.expect(
        ["serve", FAULTY_SUITE, "--port", port],
        1,
        new RegExp(`${port}.*(taken|in use|EADDRINUSE)|EADDRINUSE`),
      );
      await stage.expect(["report", finishedRun(stage), "--serve", "--port", port], 1, new RegExp(`${port}`));
      process.kill(first.pid, "SIGINT");
      expectEnd(await first.ended, [0, 130], /^/, "bench report --serve");
    },
  },
];

/** Locks of others, two drivers, ports of others. */
export const LOCK_FAULTS: readonly BenchFault[] = [...left, ...held, ...SECOND];
