/** The drawing of verdicts: ratios to a baseline with their intervals, filled where one is proven faster or slower. */
import * as Plot from "#plot";
import { isDecided, isJudged, type Judged, shownInterval, VERDICTS } from "../record/verdicts.ts";
import { cutToWidth, widthOf } from "../report/align.ts";
import { lookColour, type ValueLook, valueLooks } from "../report/look.ts";
import {
  isPanelJudged,
  ratioText,
  shortRatio,
  type VerdictPanel,
  type VerdictRow,
  verdictWords,
} from "../report/verdict-rows.ts";
import { wrapped } from "../report/wrap.ts";
import { chartPicture, drawnWords, LETTER_PX } from "./drawn.ts";

/** Options of a drawing of verdicts. */
export interface ForestOptions {
  readonly width: number;
  readonly label: string;
  /** The most rows; the others are counted, so that a picture is read at a glance. */
  readonly mostRows?: number;
}

/** A line of the drawing: the head of a group, or a value with its look. */
type Line = { readonly key: string } & ({ readonly head: string } | Row);
type Row = VerdictRow & { readonly key: string; readonly look: ValueLook };

const ROW = 21, FOOT = 30;
const MOST_ROWS = 16;
/** Widths from which a row's ratio is followed by its interval, and by its verdict too, with the room they take at most. */
const BESIDE_CHART = [{ from: 700, room: 342 }, { from: 480, room: 210 }, { from: 0, room: 108 }] as const;
const WORDS = 0.42;
/** The axis ends a little beyond, and farther ratios are arrows: one scan must not press all others together. */
const FARTHEST = 60;
/** Ticks of axes, the farthest from 1 first. */
const TICKS = "1000 0.001 100 0.01 50 0.02 20 0.05 10 0.1 5 0.2 3 0.33 2 0.5 1.5 0.67 1.25 0.8 0.9 1.1"
  .split(" ").map(Number);

const START = { textAnchor: "start", frameAnchor: "left", y: "key" } as const;
const isRow = (line: Line): line is Row => "value" in line;
const letters = (room: number) => Math.max(1, Math.floor(room / LETTER_PX));

/** One question: a row for each value at each place, on a logarithmic axis of ratios to the baseline. */
export function forest(panel: VerdictPanel, { width, label, mostRows = MOST_ROWS }: ForestOptions): SVGSVGElement {
  if (!isPanelJudged(panel)) return drawnWords(reasonOf(panel), width, label);
  const lines = linesOf(panel, mostRows);
  const rows = lines.filter(isRow);
  const level = BESIDE_CHART.findIndex(({ from }) => width >= from);
  const longest = Math.max(4, ...rows.map(({ value }) => widthOf(value)));
  const marginLeft = Math.floor(Math.min(Math.max(70, 26 + LETTER_PX * longest), width * 0.34));
  const marginRight = Math.floor(Math.min(BESIDE_CHART[level]!.room, width * WORDS));
  const judged = rows.flatMap((row) => isJudged(row) ? [row] : []);
  const { domain, ticks } = scaleOf(judged, width - marginLeft - marginRight);
  const rest = panel.groups.reduce((sum, { rows }) => sum + rows.length, 0) - rows.length;
  const under = `times the speed of ${panel.baseline}; hollow: not decided${rest === 0 ? "" : `; and ${rest} more`}`;
  const foot = wrapped(under, letters(width));
  const marginBottom = FOOT + 16 * foot.length;
  const height = 4 + ROW * lines.length + marginBottom;
  return chartPicture({
    ...{ width, height, marginTop: 4, marginBottom, marginLeft, marginRight, ariaLabel: label },
    x: { type: "log", domain, clamp: true, axis: null },
    y: { type: "band", domain: lines.map(({ key }) => key), padding: 0, axis: null },
    marks: [
      ...intervalMarks(judged, domain, ticks),
      Plot.text(lines.filter((line) => !isRow(line)), {
        ...START,
        text: (line: Line) => isRow(line) ? "" : cutToWidth(line.head, letters(width * 0.9)),
        dx: -marginLeft,
        fontWeight: 600,
      }),
      Plot.dot(rows, { ...LOOK, ...START, r: 4, dx: 8 - marginLeft }),
      Plot.text(rows, {
        ...START,
        text: ({ value }: Row) => cutToWidth(value, letters(marginLeft - 24)),
        dx: 18 - marginLeft,
      }),
      Plot.text(rows, {
        ...START,
        frameAnchor: "right",
        text: (row: Row) => cutToWidth(besideText(row, level), letters(marginRight - 12)),
        dx: 12,
        fill: (row: Row) => isDecided(row) ? "var(--ink)" : "var(--soft)",
      }),
      Plot.text([foot.join("\n")], {
        ...{ text: Plot.identity, textAnchor: "start", frameAnchor: "bottom-left", lineAnchor: "top", lineHeight: 1.3 },
        ...{ dx: -marginLeft, dy: 26, fill: "var(--soft)" },
      }),
    ],
  });
}

