/** Agents that cannot write: their temporary files, or what servers need, have no room. */
import { join } from "node:path";
import { findProgram } from "../../bench/machine/programs.ts";
import type { Mark } from "../../bench/record/outcome-schema.ts";
import { type BenchFault, type FaultRow, Missed, OF_OTHERS, ofGroup, saysText } from "./fault.ts";
import { WITH_FILES } from "./faulty-suite.ts";
import { fillDisk, noDisk, onDisk } from "./small-disk.ts";
import { commandOf, linesIn, marksOf, planOf, SOUND } from "./small-runs.ts";
import type { Stage } from "./stage.ts";
import { runIn } from "./steps.ts";

const MB = 1 << 20;

/** Which side is on a host, what measures, and what the one cell has to be marked with. */
interface Marked {
  readonly side: "server" | "load";
  readonly generator?: string;
  readonly code: string;
  readonly says: RegExp;
}

/** A run of one server that is given files, with one side on a host: every mark of it, and nothing is left. */
async function marksOn(
  stage: Stage,
  host: string,
  side: "server" | "load",
  code: number | readonly number[],
  generator: string,
): Promise<Mark[]> {
  const plan = { ...await planOf([{ ...SOUND, behaviour: WITH_FILES }]), generator };
  await stage.expect([...commandOf(stage, plan), `--${side}-host`, host], code, /results in/, { limitMs: 180_000 });
  await stage.nothingLeft();
  await stage.expect(["verify", runIn(stage)!], 0, /follow/);
  return linesIn(runIn(stage)!).flatMap((line) => marksOf(JSON.parse(line)));
}

async function isMarked(stage: Stage, host: string, { side, generator = "wrk", code, says }: Marked): Promise<void> {
  const marks = await marksOn(stage, host, side, 3, generator);
  if (marks.some((mark) => mark.code === code && says.test(mark.text))) return;
  const given = marks.map((mark) => `${mark.code} (${mark.text})`).join("; ");
  throw new Missed(`its cell is marked ${given || "nothing"}`);
}

/** A disk with room for so many bytes, where a variable of a host leads. */
const onDiskOf = (
  variable: "TMPDIR" | "LEVELFIELD_DATA",
  leave: number,
  work: (stage: Stage, host: string) => Promise<void>,
) =>
(stage: Stage) =>
  onDisk(stage, MB, async (disk) => {
    fillDisk(disk, MB, leave);
    await work(stage, `env ${variable}=${variable === "TMPDIR" ? disk : join(disk, "data")}`);
  });

const NO_ROOM = /ENOSPC|no space/i;
/** Enough for what is built, and not for a copy of it. */
const ONCE = 100 * 1024;

const ROWS: readonly FaultRow[] = [
  {
    name: "agent-disk-full",
    injected: "a full disk for temporary files where the servers are",
    expected: "measured all the same: they need none",
    impossible: noDisk,
    inject: onDiskOf("TMPDIR", 0, async (stage, host) => {
      const harm = (await marksOn(stage, host, "server", [0, 3], "wrk")).find(({ code }) => !OF_OTHERS.includes(code));
      if (harm !== undefined) throw new Missed(`its cell is marked ${harm.text}`);
    }),
  },
  {
    name: "agent-disk-full-lock",
    injected: "a full disk for temporary files on another machine, where an agent takes that for itself",
    expected: saysText(/cannot write the lock .*ENOSPC/),
    impossible: () => noDisk() ?? (findProgram("unshare") === undefined ? "unshare is not installed" : null),
    inject: onDiskOf("TMPDIR", 0, async (stage, host) => {
      const args = [...commandOf(stage, await planOf([SOUND])), "--server-host", `unshare --net ${host}`];
      await stage.expect(args, 1, /cannot write the lock .*ENOSPC/);
    }),
  },
  {
    name: "agent-disk-full-load",
    injected: "a full disk for temporary files where the load generator is, which writes some",
    expected: "its cell marked generator-failed; nothing left",
    impossible: () => noDisk() ?? (findProgram("h2load") === undefined ? "h2load is not installed" : null),
    inject: onDiskOf(
      "TMPDIR",
      0,
      (stage, host) =>
        isMarked(stage, host, { side: "load", generator: "h2load", code: "generator-failed", says: /h2load/ }),
    ),
  },
  {
    name: "agent-disk-full-data",
    injected: "a full disk where an agent builds what servers need",
    expected: "its cell marked files-failed, with why; nothing left",
    impossible: noDisk,
    inject: onDiskOf(
      "LEVELFIELD_DATA",
      0,
      (stage, host) => isMarked(stage, host, { side: "server", code: "files-failed", says: NO_ROOM }),
    ),
  },
  {
    name: "agent-disk-full-copy",
    injected: "a disk with room for what servers need, and not for the copy each gets",
    expected: "its cell marked server-failed-to-start, with why; nothing left",
    impossible: noDisk,
    inject: onDiskOf(
      "LEVELFIELD_DATA",
      ONCE,
      (stage, host) => isMarked(stage, host, { side: "server", code: "server-failed-to-start", says: NO_ROOM }),
    ),
  },
  {
    name: "agent-file-limit",
    injected: "an agent under which nothing can be written",
    expected: "its cell marked files-failed; nothing left",
    inject: (stage) =>
      isMarked(stage, `sh -c 'ulimit -f 0; exec "$@"' sh`, { side: "server", code: "files-failed", says: /./ }),
  },
];

/** Agents without room to write. */
export const HOST_DISK_FAULTS: readonly BenchFault[] = ofGroup("hosts", ROWS);
