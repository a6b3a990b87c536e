import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import {
  kept,
  leanComparisons,
  machineOf,
  ratesOf,
  type ReadBoardRun,
  type Refused,
  suiteIdentity,
} from "../result/board/board-run.ts";
import { comparisonsOf } from "../result/across-machines.ts";
import type { CellCard } from "../record/card.ts";
import { linkSeen } from "../result/link-seen.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { type FoundRun, PACKED } from "../host/find-runs.ts";
import { type Pack, packed, packOf, readPack, unpackTo } from "../host/pack-run.ts";
import { remadeRun } from "../host/remade-run.ts";
import { faultText, readVerified } from "../host/verify-run.ts";
import { boardRunPage } from "../report/board/run-page.ts";
import { cellCount, tookText } from "../report/listed-run.ts";

/** One thing to be read, and where to. */
export interface ReadWish {
  readonly found: FoundRun;
  /** What it is called on the board: where it was found. */
  readonly name: string;
  /** Folder of the board; page and file of the run are written into it. */
  readonly out: string;
  /** A folder of its own for what is unpacked, made and removed here. */
  readonly scratch: string;
}

/** What was read. */
export type Entry = ReadBoardRun | Refused;

/** Where the page and the file of a run stand on the board. */
export const filesOfRun = (id: string): readonly [page: string, packed: string] => [
  `run/${id}.html`,
  `packed/${id}${PACKED}`,
];

/**
 * Reads one run, recomputes all it publishes, and writes its page and its packed file. It does not throw: whatever keeps a
 * run from being shown is its fault, in one line.
 */
export function readEntry({ found, name, out, scratch }: ReadWish): Entry {
  const refused = (fault: string): Refused => ({ found: name, fault: kept(fault.split("\n")[0]!) });
  let folder = found.path;
  try {
    if (found.kind === "packed") {
      const pack = readPack(found.path);
      mkdirSync(scratch, { recursive: true });
      folder = join(scratch, pack.name);
      unpackTo(folder, pack);
    }
    const { faults, stored, published } = readVerified(folder);
    const [first] = faults;
    if (first !== undefined || stored === null) return refused(first ?? "it cannot be read");
    const { run } = stored;
    const summary = published.get("summary.json") as Summary;
    const cells = cardsInOrder(published, summary);
    const pack = remadeRun(packOf(folder));
    const seal = sealOf(pack);
    const entry = entryOf({ run, summary, cells, seal, name });
    const [page, file] = filesOfRun(entry.run.id);
    const link = linkSeen(stored.lines);
    writeFileSync(join(out, page), boardRunPage({ run, summary, cells, link, id: entry.run.id, file: basename(file) }));
    writeFileSync(join(out, file), packed(pack));
    return entry;
  } catch (error) {
    return refused(faultText(error).replaceAll(`${folder}/`, "").replaceAll(found.path, basename(found.path)));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Cards in the order of the plan, as a run's own page has them; of points that cannot be they come last. */
function cardsInOrder(published: ReadonlyMap<string, unknown>, summary: Summary): CellCard[] {
  const place = new Map(summary.cells.map(({ name }, n) => [name, n]));
  const placeOf = ({ name }: CellCard) => place.get(name) ?? place.size;
  const cards = [...published].filter(([file]) => file !== "summary.json").map(([, card]) => card as CellCard);
  return cards.sort((a, b) => placeOf(a) - placeOf(b));
}

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");

/** The lines of a run's seal; the order they stand in says nothing. */
function sealOf({ files }: Pack): { readonly id: string; readonly journal: string } {
  const lines = files["SHA256SUMS"]!.split("\n").filter((line) => line !== "").sort();
  const journal = lines.find((line) => line.endsWith("  journal.ndjson"))!.slice(0, 64);
  return { id: sha256([...new Set(lines)].join("\n")).slice(0, 32), journal };
}

/** What a board keeps of a run and its seal. */
export function entryOf({ run, summary, cells, seal, name }: {
  readonly run: RunRecord;
  readonly summary: Summary;
  readonly cells: readonly CellCard[];
  readonly seal: { readonly id: string; readonly journal: string };
  readonly name: string;
}): ReadBoardRun {
  const tools = [...run.runtimes, run.generator].map(({ name, version }) => `${name} ${version}`);
  return {
    run: {
      id: seal.id,
      journal_sha256: seal.journal,
      found: name,
      run: kept(run.run),
      suite: {
        key: sha256(suiteIdentity(run)).slice(0, 12),
        name: kept(run.plan.suite.name),
        title: kept(run.plan.suite.title),
      },
      machine: machineOf(run),
      started_at: run.started_at,
      state: run.state,
      grade: run.grade.grade,
      marks: summary.marks.map(({ text }) => kept(text)),
      answer: kept(tookText(summary)),
      cells: cellCount(run),
      rounds: run.plan.rounds,
      tools: [...new Set(tools)].sort().slice(0, 12).map(kept),
      version: kept(run.levelfield.version),
    },
    comparisons: leanComparisons(comparisonsOf({ run, summary })),
    rates: ratesOf(cells),
  };
}
