import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT } from "../bench/basics/errors.ts";
import { counted, formatBytes } from "../bench/basics/units.ts";
import { sizeOfAll } from "../bench/host/process-size.ts";
import { thisCpuKind } from "../bench/host/this-cpu-kind.ts";
import { referenceRuns, writeBoardRun } from "./board-runs.ts";
import type { Measurement } from "../bench/self/measurements.ts";
import type { SelfSite } from "../bench/self/self-site.ts";
import { measured } from "./measured.ts";
import { startBench } from "./start-bench.ts";

/** Runs of the smaller and of the larger board: memory must not grow with them. */
const [FEW, MANY] = [250, 1_000];

/** What a board of {@link MANY} may take, and how large its largest page may be. */
const [MOST_MS, MOST_PAGE_BYTES] = [60_000, 1_500_000];

const LOOK_MS = 100;

/** How a board was made. */
interface Made {
  readonly ms: number;
  /** The most memory it was seen to have, with all it started; null where the system does not tell. */
  readonly bytes: number | null;
  readonly largestPage: number;
  readonly shown: number;
  /** Why it was not made; null where it was. */
  readonly failed: string | null;
}

/**
 * Makes boards of many runs with `bench board`: its time, its memory, its largest page, and whether just the runs that hold
 * are shown. The runs are this project's references, changed as if other machines had made them.
 */
export async function measureBoard(site: SelfSite): Promise<Measurement[]> {
  const references = referenceRuns();
  if (references.length === 0) {
    return [measured("board")("boards made", null, null, "there is no reference run here")];
  }
  const folder = mkdtempSync(join(tmpdir(), "levelfield-self-board-"));
  try {
    const made: Made[] = [];
    let holding = 0, written = 0;
    for (const count of [FEW, MANY]) {
      for (; written < count && !site.interrupts.stopped(); written++) {
        if (written % 50 === 0) site.say(`board: ${counted(written, "run")} of ${MANY} written`);
        // By machine and month, as somebody would sort them.
        const inside = join(folder, "runs", String(written % 7), String(written % 3));
        mkdirSync(inside, { recursive: true });
        if (writeBoardRun(inside, references, written)) holding++;
        if (written % 50 === 0) await new Promise((resolve) => setTimeout(resolve));
      }
      if (site.interrupts.stopped()) return [];
      site.say(`board: of ${counted(count, "run")}`);
      made.push(await makeBoard(site, folder));
      if (made.at(-1)!.failed !== null) break;
    }
    return measurementsOf(made, holding);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeBoard(site: SelfSite, folder: string): Promise<Made> {
  const started = performance.now();
  const child = startBench(site, folder, ["board", join(folder, "runs"), "--out", join(folder, "board"), "--json"]);
  let bytes: number | null = null;
  const look = setInterval(() => bytes = Math.max(bytes ?? 0, sizeOfAll(child.pid)?.bytes ?? 0), LOOK_MS);
  const ending = await child.ended;
  clearInterval(look);
  const ms = performance.now() - started;
  const failed = { ms, bytes, largestPage: 0, shown: 0 };
  // What is damaged is told by this code.
  if (!("code" in ending) || (ending.code !== EXIT.invalid && ending.code !== EXIT.done)) {
    return { ...failed, failed: child.stderrTail().split("\n").at(-1) || "it did not end by itself" };
  }
  const { runs, largest_page_bytes: largestPage } = JSON.parse(child.stdout());
  return { ms, bytes, largestPage, shown: runs, failed: null };
}

function measurementsOf(made: readonly Made[], holding: number): Measurement[] {
  const [few, many] = made;
  const failed = made.find((each) => each.failed !== null)?.failed;
  const of = (name: string, ratio: number | null, goal: Measurement["goal"], note: string) =>
    measured("board")(name, failed === undefined ? ratio : null, goal, failed ?? note);
  if (few === undefined || many === undefined) return [of("boards made", null, null, "")];
  const memory = few.bytes === null || many.bytes === null ? null : many.bytes / few.bytes;
  const told = (bytes: number | null) => bytes === null ? "?" : formatBytes(bytes);
  return [
    of(
      `time for a board of ${MANY} runs, of 60 s`,
      many.ms / MOST_MS,
      { most: 1 },
      `${(many.ms / 1_000).toFixed(1)} s on ${thisCpuKind()}; ${FEW} in ${(few.ms / 1_000).toFixed(1)} s`,
    ),
    of(
      "its largest page, of 1.5 MB",
      many.largestPage / MOST_PAGE_BYTES,
      { most: 1 },
      `${(many.largestPage / 1e6).toFixed(2)} MB; of ${FEW} ${(few.largestPage / 1e6).toFixed(2)} MB`,
    ),
    of(
      `memory for ${MANY} runs over that for ${FEW}`,
      memory,
      { most: 2 },
      `${told(many.bytes)} and ${told(few.bytes)}, with all threads`,
    ),
    of("runs shown of those that hold", many.shown / holding, { least: 1, most: 1 }, `${many.shown} of ${holding}`),
  ];
}
