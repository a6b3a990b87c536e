import { counted, formatRatio } from "../basics/units.ts";
import { listed } from "../result/questions.ts";
import type { Judged } from "../record/verdicts.ts";
import type { Track, TrackedCell } from "../result/track.ts";
import { printable } from "./align.ts";
import { environmentLines } from "./comparison-table.ts";
import { valueText } from "./metrics.ts";
import type { TextOptions } from "./style.ts";
import { wrapped } from "./wrap.ts";
import { figuresIn } from "./figures.ts";

const BARS = [..."▁▂▃▄▅▆▇█"];
/** The least ratio of the highest bar to the lowest: less would show noise as steps. */
const LEAST_SPAN = 1.1;
const MOST_CHANGES = 4;
/** Proven differences within runs that are shown, the newest. */
const MOST_WITHIN = 12;

const BARS_NOTE = "A bar a run from its lowest to its highest, a tenth at least; │ where something changed, " +
  "· without a figure. Then the newest and the oldest figure.";

/** Figures as bars, the oldest first, with a line before each that something changed at. */
export function sparkOf(values: readonly (number | null)[], changed: readonly boolean[]): string {
  const known = values.flatMap((value) => value ?? []);
  const low = Math.min(...known), high = Math.max(...known, low * LEAST_SPAN);
  return values.map((value, n) => {
    const bar = value === null ? "·" : BARS[high > low ? Math.round(7 * (value - low) / (high - low)) : 0]!;
    return (changed[n] ? "│" : "") + bar;
  }).join("");
}

/** A figure of a cell over runs: short name, bars, newest and oldest; nothing where no run has it. */
function seriesOf({ cards }: TrackedCell, { runs }: Track) {
  return figuresIn("track", { groups: ["cost", "speed", "memory", "start"] }).flatMap((figure) => {
    const { key, short: name } = figure;
    const measured = cards.map((card) => card?.status === "ok" && card[key] !== null ? card : null);
    const known = measured.flatMap((card) => card ?? []);
    if (known.length === 0) return [];
    const values = measured.map((card) => card?.[key] ?? null);
    const bars = sparkOf(values, runs.map(({ changes }) => changes.length > 0));
    const [newest, oldest] = [known.at(-1)!, known[0]!].map((card) => valueText(card, figure));
    return [{ key, name, bars, figures: `${newest} (${oldest})`, values }];
  });
}

function byText({ verdict, ratio, interval }: Judged): string {
  const [by, low, high] = verdict === "faster"
    ? [ratio, interval.low, interval.high]
    : [1 / ratio, 1 / interval.high, 1 / interval.low];
  return `${verdict} by ${formatRatio(by)}× [${formatRatio(low)}, ${formatRatio(high)}]`;
}

const placesText = (places: readonly number[]) => `${places[0]! + 1} to ${places.at(-1)! + 1}`;

const stepText = ({ at, before, after, step }: TrackedCell["steps"][number]): string =>
  `from run ${at + 1} on ${byText(step)}: runs ${placesText(after)} against ${placesText(before)}`;

function trackSentences({ runs, cells, looks }: Track): string[] {
  const within = runs.flatMap(({ within }, n) =>
    within.map((step) => `Within run ${n + 1}, measured together: ${step.over} ${byText(step)} than ${step.under}.`)
  );
  const stepped = cells.filter(({ steps }) => steps.length > 0);
  const reported = stepped.length > 0
    ? `${counted(stepped.length, "cell has a step that is", "cells have steps that are")} proven: ${
      listed(stepped.map(({ cell }) => cell))
    }.`
    : `No step is proven${looks > 0 ? "" : ": it takes three runs a side, on one kind of CPU"}.`;
  const more = within.length - MOST_WITHIN;
  return [
    reported,
    ...within.slice(-MOST_WITHIN),
    ...(more > 0 ? [`And ${more} within earlier runs (see --json).`] : []),
  ];
}

/** Tracked runs for a terminal: the steps that are proven; with `all` every run and every cell's figures, too. */
export function trackLines(
  track: Track,
  { style, columns, all = false }: TextOptions,
): string {
  const { suite, runs } = track;
  const cells = track.cells.filter(({ cards }) => runs.length < 2 || cards.filter((card) => card !== null).length > 1);
  const alone = track.cells.length - cells.length;
  const indented = (text: string, by: number) =>
    wrapped(printable(text), columns - by).map((line) => " ".repeat(by) + line);
  const runLines = ({ run, started_at, changes }: Track["runs"][number], n: number) => [
    `${String(n + 1).padStart(3)}  ${started_at.slice(0, 16).replace("T", " ")}  ${printable(run)}`,
    ...environmentLines(changes, MOST_CHANGES).flatMap((text) => indented(text, 5).map(style.dim)),
  ];
  const cellLines = (cell: TrackedCell, bars: boolean) => [
    style.bold(printable(cell.cell)),
    ...(bars ? seriesOf(cell, track) : []).map(({ name, bars, figures }) => {
      const room = columns - 11 - figures.length - 1;
      const shown = bars.length > room ? `…${bars.slice(1 - room)}` : bars;
      return `  ${name.padEnd(7)}  ${shown} ${figures}`;
    }),
    ...cell.steps.flatMap((one) =>
      indented(stepText(one), 2).map(one.step.verdict === "slower" ? style.red : style.green)
    ),
  ];
  const steps = new Set(cells.flatMap((cell) => cell.steps.map(({ at }) => at)));
  return [
    style.bold(printable(`${suite}: ${counted(runs.length, "run")}`)),
    ...trackSentences(track).flatMap((text) => indented(text, 0)),
    ...runs.flatMap((run, n) => all || steps.has(n) ? runLines(run, n) : []),
    ...(all ? ["", ...indented(BARS_NOTE, 0).map(style.dim)] : []),
    ...cells.flatMap((cell) => all || cell.steps.length > 0 ? cellLines(cell, all) : []),
    ...(all && alone > 0 ? [`${counted(alone, "cell")} of single runs (see --json)`] : []),
    ...(all ? [] : indented("Every run and every cell: --all", 0).map(style.dim)),
    "",
  ].join("\n");
}

/** The same as data: figures by run in place of whole cards. */
export function trackRecord(track: Track) {
  return {
    ...track,
    cells: track.cells.map((cell) => ({
      cell: cell.cell,
      figures: Object.fromEntries(seriesOf(cell, track).map(({ key, values }) => [key, values])),
      steps: cell.steps,
    })),
    sentences: trackSentences(track),
  };
}
