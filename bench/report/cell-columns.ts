import { counted, dash, percent } from "../basics/units.ts";
import type { CellOutcome, Figures, Replies } from "../record/card.ts";
import { type MetricKey, metricOf, tellsTransfer, valueText } from "./metrics.ts";

/** A column of figures in tables of cells. */
export interface CellColumn {
  /** Its head, in words of requests. */
  readonly head: string;
  /** True if the column has something to compare. */
  readonly isTold: (cards: readonly Figures[]) => boolean;
  readonly text: (card: CellOutcome & Figures) => string;
  /** The metric that orders cells by this column. */
  readonly metric?: MetricKey;
}

const ofMetric = (head: string, metric: MetricKey): CellColumn => ({
  head,
  metric,
  isTold: (cards) => cards.some((card) => card[metric] !== null),
  text: (card) => valueText(card, metricOf(metric)),
});

const COLUMNS: readonly CellColumn[] = [
  // The process of calls listens to the driver alone.
  {
    ...ofMetric("listens", "startup_ms"),
    isTold: (cards) => cards.some(({ startup_ms, p50_us }) => startup_ms !== null && p50_us !== null),
  },
  ofMetric("memory", "peak_rss_bytes"),
  ofMetric("p99", "p99_us"),
  ofMetric("CPU/req", "cpu_ns_per_request"),
  {
    ...ofMetric("CPU µs/req", "cpu_ns_per_request"),
    isTold: () => true,
    text: (card) => dash(card.cpu_ns_per_request, (ns) => plainUs(ns / 1_000)),
  },
  {
    head: "errors",
    metric: "error_share",
    isTold: (cards) => cards.some((card) => errorText(card) !== "–"),
    text: errorText,
  },
  { ...ofMetric("req/s", "requests_per_second"), isTold: () => true },
  ofMetric("rows/s", "rows_per_second"),
  { ...ofMetric("transfer/s", "transfer_bytes_per_second"), isTold: tellsTransfer },
  { head: "bound", isTold: () => true, text: (card) => card.bound },
];

/**
 * The columns with these heads, in this order, that report something of some cells.
 *
 * @param groups cells that are compared with each other
 */
export function cellColumns(heads: readonly string[], groups: readonly (readonly Figures[])[]): CellColumn[] {
  return heads.map((head) => COLUMNS.find((column) => column.head === head)!)
    .filter(({ isTold }) => groups.some(isTold));
}

/** Three digits, or more for large values: never an exponent. */
function plainUs(us: number): string {
  return us < 999.5 ? us.toPrecision(3) : String(Math.round(us));
}

/** Error statuses as a share of replies, failed sockets and timeouts as counts; a dash without any. */
function errorText({ error_share, socket_errors, timeouts }: Replies): string {
  const parts = [
    error_share === null || error_share === 0 ? "" : percent(error_share),
    socket_errors === 0 ? "" : counted(socket_errors, "socket"),
    timeouts === 0 ? "" : counted(timeouts, "timeout"),
  ];
  return parts.filter((part) => part !== "").join(", ") || "–";
}
