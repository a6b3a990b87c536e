import { execFileSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BenchFault, Missed, saying } from "./fault.ts";
import { preloaded } from "./preloaded.ts";
import { fill, noDisk, onDisk } from "./small-disk.ts";
import { becomesWhole, commandOf, finishedRun, harmIn, linesIn, planOf, SOUND, SOUND_TOO } from "./small-runs.ts";
import { expectEnd, type Stage } from "./stage.ts";
import { runIn } from "./steps.ts";

const readOnly = (disk: string, how: "ro" | "rw") =>
  execFileSync("mount", ["-o", `remount,${how}`, disk], { stdio: "ignore" });

const MB = 1 << 20;
const two = () => planOf([SOUND, SOUND_TOO]);

interface Row {
  readonly name: string;
  readonly injected: string;
  readonly expected: string;
  readonly quick?: boolean;
  /** Gets a disk of a megabyte. */
  readonly work: (stage: Stage, disk: string) => Promise<void>;
}

const ROWS: readonly Row[] = [
  {
    name: "disk-full",
    injected: "a full disk for results",
    expected: "a line that names the folder",
    quick: true,
    async work(stage, disk) {
      fill(disk, MB, 0);
      await stage.expect(
        [...commandOf(stage, await two()), "--results", join(disk, "runs")],
        1,
        /cannot write.*disk.*ENOSPC/,
      );
    },
  },
  {
    name: "disk-fills",
    injected: "a disk for results that fills up between two steps",
    expected: "a line that says how to go on, which then works; no step lost",
    async work(stage, disk) {
      const running = stage.start([...commandOf(stage, await two()), "--results", disk]);
      const path = await stage.until("the first line", () => firstLine(disk));
      const before = linesIn(path);
      // A file that grows to whatever is left: writing fails at its end.
      const free = Number(execFileSync("stat", ["-f", "-c", "%a", disk])) *
        Number(execFileSync("stat", ["-f", "-c", "%S", disk]));
      writeFileSync(join(disk, "filler"), Buffer.alloc(free));
      const ended = await running.ended;
      rmSync(join(disk, "filler"));
      expectEnd(ended, 1, /cannot write.*ENOSPC[^]*--resume/, "bench run");
      await becomesWhole(stage, path, before, 2);
    },
  },
  {
    name: "journal-removed",
    injected: "the run's folder removed between two steps",
    expected: "a line that names the journal, no folder without one",
    async work(stage, disk) {
      const running = stage.start([...commandOf(stage, await two()), "--results", disk]);
      const path = await stage.until("the first line", () => firstLine(disk));
      rmSync(path, { recursive: true });
      expectEnd(await running.ended, 1, /journal\.ndjson" was removed/, "bench run");
      if (existsSync(path)) throw new Missed("it made the folder again, without its journal");
    },
  },
  {
    name: "disk-read-only",
    injected: "a read-only disk for results",
    expected: "a line that names the folder",
    async work(stage, disk) {
      readOnly(disk, "ro");
      await stage.expect(
        [...commandOf(stage, await two()), "--results", join(disk, "runs")],
        1,
        /cannot write results to .*EROFS/,
      );
    },
  },
  {
    name: "disk-read-only-report",
    injected: "a run on a read-only disk",
    expected: "shown, verified, and its page refused in a line",
    async work(stage, disk) {
      const path = finishedRun(stage);
      execFileSync("cp", ["-r", path, join(disk, "run")]);
      readOnly(disk, "ro");
      await stage.expect(["verify", join(disk, "run")], 0, /follow/);
      await stage.expect(["show", join(disk, "run")], 0, /sound/);
      await stage.expect(["report", join(disk, "run")], 1, /cannot write .*report\.html": EROFS/);
    },
  },
  {
    name: "disk-full-report",
    injected: "a full disk for a page",
    expected: "a line that names the file",
    async work(stage, disk) {
      fill(disk, MB, 0);
      await stage.expect(
        ["report", finishedRun(stage), "--output", join(disk, "page.html")],
        1,
        /cannot write .*page\.html": ENOSPC/,
      );
    },
  },
  {
    name: "disk-full-tmp",
    injected: "a full disk for temporary files",
    expected: "a line that names the lock",
    async work(stage, disk) {
      fill(disk, MB, 0);
      await stage.expect(commandOf(stage, await two()), 1, /cannot write the lock .*ENOSPC/, { env: { TMPDIR: disk } });
    },
  },
  {
    name: "disk-read-only-tmp",
    injected: "a read-only disk for temporary files",
    expected: "a line that names the lock",
    async work(stage, disk) {
      readOnly(disk, "ro");
      await stage.expect(commandOf(stage, await two()), 1, /cannot write the lock .*EROFS/, { env: { TMPDIR: disk } });
    },
  },
  {
    name: "disk-full-data",
    injected: "a full disk for data",
    expected: "a line that says so",
    async work(stage, disk) {
      fill(disk, MB, 0);
      await stage.expect(["data", "--data", join(disk, "data")], 1, /ENOSPC|no space/i);
    },
  },
  {
    name: "disk-read-only-data",
    injected: "a read-only disk for data",
    expected: "a line that names the folder, before anything is measured",
    async work(stage, disk) {
      readOnly(disk, "ro");
      const data = join(disk, "data");
      await stage.expect(["data", "--data", data], 1, /cannot write data to ".*\/data": EROFS/);
      await stage.expect(["run", "--quick", "--data", data], 1, /cannot write data to ".*\/data": EROFS/);
    },
  },
];

/** The run in a folder of runs, once its first line is there. */
function firstLine(results: string): string | undefined {
  const names = execFileSync("ls", [results], { encoding: "utf8" }).split("\n").filter((name) => /^\d/.test(name));
  return names.map((name) => join(results, name)).find((path) => linesIn(path).length > 0);
}

/** What goes to a full or a slow place outside any disk. */
const PIPES: readonly (readonly [name: string, args: readonly string[], shell: string, code: number, says: RegExp])[] =
  [
    ["stdout-full", ["list"], 'exec "$@" >/dev/full', 1, /cannot write to stdout: ENOSPC/],
    ["stdout-full-json", ["list", "--json"], 'exec "$@" >/dev/full', 1, /cannot write to stdout: ENOSPC/],
    ["stdout-slow", ["list", "--json"], '"$@" | (sleep 3; cat)', 0, /"suites"/],
    ["stderr-full", ["bogus"], 'exec "$@" 2>/dev/full', 2, /^/],
  ];

/** Each write that is to be on the disk takes so long, in milliseconds, as on a disk others keep busy. */
const SLOW_MS = 1_500;
const slow = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const soon = fs.fsyncSync;
fs.fsyncSync = (handle) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${SLOW_MS});
  soon(handle);
};
syncBuiltinESMExports();
`;

const SLOW: BenchFault = {
  kind: "bench",
  group: "disks",
  name: "disk-slow",
  injected: `a disk that takes ${SLOW_MS / 1_000} s for each line of the journal`,
  expected: "a run is made, without a mark, and verified",
  async inject(stage) {
    await stage.expect(commandOf(stage, await two()), [0, 3], /results in/, preloaded(stage, slow));
    const path = runIn(stage)!;
    for (const line of linesIn(path)) {
      const harm = harmIn(JSON.parse(line));
      if (harm !== undefined) throw new Missed(`it was marked ${harm.message}`);
    }
    await stage.expect(["verify", path], 0, /follow/);
  },
};

/** Disks that are full, read-only or slow. */
export const DISK_FAULTS: readonly BenchFault[] = [
  SLOW,
  ...ROWS.map(({ work, ...row }): BenchFault => ({
    kind: "bench",
    group: "disks",
    ...row,
    impossible: noDisk,
    inject: (stage) => onDisk(stage, MB, (disk) => work(stage, disk)),
  })),
  ...PIPES.map(([name, args, shell, code, says]): BenchFault => ({
    kind: "bench",
    group: "disks",
    name,
    injected: `bench ${args.join(" ")}: ${shell.replace('exec "$@" ', "").replace('"$@" ', "")}`,
    expected: saying(says),
    quick: name === "stdout-full",
    async inject(stage) {
      if (name !== "stderr-full") return void await stage.expect(args, code, says, { shell });
      const ended = await stage.bench(args, { shell });
      if (ended.code !== code) throw new Missed(`exit ${ended.code}, not ${code}`);
    },
  })),
];
