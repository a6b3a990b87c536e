/** The pages of a board but for those of single runs. */
import { fnv1aOf, hexOf } from "../../basics/fnv.ts";
import { type BoardRun, kept, type Refused } from "../../result/board/board-run.ts";
import type { Tallied, TalliedComparison, TalliedMachine, TalliedSuite } from "../../result/board/tally.ts";
import { machineKey } from "../../result/across-machines.ts";
import { counted, formatRate } from "../../basics/units.ts";
import { cpuText } from "../cpu-text.ts";
import { type Html, markup } from "../page/html.ts";
import { factTable, type Field, titledSection } from "../page/table-html.ts";
import { comparisonText, heldField, machineFactsText, ratiosText, RUN_HEADS, runFields } from "./board-texts.ts";
import { winnerRows } from "./winner-rows.ts";
import { type PagedSection, pagedTables } from "./paged.ts";

/** All of a board. */
export interface Board {
  readonly tallied: Tallied;
  /** Runs that are shown. */
  readonly runs: number;
  /** What is not, in the order it was found. */
  readonly refused: readonly Refused[];
  /** Copies of runs that are shown: the same seal. */
  readonly copies: number;
}

/** A page or a part of one. */
export interface BoardFile {
  readonly file: string;
  readonly text: string;
}

/** `machine-intel-6-207-1a2b3c4d`: file of a machine's page without its end. */
export const machineFile = ({ kind, model, load }: Pick<TalliedMachine, "kind" | "model" | "load">): string =>
  `machine-${kind.slice(0, 60)}-${shortHash(machineKey({ cpu_kind: kind, cpu_model: model, load }))}`;

/** The same of a suite. */
export const suiteFile = ({ suite }: Pick<TalliedSuite, "suite">): string =>
  `suite-${
    suite.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 40) || "other"
  }-${suite.key}`;

/** 64 bits of two hashes. */
const shortHash = (text: string) => hexOf(fnv1aOf(text)) + hexOf(fnv1aOf(text, 0x050c5d1f));

/** Every page but those of runs, one after the other: none is kept once it was taken. */
export function* boardPages(board: Board): Generator<BoardFile> {
  yield* indexPages(board);
  for (const suite of board.tallied.suites) yield* suitePages(suite, board.tallied.machines);
  for (const machine of board.tallied.machines) yield* machinePages(machine);
  yield* runPages(board);
  yield* refusedPages(board);
}

/** `1 000 runs of 8 suites from 40 machines`. */
export function boardSentence({ tallied: { machines, suites }, runs, refused, copies }: Board): string {
  const told = `${counted(runs, "run")} of ${counted(suites.length, "suite")} from ${
    counted(machines.length, "machine")
  }`;
  const rest = [
    ...(refused.length === 0 ? [] : [`${refused.length} not shown`]),
    ...(copies === 0 ? [] : [counted(copies, "copy", "copies")]),
  ];
  return [told, ...rest].join("; ");
}

const suiteLink = (suite: TalliedSuite): Html =>
  markup`<a href="${`${suiteFile(suite)}.html`}">${suite.suite.name}</a>`;

