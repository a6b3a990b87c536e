/** Disks that are full, read-only or slow. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandFaults, type CommandRow } from "./command-faults.ts";
import { type BenchFault, Missed } from "./fault.ts";
import { withPreload } from "./preloaded.ts";
import { fillDisk, noDisk, onDisk } from "./small-disk.ts";
import { becomesWhole, commandOf, finishedRun, harmIn, linesIn, planOf, SOUND, SOUND_TOO } from "./small-runs.ts";
import { expectEnd, type Stage } from "./stage.ts";
import { runIn } from "./steps.ts";

const common = { kind: "bench", group: "disks" } as const;
const MB = 1 << 20;
const two = async (stage: Stage) => commandOf(stage, await planOf([SOUND, SOUND_TOO]));
const twoTo = async (stage: Stage, results: string) => [...await two(stage), "--results", results];

const full = (disk: string) => void fillDisk(disk, MB, 0);
const readOnly = (disk: string) => void execFileSync("mount", ["-o", "remount,ro", disk], { stdio: "ignore" });

type OnDisk<T> = (stage: Stage, disk: string) => T;

/** The uses of a disk: a command that writes there, and the name that its line has to have. */
const USES: Readonly<Record<string, readonly [names: string, command: OnDisk<readonly string[] | Promise<string[]>>]>> =
  {
    results: ["names the folder", (stage, disk) => twoTo(stage, join(disk, "runs"))],
    "a page": ["names the file", (stage, disk) => ["report", finishedRun(stage), "--output", join(disk, "page.html")]],
    "temporary files": ["names the lock", two],
    data: ["says so", (_, disk) => ["run", "--prepare", "--data", join(disk, "data")]],
  };

/** Commands that have to end with exit 1 and a line. */
const REFUSED: readonly (readonly [name: string, state: (disk: string) => void, use: string, says: RegExp])[] = [
  ["disk-full", full, "results", /cannot write.*disk.*ENOSPC/],
  ["disk-read-only", readOnly, "results", /cannot write results to .*EROFS/],
  ["disk-full-report", full, "a page", /cannot write .*page\.html": ENOSPC/],
  ["disk-full-tmp", full, "temporary files", /cannot write the lock .*ENOSPC/],
  ["disk-read-only-tmp", readOnly, "temporary files", /cannot write the lock .*EROFS/],
  ["disk-full-data", full, "data", /ENOSPC|no space/i],
];

const refused = REFUSED.map(([name, state, use, says]): BenchFault => ({
  ...common,
  name,
  injected: `a ${state === full ? "full" : "read-only"} disk for ${use}`,
  expected: `a line that ${USES[use]![0]}`,
  quick: name === "disk-full",
  impossible: noDisk,
  inject: (stage) =>
    onDisk(stage, MB, async (disk) => {
      state(disk);
      const wish = use === "temporary files" ? { env: { TMPDIR: disk } } : {};
      await stage.expect(await USES[use]![1](stage, disk), 1, says, wish);
    }),
}));

/** The run in a folder of runs, once its first line is there. */
const firstLine = (results: string) =>
  readdirSync(results).filter((name) => /^\d/.test(name)).map((name) => join(results, name))
    .find((path) => linesIn(path).length > 0);

const OTHERS: readonly (readonly [
  name: string,
  injected: string,
  expected: string,
  work: OnDisk<Promise<void>>,
])[] = [
  [
    "disk-fills",
    "a disk for results that fills up between two steps",
    "a line that says how to go on, which then works; no step lost",
    async (stage, disk) => {
      const running = stage.start(await twoTo(stage, disk));
      const path = await stage.until("the first line", () => firstLine(disk));
      const before = linesIn(path);
      // A file that grows to whatever is left: writing fails at its end.
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(join(disk, "filler"), Buffer.alloc(bavail * bsize));
      const ended = await running.ended;
      rmSync(join(disk, "filler"));
      expectEnd(ended, 1, /cannot write.*ENOSPC[^]*--resume/, "bench run");
      await becomesWhole(stage, path, before, 2);
    },
  ],
  [
    "journal-removed",
    "the run's folder removed between two steps",
    "a line that names the journal, no folder without one",
    async (stage, disk) => {
      const running = stage.start(await twoTo(stage, disk));
      const path = await stage.until("the first line", () => firstLine(disk));
      rmSync(path, { recursive: true });
      expectEnd(await running.ended, 1, /journal\.ndjson" was removed/, "bench run");
      if (existsSync(path)) throw new Missed("it made the folder again, without its journal");
    },
  ],
  [
    "disk-read-only-report",
    "a run on a read-only disk",
    "shown, verified, and its page refused in a line",
    async (stage, disk) => {
      const path = finishedRun(stage, "run", disk);
      readOnly(disk);
      await stage.expect(["verify", path], 0, /follow/);
      await stage.expect(["show", path], 0, /sound/);
      await stage.expect(["report", path], 1, /cannot write .*report\.html": EROFS/);
    },
  ],
  [
    "disk-read-only-data",
    "a read-only disk for data",
    "a line that names the folder, before anything is measured",
    async (stage, disk) => {
      readOnly(disk);
      const data = join(disk, "data");
      for (const command of [["run", "--prepare"], ["run", "--quick"]]) {
        await stage.expect([...command, "--data", data], 1, /cannot write data to ".*\/data": EROFS/);
      }
    },
  ],
];

/** Commands that write to a full or slow place outside any disk. */
const PIPES: readonly CommandRow[] = [
  ["stdout-full", "bench list: >/dev/full", 1, /cannot write to stdout: ENOSPC/, "list", toFull],
  ["stdout-full-json", "bench list --json: >/dev/full", 1, /cannot write to stdout: ENOSPC/, "list --json", toFull],
  ["stdout-slow", "bench list --json: | (sleep 3; cat)", 0, /"suites"/, "list --json", () => ({
    shell: '"$@" | (sleep 3; cat)',
  })],
];
function toFull() {
  return { shell: 'exec "$@" >/dev/full' };
}

const STDERR_FULL: BenchFault = {
  ...common,
  name: "stderr-full",
  injected: "bench bogus: 2>/dev/full",
  expected: "exit 2",
  async inject(stage) {
    const { code } = await stage.bench(["bogus"], { shell: 'exec "$@" 2>/dev/full' });
    if (code !== 2) throw new Missed(`exit ${code}, not 2`);
  },
};

/** The delay of each write to the disk in milliseconds, as on a busy one. */
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
  ...common,
  name: "disk-slow",
  injected: `a disk that takes ${SLOW_MS / 1_000} s for each line of the journal`,
  expected: "a run is made, without a mark, and verified",
  async inject(stage) {
    await stage.expect(await two(stage), [0, 3], /results in/, withPreload(stage, slow));
    const path = runIn(stage)!;
    for (const line of linesIn(path)) {
      const harm = harmIn(JSON.parse(line));
      if (harm !== undefined) throw new Missed(`it was marked ${harm.text}`);
    }
    await stage.expect(["verify", path], 0, /follow/);
  },
};

/** Disks that are full, read-only or slow. */
export const DISK_FAULTS: readonly BenchFault[] = [
  SLOW,
  ...refused,
  ...OTHERS.map(([name, injected, expected, work]): BenchFault => ({
    ...common,
    name,
    injected,
    expected,
    impossible: noDisk,
    inject: (stage) => onDisk(stage, MB, (disk) => work(stage, disk)),
  })),
  ...commandFaults("disks", PIPES, ["stdout-full"]),
  STDERR_FULL,
];
