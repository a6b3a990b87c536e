import { percent } from "../basics/percent.ts";
import { counted, formatBytes } from "../basics/units.ts";
import type { CostLayer, ExplainedCell, ExplainedDifference, Explanation } from "../record/explanation-schema.ts";
import { LAYER_TITLES, usText } from "../result/explain/difference-sentence.ts";
import { meanOfUs } from "../core/explain/explain-cell.ts";
import { plainUs } from "../result/explain/explained-between.ts";
import { fitted, padded, printable, widthOf } from "./align.ts";
import type { Style } from "./style.ts";
import { wrapped } from "./wrap.ts";

/** What a picture for a terminal needs to know of it. */
interface Paper {
  readonly style: Style;
  readonly columns: number;
}

/** Columns at most, so that a bar is not far from its figure. */
const WIDEST = 100;
/** Functions and kinds of system calls told of each layer or cell. */
const TOLD = 3;
const CALLS = 5;
/** Layers whose functions no profiler knows. */
const NAMELESS: readonly CostLayer[] = ["native", "kernel", "compiling", "garbage-collection"];
/** Layers and functions below this share of a request are left to the record. */
const LEAST_SHARE = 0.005;

/** An explanation for a terminal: the sentence, the difference by layer, then each cell. */
export function explanationText(
  { cells, difference }: Pick<Explanation, "cells" | "difference">,
  { style, columns }: Paper,
): string {
  const paper = { style, columns: Math.min(columns, WIDEST) };
  return [
    ...difference === null ? [] : [...differenceLines(difference, paper), ""],
    ...cells.flatMap((cell) => [...cellLines(cell, difference === null, paper), ""]),
  ].map((line) => `${line.trimEnd()}\n`).join("");
}

function differenceLines({ sentence, layers, over, under }: ExplainedDifference, paper: Paper): string[] {
  const { style, columns } = paper;
  const differing = layers.filter(({ differs }) => differs);
  const same = layers.filter(({ differs }) => !differs).map(({ layer }) => LAYER_TITLES[layer]);
  const rows = differing.flatMap((own) => layerRows(own, own.functions.filter(({ us }) => us * own.us > 0)));
  return [
    ...wrapped(printable(sentence), columns).map(style.bold),
    ...rows.length === 0 ? [] : ["", ...wrapped(printable(`${over} beside ${under}, µs a request:`), columns)],
    ...barLines(rows, { ...paper, sign: true }),
    ...same.length === 0 || rows.length === 0
      ? []
      : wrapped(`no more apart than passes of the same cell: ${same.join(", ")}`, columns - 2).map((line) =>
        style.dim(`  ${line}`)
      ),
  ];
}

/** A layer, and the functions most of it is in where these can be told. */
function layerRows(
  { layer, us }: { readonly layer: CostLayer; readonly us: number },
  functions: readonly CodeUs[],
): BarRow[] {
  const told = NAMELESS.includes(layer) ? [] : functions.slice(0, TOLD);
  return [
    { title: LAYER_TITLES[layer], us },
    ...told.map(({ name, file, us }) => ({
      title: printable(file === null ? name : `${name} ${file}`),
      us,
      inner: true,
    })),
  ];
}

function cellLines(cell: ExplainedCell, functions: boolean, paper: Paper): string[] {
  const { style, columns } = paper;
  const us = meanOfUs(plainUs(cell));
  const rows = cell.layers.map((own) => ({ ...own, us: meanOfUs(own.us) })).filter((own) => own.us >= LEAST_SHARE * us)
    .flatMap((own) => layerRows(own, functions ? own.functions : []));
  const facts = wrapped(factsText(cell), columns - 2).map((line) => style.dim(`  ${line}`));
  const marks = cell.marks.flatMap(({ text }) =>
    wrapped(printable(text), columns - 4).map((line, n) => `  ${n === 0 ? style.yellow("!") : " "} ${line}`)
  );
  return [
    `${style.bold(printable(cell.name))}: ${usText(us)} µs of CPU time a request`,
    ...barLines(rows, { ...paper, of: us }),
    ...facts,
    ...marks,
  ];
}

/** What passes say besides the layers: how many, how far they can be trusted, and what a request asks of the system. */
function factsText({ passes, gap_share, profiler_share }: ExplainedCell): string {
  const mean = (of: (pass: ExplainedCell["passes"][number]) => number | null) => {
    const known = passes.flatMap((pass) => of(pass) ?? []);
    return known.length === 0 ? null : meanOfUs(known);
  };
  const calls = Object.entries(passes.find(({ system_calls }) => system_calls !== null)?.system_calls ?? {})
    .sort(([, a], [, b]) => b - a).slice(0, CALLS);
  const switches = mean(({ plain }) => plain.voluntary_switches);
  const sent = mean(({ plain }) => plain.sent_bytes);
  return [
    counted(passes.length, "pass", "passes"),
    ...gap_share === null ? [] : [`layers sum to ${percent(1 + gap_share)} of that`],
    ...profiler_share === null ? [] : [`with the profiler it costs ${percent(1 + profiler_share)}`],
    ...sent === null ? [] : [`${formatBytes(sent)} sent a request`],
    ...switches === null ? [] : [`waits ${Number(switches.toPrecision(2))} times a request`],
    ...calls.length === 0
      ? []
      : [`system calls: ${calls.map(([name, n]) => `${printable(name)} ${Number(n.toPrecision(2))}`).join(", ")}`],
  ].join("; ");
}

type CodeUs = ExplainedDifference["layers"][number]["functions"][number];

interface BarRow {
  readonly title: string;
  readonly us: number;
  /** A part of the row above. */
  readonly inner?: boolean;
}

/** Rows with a figure and a bar each, the longest for the largest; with `of`, the share of it as well. */
function barLines(
  rows: readonly BarRow[],
  { style, columns, of, sign }: Paper & { of?: number; sign?: true },
): string[] {
  const most = Math.max(...rows.map(({ us }) => Math.abs(us)));
  const figures = rows.map(({ us }) => `${sign ? us < 0 ? "−" : "+" : ""}${Math.abs(us).toFixed(most < 10 ? 2 : 1)}`);
  const shares = rows.map(({ us }) => of ? percent(us / of, 0) : "");
  const widest = (texts: readonly string[]) => Math.max(0, ...texts.map(widthOf));
  const fixed = 2 + 2 + widest(figures) + (of ? 2 + widest(shares) : 0) + 2;
  const titles = Math.min(widest(rows.map(({ title, inner }) => inner ? `  ${title}` : title)), columns - fixed - 8);
  return rows.map(({ title, us, inner }, n) => {
    const bar = "█".repeat(Math.round((columns - fixed - titles) * Math.abs(us) / most));
    const text = padded(fitted(inner ? `  ${title}` : title, titles), titles, "right");
    const share = of ? `  ${padded(shares[n]!, widest(shares), "left")}` : "";
    return `  ${inner ? style.dim(text) : text}  ${padded(figures[n]!, widest(figures), "left")}${share}  ${
      inner ? "" : bar
    }`;
  });
}