function* indexPages(board: Board): Generator<BoardFile> {
  const { tallied: { machines, suites }, refused } = board;
  const suiteRows = function* (): Generator<Field[]> {
    for (const suite of suites) {
      const of = suite.comparisons.filter(({ kinds }) => kinds > 1);
      const count = (outcome: string) => of.filter(({ comparison }) => comparison.outcome === outcome).length;
      yield [
        suiteLink(suite),
        String(suite.runs),
        String(suite.machines),
        of.length === 0 ? "–" : `${count("holds")} of ${of.length}`,
        of.length === 0 ? "–" : String(count("turns")),
        String(suite.comparisons.length - of.length),
      ];
    }
  };
  const machineRows = function* (): Generator<Field[]> {
    for (const machine of machines.toSorted((a, b) => b.runs.length - a.runs.length)) {
      yield [
        markup`<a href="${`${machineFile(machine)}.html`}">${machine.name}</a>`,
        modelText(machine),
        machine.facts.length === 1
          ? machineFactsText(machine.facts[0]!.machine)
          : `${machine.facts.length} kinds of it`,
        String(machine.runs.length),
        machine.runs[0]!.started_at.slice(0, 10),
      ];
    }
  };
  yield* pagedTables(
    "index",
    { heading: "board", name: "", lead: `${boardSentence(board)}.` },
    [
      {
        id: "winners",
        title: "Who wins where",
        hint:
          "Proven on at least one machine, what most machines found first. A value may win at one place and lose at another.",
        heads: ["suite", "faster", "by", "at places", "found by machines"],
        rows: suites.flatMap((suite) => winnerRows(suite, suiteLink(suite))),
        empty: "No machine decided anything.",
      },
      {
        id: "suites",
        title: "Verdicts, by suite",
        hint: "A verdict holds where every kind of CPU that made the comparison decided it the same way.",
        heads: ["suite", "runs", "machines", "hold", "turn", "on one kind only"],
        rows: suiteRows(),
        empty: "There is no run to show.",
      },
      {
        id: "machines",
        title: "Machines",
        hint:
          "A machine is a kind and model of CPU, and of both where servers were loaded from another machine. Rates stand on its own page: they are never compared between machines.",
        heads: ["machine", "model", "the rest of it", "runs", "newest"],
        rows: machineRows(),
        empty: "There is no run to show.",
      },
    ],
    markup`<ul class="notes"><li>Ratios are measured within one run, between servers that shared a core. Only they travel.</li><li>Nothing here ranks machines, and no rate stands beside that of another machine.</li><li>Versions of runtimes may differ between machines; each run names its own.</li>${
      refused.length === 0
        ? null
        : markup`<li><a href="refused.html">${
          counted(refused.length, "run")
        } not shown</a>: what failed verification, and why.</li>`
    }</ul>`,
  );
}

/** Verdicts of one suite. */
function* suitePages(suite: TalliedSuite, machines: readonly TalliedMachine[]): Generator<BoardFile> {
  const { suite: { name, title }, comparisons, sentence } = suite;
  const several = comparisons.filter(({ kinds }) => kinds > 1);
  const sections: PagedSection[] = [
    {
      id: "several",
      title: "On several kinds of CPU",
      hint:
        "What does not hold comes first, then what moves most. Runs of one machine that contradict each other leave it open.",
      ...(sentence === null ? {} : { before: markup`<p class="headline"><strong>${sentence}</strong></p>` }),
      heads: ["comparison", "ratios", "the same on", "runs"],
      rows: several.map((one) => comparisonFields(one, machines)),
      empty: "No comparison was decided on two kinds of CPU yet.",
    },
    {
      id: "one",
      title: "On one kind of CPU only",
      hint: "Verdicts of one machine: nothing says that they hold on others.",
      heads: ["comparison", "ratio", "verdict", "on", "runs"],
      rows: comparisons.filter(({ kinds }) => kinds < 2).map((one) => ownFields(one, machines)),
      empty: "There is none.",
    },
  ];
  const lead = `${title}. ${counted(suite.runs, "run")} from ${counted(suite.machines, "machine")}.`;
  yield* pagedTables(suiteFile(suite), { heading: "suite", name, lead }, sections);
}

function comparisonFields(one: TalliedComparison, machines: readonly TalliedMachine[]): Field[] {
  return [comparisonText(one), ratiosText(one), heldField(one, machines), String(one.runs)];
}

/** The same of a comparison that one kind of CPU made alone. */
function ownFields(one: TalliedComparison, machines: readonly TalliedMachine[]): Field[] {
  const { comparison: { seen }, machines: places } = one;
  const [only] = seen;
  // Several models of one kind may see it differently.
  const on = seen.length === 1 ? machines[places[0]!]!.name : heldField(one, machines);
  return [
    comparisonText(one),
    ratiosText(one),
    seen.length > 1 ? "–" : only?.verdict === "equivalent" ? "equivalent" : "faster",
    on,
    String(one.runs),
  ];
}

