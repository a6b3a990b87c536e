/** Runs that ask for something: each kind at each place it can stand. */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readRun } from "../../bench/runs/read-run.ts";
import { sealRun } from "../../bench/runs/seal.ts";
import type { Observation } from "../../bench/record/observation-record.ts";
import type { RunRecord } from "../../bench/record/run-record.ts";
import { writeSealedRun } from "../write-run.ts";
import { type Baits, putBaits } from "./baits.ts";
import { namedByRuns } from "./named-by-runs.ts";
import { HOSTILE_TEXTS, ODD_NUMBERS, OF_ALL_OBJECTS } from "./odd-values.ts";
import { SPECIAL_FILES } from "./special-files.ts";

/** A run that holds: what each hostile one was. */
interface SoundRun {
  readonly run: RunRecord;
  readonly lines: readonly Observation[];
}

/** One hostile run, written into a folder that is made. */
interface HostileRun {
  readonly name: string;
  readonly write: (folder: string) => void;
}

/** A record as JSON, in which anything may be changed. */
// deno-lint-ignore no-explicit-any
type Loose = any;

const cards = (folder: string) =>
  readdirSync(join(folder, "cells")).flatMap((suite) =>
    readdirSync(join(folder, "cells", suite)).map((card) => join("cells", suite, card))
  );
/** Where something that is no file may stand. */
const PLACES: Readonly<Record<string, (folder: string) => string>> = {
  "run.json": () => "run.json",
  journal: () => "journal.ndjson",
  summary: () => "summary.json",
  seal: () => "SHA256SUMS",
  cells: () => "cells",
  suite: (folder) => join(cards(folder)[0]!, ".."),
  card: (folder) => cards(folder)[0]!,
  report: () => "report.html",
};
/** Where a hostile text may stand. */
const TEXTS: Readonly<Record<string, (run: Loose, lines: Loose[], text: string) => void>> = {
  "the run": (run, _, text) => run.run = text,
  "all values": ({ plan: { axes } }, _, text) =>
    axes.forEach((axis: Loose) =>
      axis.values.forEach((value: Loose, n: number) => value.text = `${n}${text}`.slice(0, 1_000))
    ),
  "its suite": ({ plan: { suite } }, _, text) => suite.title = suite.name = text.slice(0, 1_000),
  "its machine": ({ machine }, _, text) => machine.cpu_model = machine.os = text,
};

/** Every hostile run there is of a sound one. */
export function hostileRuns({ run, lines }: SoundRun, baits: Baits): HostileRun[] {
  const sound = (folder: string) => writeSealedRun(folder, { run, lines });
  /** Written as JSON and sealed, whatever it says then; published anew from it where it can be. */
  const changed = (name: string, change: (run: Loose, lines: Loose[]) => void): HostileRun => ({
    name,
    write(folder) {
      const copy = structuredClone(run) as Loose, copied = structuredClone(lines) as Loose[];
      change(copy, copied);
      sound(folder);
      writeFileSync(join(folder, "run.json"), JSON.stringify(copy));
      writeFileSync(join(folder, "journal.ndjson"), copied.map((line) => JSON.stringify(line) + "\n").join(""));
      try {
        writeSealedRun(folder, readRun(folder));
      } catch {
        sealRun(folder);
      }
    },
  });
  const inFiles = (name: string, change: (folder: string) => void): HostileRun => ({
    name,
    write: (folder) => (sound(folder), change(folder)),
  });
  return [
    ...Object.entries(namedByRuns(baits)).map(([name, change]) => changed(`names ${name}`, change)),
    ...Object.entries(SPECIAL_FILES).flatMap(([kind, put]) =>
      Object.entries(PLACES).map(([place, at]) =>
        inFiles(`${kind} for ${place}`, (folder) => {
          const file = join(folder, at(folder));
          if (place === "report") cpSync(join(folder, "run.json"), file);
          put(file, baits.secret);
        })
      )
    ),
    ...Object.entries(TEXTS).flatMap(([place, put]) =>
      HOSTILE_TEXTS.map((text, n) => changed(`text ${n} in ${place}`, (record, journal) => put(record, journal, text)))
    ),
    ...ODD_NUMBERS.flatMap((number, n) => [
      changed(`number ${n} as counts of the plan`, ({ plan }) => Object.assign(plan, { rounds: number, seed: number })),
      changed(`number ${n} as counts of a line`, (_, [line]) => line.load.requests = line.index = number),
    ]),
    ...OF_ALL_OBJECTS.flatMap((key) => [
      changed(`key ${key} in the run`, (record) => Object.defineProperty(record, key, { value: {}, enumerable: true })),
      changed(`axis ${key}`, ({ plan: { axes, cells } }) => {
        const [{ name }] = axes;
        axes[0].name = key;
        for (const { point: { at } } of cells) Object.defineProperty(at, key, { value: at[name], enumerable: true });
      }),
    ]),
    inFiles(
      "deep lines",
      (folder) => writeFileSync(join(folder, "journal.ndjson"), `${"[".repeat(1e5)}${"]".repeat(1e5)}\n`),
    ),
    inFiles(
      "deep run",
      (folder) => writeFileSync(join(folder, "run.json"), `${'{"a":'.repeat(1e5)}1${"}".repeat(1e5)}`),
    ),
    inFiles("fields twice", (folder) => {
      const file = join(folder, "run.json");
      writeFileSync(file, readFileSync(file, "utf8").replace("{", '{"schema":"levelfield.run/1","plan":{},'));
    }),
    changed("lines twice", (_, journal) => journal.push(...structuredClone(journal))),
    changed("cells twice", ({ plan }) => plan.cells.push(...plan.cells)),
    changed(
      "a cell 60 000 times",
      ({ plan }) => plan.solo = Array.from({ length: 60_000 }, () => ({ cell: 0, rounds: 1_000 })),
    ),
    inFiles("configs beside", (folder) => putBaits(folder, baits)),
  ];
}
