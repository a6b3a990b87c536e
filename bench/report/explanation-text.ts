import { counted, formatBytes, percent } from "../basics/units.ts";
import { balanceLayers, meanOfUs, shownCosts, voidText } from "../why/balanced.ts";
import type { CostLayer, ExplainedCell, ExplainedDifference, Explanation } from "../record/explanation-schema.ts";
import { inWords } from "../record/in-words.ts";
import { fileAndLine, functionText, LAYER_TITLES, usText } from "../why/difference-sentence.ts";
import { aligned, cutToWidth, printable, widthOf } from "./align.ts";
import type { Style } from "./style.ts";
import { wrapped } from "./wrap.ts";

interface Paper {
  readonly style: Style;
  readonly columns: number;
  readonly words: (text: string) => string;
}

/** The most columns, so that a bar is close to its figure; and those left for figures and bar. */
const WIDEST = 100;
const BESIDE_TITLE = 36;
const MOST_FUNCTIONS = 3;
const LARGEST = 3;
const CALLS = 5;
/** Layers whose functions no profiler knows. */
const NAMELESS: readonly CostLayer[] = ["native", "kernel", "compiling", "garbage-collection"];
/** Smaller layers and functions are only in the record. */
const LEAST_SHARE = 0.005;

/** An explanation for a terminal: the sentence, the difference by layer, then each cell. */
export function explanationText(
  { cells, difference, generator }: Pick<Explanation, "cells" | "difference" | "generator">,
  { style, columns }: Omit<Paper, "words">,
): string {
  const words = (text: string) => inWords({ generator }, text);
  const paper = { style, columns: Math.min(columns, WIDEST), words };
  return [
    ...difference === null ? [] : [...differenceLines(difference, paper), ""],
    ...cells.flatMap((cell) => [...cellLines(cell, difference === null, paper), ""]),
  ].map((line) => `${line.trimEnd()}\n`).join("");
}

/**
 * The largest changes of a difference, a line each: functions where these hold most of their layer, else the layer.
 *
 * @param name the cell whose costs are meant: more of them is a plus
 */
export function largestChanges({ over, layers }: ExplainedDifference, name: string): string[] {
  const sign = over === name ? 1 : -1;
  const changes = layers.filter(({ differs }) => differs).flatMap(({ layer, us, functions }) => {
    const inside = NAMELESS.includes(layer) ? [] : functions.filter((each) => each.us * us > 0);
    const held = inside.reduce((sum, each) => sum + each.us, 0);
    if (Math.abs(held) < Math.abs(us) / 2) return [{ us, text: LAYER_TITLES[layer] }];
    return inside.map((each) => ({
      us: each.us,
      text: [functionText(each), ...[fileAndLine(each)].filter(Boolean), LAYER_TITLES[layer]].join(", "),
    }));
  });
  return changes.sort((a, b) => Math.abs(b.us) - Math.abs(a.us)).slice(0, LARGEST)
    .map(({ us, text }) => `${us * sign < 0 ? "−" : "+"}${usText(Math.abs(us))} µs: ${text}`);
}

function differenceLines({ sentence, layers, over, under }: ExplainedDifference, paper: Paper): string[] {
  const { style, columns, words } = paper;
  const rows = layers.filter(({ differs }) => differs)
    .flatMap((part) => layerRows({ ...part, functions: part.functions.filter(({ us }) => us * part.us > 0) }));
  const reported = wrapped(printable(sentence), columns).map(style.bold);
  if (rows.length === 0) return reported;
  const same = layers.filter(({ differs }) => !differs).map(({ layer }) => LAYER_TITLES[layer]).join(", ");
  return [
    ...reported,
    "",
    ...wrapped(printable(`${over} beside ${under}, ${words("µs a request")}:`), columns),
    ...barLines(rows, paper, (us, text) => [`${us < 0 ? "−" : "+"}${text}`]),
    ...same === "" ? [] : within("  ", `no more apart than passes of the same cell: ${same}`, columns).map(style.dim),
  ];
}