/** `AMD EPYC`, or `AMD EPYC, load from Intel Xeon`. */
const modelText = ({ model, load }: TalliedMachine) =>
  load === undefined ? model : `${model}, load from ${load.cpu_model}`;

/** One machine: what it is, its runs, its rates. */
function* machinePages(machine: TalliedMachine): Generator<BoardFile> {
  const { name, kind, load, runs, facts, rates } = machine;
  const model = modelText(machine);
  const tools = new Map<string, number>();
  for (const tool of runs.flatMap((run) => [...run.tools, `Levelfield ${run.version}`])) {
    tools.set(tool, (tools.get(tool) ?? 0) + 1);
  }
  const most = <T>(list: readonly T[], text: (one: T) => string, count: number) =>
    kept(list.slice(0, count).map(text).join("; ")) + (list.length <= count ? "" : `; ${list.length - count} more`);
  const top = factTable([
    ["Kind of CPU", kind],
    ["Model", machine.model],
    ...(load === undefined ? [] : [["Load from", cpuText(load)] as const]),
    ["Machine", most(facts, ({ machine, runs }) => `${machineFactsText(machine)} (${counted(runs, "run")})`, 6)],
    ["Rests on", most([...tools].sort(([a], [b]) => a < b ? -1 : 1), ([tool, count]) => `${tool} (${count})`, 24)],
  ]);
  const sections = function* (): Generator<PagedSection> {
    yield {
      id: "runs",
      title: "Runs",
      hint: "The newest first.",
      heads: RUN_HEADS,
      rows: runs.map(runFields),
      empty: "There is none.",
    };
    for (const [n, { suite, cells }] of rates.entries()) {
      yield {
        id: `rates-${n}`,
        title: `Rates of ${suite.name} on this machine`,
        hint:
          "Medians of its runs, from the least to the greatest. They say nothing about other machines, and little where the rest of the machine differs.",
        heads: ["cell", "requests a second", "runs"],
        rows: cells.map(({ cell, runs, least, greatest, bounded }) => [
          cell || suite.name,
          `${bounded ? "≥ " : ""}${formatRate(least)}${runs === 1 ? "" : ` to ${formatRate(greatest)}`}`,
          String(runs),
        ]),
        empty: "No cell has a rate that counts.",
      };
    }
  };
  const lead = `${model}: ${counted(runs.length, "run")}.`;
  yield* pagedTables(
    machineFile(machine),
    { heading: "machine", name, lead },
    sections(),
    titledSection("what", "What it is", "", top),
  );
}

function* runPages({ tallied: { machines }, runs }: Board): Generator<BoardFile> {
  const all: (readonly [BoardRun, TalliedMachine])[] = machines.flatMap((machine) =>
    machine.runs.map((run) => [run, machine] as const)
  );
  all.sort(([a], [b]) => a.started_at < b.started_at ? 1 : a.started_at > b.started_at ? -1 : 0);
  const machineLink = (machine: TalliedMachine): Html =>
    markup`<a href="${`${machineFile(machine)}.html`}">${machine.name}</a>`;
  yield* pagedTables("runs", { heading: "runs", name: "", lead: `${counted(runs, "run")}, the newest first.` }, [{
    id: "runs",
    title: "All runs",
    hint: "",
    heads: [...RUN_HEADS, "machine"],
    rows: all.map(([run, machine]) => [...runFields(run), machineLink(machine)]),
    empty: "There is no run to show.",
  }]);
}

function* refusedPages({ refused, copies }: Board): Generator<BoardFile> {
  yield* pagedTables(
    "refused",
    {
      heading: "not shown",
      name: "",
      lead: `${counted(refused.length, "run")} not shown${
        copies === 0 ? "" : `; ${counted(copies, "copy", "copies")} of runs that are counted once`
      }.`,
    },
    [{
      id: "refused",
      title: "What failed verification, or could not be read",
      hint: "The first thing that is wrong with each. No figure of theirs stands anywhere on this board.",
      heads: ["found as", "what is wrong"],
      rows: refused.map(({ found, fault }) => [found, { text: fault, level: "bad" }]),
      empty: "Nothing: every run that was found is shown.",
    }],
  );
}
