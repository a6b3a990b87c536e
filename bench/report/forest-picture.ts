/** The picture of verdicts: ratios with their intervals, decided or open. It takes no library, because the page runs it too. */
import { percent } from "../basics/percent.ts";
import { formatRatio } from "../basics/units.ts";
import { fitted, widthOf } from "./align.ts";
import { type Look, shapePath, short } from "./look.ts";
import { type Html, markup } from "./page/html.ts";
import { wrapped } from "./wrap.ts";
import { isJudged, ratioText, type VerdictPanel, type VerdictRow } from "./verdict-rows.ts";

/** A drawing of one panel, its upper left corner at 0, 0. */
export interface Drawn {
  readonly body: Html;
  readonly width: number;
  readonly height: number;
}

/** How a panel is drawn. */
export interface ForestWish {
  readonly width: number;
  readonly looks: ReadonlyMap<string, Look>;
  /** Rows beyond these are left out, and their number is said. */
  readonly mostRows?: number;
  /** Share of the width for the words beside each row, at most. */
  readonly wordsShare?: number;
}

const ROW = 21, HEAD = 24, AXIS = 44, LETTER = 7.1;
/** Below this width only the ratio stands beside a row, not its interval and its verdict. */
const NARROW = 620;
const NO_LOOK: Look = { colour: 5, shape: "circle" };
/** What axes name. */
const TICKS = [
  0.001,
  0.01,
  0.02,
  0.05,
  0.1,
  0.2,
  0.33,
  0.5,
  0.67,
  0.8,
  0.9,
  1,
  1.1,
  1.25,
  1.5,
  2,
  3,
  5,
  10,
  20,
  50,
  100,
  1_000,
];
/** Ratios beyond are drawn as arrows: one scan must not press all others together. */
const FARTHEST = 60;

/** One question as a forest plot: a row for each value at each place, on a logarithmic axis of ratios to the baseline. */
export function forestPicture(
  panel: VerdictPanel,
  { width, looks, mostRows = Infinity, wordsShare = 0.36 }: ForestWish,
): Drawn {
  const reason = onlyReason(panel);
  if (reason !== null) return toldOnly(reason, width);
  const narrow = width < NARROW;
  const kept = keptGroups(panel, mostRows);
  const rows = kept.groups.flatMap(({ rows }) => rows);
  const longest = Math.max(4, ...rows.map(({ value }) => widthOf(value)));
  const left = Math.min(Math.max(70, 26 + LETTER * longest), Math.floor(width * 0.34));
  const right = narrow ? 62 : Math.min(330, Math.floor(width * wordsShare));
  const letters = (room: number) => Math.max(1, Math.floor(room / LETTER));
  const scale = scaleOf(panel, rows, left, width - right - 12);
  const lines: Html[] = [];
  let y = 4;
  for (const { at, baseline, rows } of kept.groups) {
    const against = baseline === panel.baseline ? "" : `against ${baseline}`;
    const head = [at, against].filter((text) => text !== "").join(", ");
    if (head !== "") {
      lines.push(
        markup`<text class="head" x="0" y="${short(y + 15)}">${fitted(head, letters(width * 0.9))}</text>`,
      );
      y += HEAD;
    }
    for (const row of rows) {
      lines.push(rowOf(row, y + ROW / 2, { left, right, width, narrow, scale, looks, letters }));
      y += ROW;
    }
    y += 4;
  }
  const bottom = y;
  const band = panel.delta === null
    ? null
    : markup`<rect class="band" x="${short(scale.x(1 / (1 + panel.delta)))}" y="0" width="${
      short(
        scale.x(1 + panel.delta) - scale.x(1 / (1 + panel.delta)),
      )
    }" height="${short(bottom)}" />`;
  const ticks = scale.ticks.map((tick) =>
    markup`<path class="grid" d="M${short(scale.x(tick))} 0V${short(bottom)}" /><text class="tick" x="${
      short(scale.x(tick))
    }" y="${short(bottom + 15)}" text-anchor="middle">${String(Number(formatRatio(tick)))}</text>`
  );
  const under = narrow ? `× the speed of ${panel.baseline}` : `times the speed of ${panel.baseline}${bandText(panel)}`;
  const room = letters(width) - 1;
  const rest = kept.left === 0 ? "" : `and ${kept.left} more`;
  return {
    width,
    height: bottom + AXIS,
    body: markup`<g class="forest">${band}${ticks}<path class="one" d="M${short(scale.x(1))} 0V${
      short(bottom)
    }"/>${lines}<text class="under" x="0" y="${short(bottom + 36)}">${
      fitted([under, rest].filter((text) => text !== "").join("; "), room)
    }</text></g>`,
  };
}

/** Why nothing of a panel has a verdict, for the most of it; null where something has. */
function onlyReason({ groups }: Pick<VerdictPanel, "groups">): string | null {
  if (isJudged({ groups })) return null;
  const reasons = [...Map.groupBy(groups.flatMap(({ rows }) => rows), ({ words }) => words)]
    .toSorted(([, a], [, b]) => b.length - a.length);
  const [most] = reasons;
  if (most === undefined) return "No verdict: nothing was compared";
  return `No verdict${reasons.length > 1 ? ", most often" : ""}: ${most[0].replace(/^no verdict: /, "")}`;
}