function cellLines(measured: ExplainedCell, functions: boolean, paper: Paper): string[] {
  const { style, columns, words } = paper;
  const cell = balanceLayers(measured);
  const marks = cell.marks.flatMap(({ text }) => within(`  ${style.yellow("!")} `, printable(text), columns));
  if (voidText([cell]) !== "") return [`${style.bold(printable(cell.name))}: void`, ...marks];
  const { whole, of } = shownCosts(cell);
  const rows = cell.layers.map((part) => ({ ...part, us: of(part.layer) }))
    .filter(({ us }) => us >= LEAST_SHARE * whole)
    .flatMap((layer) => layerRows(functions ? layer : { ...layer, functions: [] }));
  return [
    `${style.bold(printable(cell.name))}: ${usText(whole)} ${words("µs of CPU time a request")}`,
    ...barLines(rows, paper, (us, text) => [text, percent(us / whole, 0)]),
    ...within("  ", factsText(cell, words), columns).map(style.dim),
    ...marks,
  ];
}

function within(signs: string, text: string, columns: number): string[] {
  const wide = signs.trim() === "" ? signs.length : 4;
  return wrapped(text, columns - wide).map((line, n) => `${n === 0 ? signs : " ".repeat(wide)}${line}`);
}

function factsText({ passes, profiler_share }: ExplainedCell, words: Paper["words"]): string {
  const mean = (of: (pass: ExplainedCell["passes"][number]) => number | null, text: (value: number) => string) => {
    const known = passes.flatMap((pass) => of(pass) ?? []);
    return known.length === 0 ? [] : [words(text(meanOfUs(known)))];
  };
  const short = (value: number) => Number(value.toPrecision(2));
  const calls = Object.entries(passes.find(({ system_calls }) => system_calls !== null)?.system_calls ?? {})
    .sort(([, a], [, b]) => b - a).slice(0, CALLS).map(([name, n]) => `${printable(name)} ${short(n)}`);
  return [
    counted(passes.length, "pass", "passes"),
    ...profiler_share === null ? [] : [`with the profiler it costs ${percent(1 + profiler_share)}`],
    ...mean(({ plain }) => plain.sent_bytes, (bytes) => `${formatBytes(bytes)} sent a request`),
    ...mean(({ plain }) => plain.voluntary_switches, (switches) => `waits ${short(switches)} times a request`),
    ...calls.length === 0 ? [] : [`system calls: ${calls.join(", ")}`],
  ].join("; ");
}

type CodeUs = ExplainedDifference["layers"][number]["functions"][number];

interface BarRow {
  readonly title: string;
  readonly us: number;
  readonly inner: boolean;
}

function layerRows(
  { layer, us, functions }: { readonly layer: CostLayer; readonly us: number; readonly functions: readonly CodeUs[] },
): BarRow[] {
  const reported = NAMELESS.includes(layer) ? [] : functions.slice(0, MOST_FUNCTIONS);
  return [
    { title: LAYER_TITLES[layer], us, inner: false },
    ...reported.map((each) => ({ title: `  ${functionText(each)} ${fileAndLine(each)}`, us: each.us, inner: true })),
  ];
}

function barLines(
  rows: readonly BarRow[],
  { style, columns }: Paper,
  figures: (us: number, text: string) => string[],
): string[] {
  const titles = Math.max(14, columns - BESIDE_TITLE);
  const most = Math.max(...rows.map(({ us }) => Math.abs(us)));
  const reported = rows.map(({ title, us }) => [
    cutToWidth(title, titles),
    ...figures(us, usText(Math.abs(us))),
  ]);
  const lines = aligned(reported, (column) => column === 0);
  const room = columns - 4 - Math.max(0, ...lines.map(widthOf));
  return rows.map(({ us, inner }, n) =>
    inner ? style.dim(`  ${lines[n]}`) : `  ${lines[n]}  ${"█".repeat(Math.round(room * Math.abs(us) / most))}`
  );
}