/** The axis and, for each row, its interval and its ratio; values outside the axis are arrows. */
function intervalMarks(rows: readonly (Row & Judged)[], [low, high]: readonly number[], ticks: readonly number[]) {
  const inside = (ratio: number) => ratio >= low! && ratio <= high!;
  const from = (row: Judged) => shownInterval(row).low, to = (row: Judged) => shownInterval(row).high;
  const arrows = (outside: readonly Row[], x: typeof from, rotate: number) =>
    Plot.dot(outside, { ...LOOK, x, y: "key", symbol: "triangle", rotate, r: 3 });
  return [
    Plot.gridX(ticks, { stroke: "var(--line)", strokeOpacity: 1 }),
    Plot.axisX(ticks, { tickSize: 0, tickPadding: 6, text: String, fill: "var(--soft)", label: null }),
    Plot.ruleX([1], { stroke: "var(--ink)", strokeWidth: 1.5 }),
    Plot.ruleY(rows, { y: "key", x1: from, x2: to, stroke: ({ look }: Row) => lookColour(look), strokeWidth: 2 }),
    arrows(rows.filter((row) => from(row) < low!), from, -90),
    arrows(rows.filter((row) => to(row) > high!), to, 90),
    Plot.dot(rows.filter(({ ratio }) => inside(ratio)), {
      ...LOOK,
      ...{ x: "ratio", y: "key", r: 5, strokeWidth: 1.8 },
      title: (row: Row & Judged) => `${row.value}: ${ratioText(row)}, ${verdictWords(row)}`,
    }),
  ];
}

/** Colour and shape of a value; filled where it is proven faster or slower. */
const LOOK = {
  symbol: ({ look }: Row) => look.shape,
  stroke: ({ look }: Row) => lookColour(look),
  fill: ({ verdict, look }: Row) => verdict === "faster" || verdict === "slower" ? lookColour(look) : "var(--page)",
};

/** Returns the reason of most comparisons without a verdict. */
function reasonOf({ withheld: [most, ...others] }: VerdictPanel): string {
  return `No verdict${others.length > 0 ? ", most often" : ""}: ${most?.text ?? "nothing was compared"}`;
}

/** The whole groups that fit, and the start of the next; a group with a name has a head. */
function linesOf({ groups, baseline, values }: VerdictPanel, most: number): Line[] {
  const looks = valueLooks(values);
  let room = most;
  return groups.flatMap((group, n): Line[] => {
    const rows = group.rows.slice(0, Math.max(0, room));
    room -= group.rows.length;
    if (rows.length === 0) return [];
    const against = group.baseline === baseline ? "" : `against ${group.baseline}`;
    const head = [group.at, against].filter((text) => text !== "").join(", ");
    return [
      ...(head === "" ? [] : [{ key: `${n}`, head }]),
      ...rows.map((row, k) => ({ ...row, key: `${n} ${k}`, look: looks.get(row.value)! })),
    ];
  });
}

/** The range of the ratios, and the ticks that can be named without overlap. */
function scaleOf(rows: readonly Judged[], width: number): { domain: [number, number]; ticks: number[] } {
  const known = rows.map(shownInterval).flatMap(({ low, high }) => [low, high]);
  // Two close ratios must not fill the axis.
  const low = Math.max(1 / FARTHEST, Math.min(1 / 1.12, ...known)) / 1.04;
  const high = Math.min(FARTHEST, Math.max(1.12, ...known)) * 1.04;
  const apart = (a: number, b: number) => width * Math.abs(Math.log(a / b)) / Math.log(high / low);
  const ticks = [1];
  for (const tick of TICKS.filter((tick) => tick > low && tick < high)) {
    if (ticks.every((other) => apart(tick, other) >= 40)) ticks.push(tick);
  }
  return { domain: [low, high], ticks };
}

/** The ratio, its interval and the verdict as far as they fit; else the reason for none. */
function besideText(row: VerdictRow, level: number): string {
  if (!isJudged(row)) return level === 0 ? verdictWords(row) : VERDICTS[row.verdict].word;
  if (level === 2) return shortRatio(row);
  return level === 1 || row.verdict === "slower" ? ratioText(row) : `${ratioText(row)} ${verdictWords(row)}`;
}