function toldOnly(text: string, width: number): Drawn {
  const lines = wrapped(text, Math.floor(width / LETTER));
  return {
    width,
    height: 12 + 18 * lines.length,
    body: markup`<g class="forest">${
      lines.map((line, n) => markup`<text class="under" x="0" y="${18 * (n + 1)}">${line}</text>`)
    }</g>`,
  };
}

function bandText({ delta }: VerdictPanel): string {
  return delta === null ? "" : `; grey: within ${percent(delta)} nothing is called different (A/A)`;
}

/** As many whole groups as there is room for, the first of the next one cut. */
function keptGroups({ groups }: VerdictPanel, most: number) {
  let room = most, left = 0;
  const kept = groups.flatMap((group) => {
    const rows = group.rows.slice(0, Math.max(0, room));
    left += group.rows.length - rows.length;
    room -= group.rows.length;
    return rows.length === 0 ? [] : [{ ...group, rows }];
  });
  return { groups: kept, left };
}

interface Scale {
  /** The place of a ratio; ratios outside stand at the ends. */
  readonly x: (ratio: number) => number;
  readonly isInside: (ratio: number) => boolean;
  readonly ticks: readonly number[];
}

function scaleOf({ delta }: VerdictPanel, rows: readonly VerdictRow[], from: number, to: number): Scale {
  const drawn = rows.filter(({ ratio }) => ratio !== null);
  const known = [1 / (1 + (delta ?? 0.05)), 1 + (delta ?? 0.05), ...drawn.flatMap(({ low, high }) => [low!, high!])];
  // Two ratios alone would fill the axis, however near they are.
  const low = Math.max(1 / FARTHEST, Math.min(1 / 1.12, ...known)) / 1.04;
  const high = Math.min(FARTHEST, Math.max(1.12, ...known)) * 1.04;
  const place = (ratio: number) => from + (to - from) * Math.log(ratio / low) / Math.log(high / low);
  const inside = TICKS.filter((tick) => tick > low && tick < high);
  const ticks: number[] = [1];
  for (const tick of inside.toSorted((a, b) => Math.abs(Math.log(b)) - Math.abs(Math.log(a)))) {
    if (ticks.every((other) => Math.abs(place(other) - place(tick)) >= 40)) ticks.push(tick);
  }
  return {
    x: (ratio) => place(Math.min(high, Math.max(low, ratio))),
    isInside: (ratio) => ratio >= low && ratio <= high,
    ticks,
  };
}

interface RowRoom {
  readonly left: number;
  readonly right: number;
  readonly width: number;
  readonly narrow: boolean;
  readonly scale: Scale;
  readonly looks: ForestWish["looks"];
  readonly letters: (room: number) => number;
}

function rowOf(row: VerdictRow, y: number, { left, right, width, narrow, scale, looks, letters }: RowRoom): Html {
  const { colour, shape } = looks.get(row.value) ?? NO_LOOK;
  const kind = row.state === "open" || row.state === "none" ? "open" : "decided";
  const beside = narrow ? (row.ratio === null ? "–" : `${formatRatio(row.ratio)} ×`) : besideText(row);
  const start = width - right;
  const text = markup`<text class="beside ${kind}" x="${short(start)}" y="${short(y + 4)}">${
    fitted(beside, letters(width - start))
  }</text>`;
  const name = markup`<text x="18" y="${short(y + 4)}">${
    fitted(row.value, letters(left - 24))
  }</text><path class="s${colour} decided" d="${shapePath(shape, 8, y, 4)}" />`;
  if (row.ratio === null) return markup`<g class="row">${name}${text}</g>`;
  const [from, to] = [scale.x(row.low!), scale.x(row.high!)];
  const arrows = [
    scale.isInside(row.low!)
      ? ""
      : `M${short(from + 5)} ${short(y - 4)}L${short(from)} ${short(y)}L${short(from + 5)} ${short(y + 4)}`,
    scale.isInside(row.high!)
      ? ""
      : `M${short(to - 5)} ${short(y - 4)}L${short(to)} ${short(y)}L${short(to - 5)} ${short(y + 4)}`,
  ].join("");
  const mark = scale.isInside(row.ratio)
    ? markup`<path class="s${colour} ${kind}" d="${shapePath(shape, scale.x(row.ratio), y, 5)}" />`
    : null;
  return markup`<g class="row"><title>${row.value}: ${
    ratioText(row)
  }, ${row.words}</title><path class="s${colour} range" d="M${short(from)} ${short(y)}H${
    short(
      to,
    )
  }${arrows}"/>${mark}${name}${text}</g>`;
}

/** The ratio, its interval and the verdict; why there is none where there is none. */
function besideText(row: VerdictRow): string {
  return row.ratio === null ? row.words : `${ratioText(row)} ${row.words}`;
}
