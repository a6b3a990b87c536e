/**
 * The figures of a cell, a row each: every output takes their names, formats and places from here. A new one is a row, its
 * field in `record/card.ts`, and its formula in `judge/observed-figures.ts`.
 */
import { counted, formatBytes, formatCpu, formatMs, formatRate, formatUs, percent } from "../basics/units.ts";
import type { Figures, Observed, Replies } from "../record/card.ts";
import { isOfCalls, type WordedPlan } from "../record/in-words.ts";
import type { Comparison } from "../record/comparison.ts";

/** A table or list with figures: cells in a terminal, on the page, each alone; a cell's details, its rounds; CSV, Markdown, a series of runs, versions. */
type Place = "cells" | "page" | "alone" | "metric" | "detail" | "rounds" | "csv" | "markdown" | "track" | "versions";

type Group = "speed" | "cost" | "latency" | "slowest" | "memory" | "start" | "replies" | "use";

/** A figure of cells: its name, its unit and format, and the outputs that show it. */
export interface Figure {
  readonly key: keyof Observed;
  readonly group: Group;
  readonly title: string;
  /** The head of its column, in words of requests. */
  readonly head: string;
  /** Its name over runs of any unit. */
  readonly short: string;
  readonly unit: string;
  readonly better: "higher" | "lower";
  readonly format: (value: number) => string;
  readonly in: readonly Place[];
  /** More outputs that show it, if functions are called or if servers answer. */
  readonly ofCalls?: readonly Place[];
  readonly ofServers?: readonly Place[];
  /** The text of a cell, if it shows more than the value; a dash if there is no value. */
  readonly text?: (card: Replies) => string;
  readonly byChoice?: true;
  /** True if it adds to the other figures of some cells; by default if a cell has it. */
  readonly adds?: (cards: readonly Figures[]) => boolean;
  /** A narrow terminal drops the figure with the lowest number first, and never one without a number. */
  readonly kept?: number;
  readonly basis?: Comparison["basis"];
}

const row = (
  [key, group, title, head]: readonly [key: Figure["key"], group: Group, title: string, head: string],
  format: Figure["format"],
  places: readonly Place[],
  more: Partial<Figure> = {},
): Figure => ({
  ...{ key, group, title, head, format },
  unit: head,
  short: head,
  better: "lower",
  in: places,
  ...more,
});

/** All figures; the first is the default. */
export const FIGURES: readonly Figure[] = [
  row(
    ["requests_per_second", "speed", "Requests per second", "req/s"],
    formatRate,
    ["cells", "page", "alone", "metric", "rounds", "csv", "track"],
    { better: "higher", short: "rate", basis: "solo", adds: () => true },
  ),
  row(
    ["rows_per_second", "speed", "Rows per second", "rows/s"],
    formatRate,
    ["cells", "page", "metric", "csv", "markdown"],
    { better: "higher", kept: 2, byChoice: true },
  ),
  row(
    ["transfer_bytes_per_second", "speed", "Transfer per second", "transfer/s"],
    formatBytes,
    ["cells", "page", "metric", "csv", "markdown"],
    { better: "higher", unit: "of replies", kept: 1, adds: tellsTransfer, byChoice: true },
  ),
  // Of servers, comparisons and pictures have it as speed.
  row(
    ["cpu_ns_per_request", "cost", "CPU time per request", "CPU/req"],
    formatCpu,
    ["cells", "metric", "rounds", "csv", "track"],
    {
      unit: "per request",
      short: "CPU",
      kept: 4,
      basis: "together",
      ofCalls: ["page", "alone", "markdown"],
    },
  ),
  row(["p50_us", "latency", "Service time, median", "p50"], formatUs, ["metric", "rounds", "csv"], {
    ...{ ofServers: ["alone"] },
  }),
  row(["p90_us", "latency", "Service time, 90th percentile", "p90"], formatUs, ["detail", "csv"]),
  row(
    ["p99_us", "latency", "Service time, 99th percentile", "p99"],
    formatUs,
    ["cells", "page", "metric", "rounds", "csv"],
    { kept: 3, ofServers: ["alone"] },
  ),
  row(["max_us", "slowest", "Service time, longest", "longest"], formatUs, ["detail", "csv"]),
  row(
    ["peak_rss_bytes", "memory", "Peak memory", "memory"],
    formatBytes,
    ["page", "alone", "metric", "csv", "track", "versions"],
  ),
  // The process of calls listens to the driver alone.
  row(["startup_ms", "start", "Time until it listens", "listens"], formatMs, ["metric", "csv", "track", "versions"], {
    byChoice: true,
    ofServers: ["page", "alone"],
  }),
  row(["open_ms", "start", "Opening its files", "opens"], formatMs, ["detail", "csv"]),
  row(["disk_bytes", "start", "Files on disk", "disk"], formatBytes, ["metric", "csv"]),
  row(["reply_bytes_per_request", "replies", "Bytes a reply", "bytes"], formatBytes, ["detail"]),
  row(
    ["error_share", "replies", "Replies with an error status", "errors"],
    percent,
    ["cells", "page", "metric", "markdown"],
    { unit: "of replies", kept: 5, text: errorText, adds: (cards) => cards.some((card) => errorText(card) !== "–") },
  ),
  row(["server_share", "use", "Server's core busy", "server busy"], percent, ["detail", "rounds", "csv"]),
  row(["generator_share", "use", "Generator's busiest thread", "generator busy"], percent, ["detail", "rounds", "csv"]),
];

/** Groups in the order of the table, and in that of tables that begin with what a server needs and end with its speed. */
const GROUPS: readonly Group[] = [...new Set(FIGURES.map(({ group }) => group))];
const SPEED_LAST: readonly Group[] = ["start", "memory", "latency", "slowest", "cost", "replies", "use", "speed"];

/** The figure of a key; the first one for any other text. */
export const figureOf = (key: string | null): Figure => FIGURES.find((one) => one.key === key) ?? FIGURES[0]!;

/** The figures that a place has in a run, in its order; of some groups alone if they are given. */
export function figuresIn(
  place: Place,
  { plan = {}, groups }: { readonly plan?: WordedPlan; readonly groups?: readonly Group[] } = {},
): Figure[] {
  const order = groups ?? (place === "page" || place === "alone" ? SPEED_LAST : GROUPS);
  const isHere = (one: Figure) => [...one.in, ...(isOfCalls(plan) ? one.ofCalls : one.ofServers) ?? []].includes(place);
  return order.flatMap((group) => FIGURES.filter((one) => one.group === group && isHere(one)));
}

/** The figures of a place that say something of some cells that are compared with each other. */
export const shownFigures = (
  place: Place,
  plan: WordedPlan,
  compared: readonly (readonly Figures[])[],
): Figure[] =>
  figuresIn(place, { plan }).filter(({ key, adds = (cards) => cards.some((card) => card[key] !== null) }) =>
    compared.some(adds)
  );

/** Reply lengths differ, so bytes per second are shown too; for long replies they are what people ask for. */
const TRANSFER = { ratio: 1.02, bytes: 8_192 };

function tellsTransfer(cards: readonly Replies[]): boolean {
  const bytes = cards.flatMap((card) => card.reply_bytes_per_request ?? []);
  const longest = Math.max(...bytes);
  return longest > TRANSFER.bytes || longest > TRANSFER.ratio * Math.min(...bytes);
}

function errorText({ error_share, socket_errors, timeouts }: Replies): string {
  const parts = [
    error_share === null || error_share === 0 ? "" : percent(error_share),
    socket_errors === 0 ? "" : counted(socket_errors, "socket"),
    timeouts === 0 ? "" : counted(timeouts, "timeout"),
  ];
  return parts.filter((part) => part !== "").join(", ") || "–";
}
