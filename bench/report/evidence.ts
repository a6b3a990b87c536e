import { cellName } from "../core/cell.ts";
import type { Observation } from "../core/result/observation-record.ts";
import type { RunRecord } from "../core/result/run-record.ts";
import { median } from "../core/statistics/median.ts";
import { type BinnedHistogram, BINS_PER_DECADE, type CellEvidence } from "./page/page-data.ts";

/** A line of journal.ndjson with its histogram gathered into bins on the way: most of a line is its histogram. */
export interface LeanLine {
  readonly record: Observation;
  /** Counts by bin; null where the line has none. */
  readonly bins: readonly number[] | null;
}

const HISTOGRAM = '"histogram":[';

/**
 * Reads one line without building its histogram of a thousand pairs: ten times faster, so that a page of 1 000 cells is
 * made while one waits. It checks nothing but the schema's name; `bench verify` checks the rest.
 */
export function readLeanLine(text: string): LeanLine {
  const start = text.indexOf(HISTOGRAM);
  if (start < 0) return { record: JSON.parse(text), bins: null };
  const from = start + HISTOGRAM.length;
  if (text[from] === "]") return { record: JSON.parse(text), bins: [] };
  const end = text.indexOf("]]", from);
  return { record: JSON.parse(text.slice(0, from) + text.slice(end + 1)), bins: binsOf(text, from, end) };
}

/** Gathers `[us,count],[us,count]…` between two places of a text into bins; a fraction of a microsecond is cut off. */
function binsOf(text: string, from: number, end: number): number[] {
  const bins = new Float64Array(BINS);
  let value = 0, us = 0, whole = true;
  for (let place = from; place <= end; place++) {
    const digit = text.charCodeAt(place) - 48;
    if (digit >= 0 && digit <= 9) {
      if (whole) value = value * 10 + digit;
    } else if (digit === DOT) whole = false;
    else {
      if (digit === BRACKET) bins[Math.min(BINS - 1, binOf(us))]! += value;
      else us = value;
      value = 0;
      whole = true;
    }
  }
  const last = bins.findLastIndex((count) => count > 0);
  return Array.from(bins.subarray(0, last + 1));
}

/** Nine decades: up to a quarter of an hour. */
const BINS = 9 * BINS_PER_DECADE;
/** Characters as their distance from the digit 0. */
const DOT = -2, BRACKET = 45;

const logBin = (us: number) => us < 1 ? 0 : Math.floor(Math.log10(us) * BINS_PER_DECADE + 1e-9);
/** Bins of the latencies most requests have, looked up because a page asks for millions. */
const BIN_OF = Uint16Array.from({ length: 65_536 }, (_, us) => logBin(us));

/** The bin of a latency in microseconds. */
export function binOf(us: number): number {
  return BIN_OF[us] ?? logBin(us);
}

const COUNTERS = [
  "steal_share",
  "foreign_share",
  "server_wait_share",
  "softirq_share",
  "driver_share",
  "involuntary_switches",
  "connections_opened",
  "listen_overflows",
  "retransmits",
  "throttled_ns",
  "swapped_pages",
] as const;

const rounded = (value: number | null | undefined) =>
  value === null || value === undefined ? null : Number(value.toPrecision(6));

/** What stands behind each card of a run, by the cell's name. */
export function gatherEvidence(
  { started_at, plan }: Pick<RunRecord, "started_at" | "plan">,
  lines: readonly LeanLine[],
): Record<string, CellEvidence> {
  const start = Date.parse(started_at);
  const alone = lines.filter(({ record }) => record.kind === "solo");
  const groups = Map.groupBy(alone, ({ record }) => cellName(plan.axes, record.members[0]!.cell));
  return Object.fromEntries([...groups].map(([name, own]) => [name, evidenceOf(start, own)]));
}

/** Histograms in one. */
function sumOf(histograms: readonly (readonly number[])[]): BinnedHistogram {
  const length = Math.max(0, ...histograms.map((bins) => bins.length));
  const counts = Array.from({ length }, (_, bin) => histograms.reduce((sum, bins) => sum + (bins[bin] ?? 0), 0));
  const from = Math.max(0, counts.findIndex((count) => count > 0));
  return { from, counts: counts.slice(from).map((count) => Number(count.toPrecision(3))) };
}

function evidenceOf(start: number, lines: readonly LeanLine[]): CellEvidence {
  const ok = lines.filter(({ record }) => record.status === "ok");
  const counters = Object.fromEntries(COUNTERS.map((name) => {
    const values = ok.flatMap(({ record }) => record.counters?.[name] ?? []);
    return [name, values.length === 0 ? null : rounded(median(values))];
  }));
  return {
    rounds: lines.map(({ record: { round, started_at, status, bound, load, latency, counters } }) => ({
      round,
      at_s: Math.round((Date.parse(started_at) - start) / 100) / 10,
      status,
      bound,
      requests_per_second: rounded(load?.requests_per_second),
      cpu_ns_per_request: rounded(counters?.server_cpu_ns_per_request),
      p50_us: latency?.p50_us ?? null,
      p99_us: latency?.p99_us ?? null,
      server_share: rounded(counters?.server_share),
      generator_share: rounded(counters?.generator_share),
    })),
    histogram: sumOf(ok.map(({ bins }) => bins ?? [])),
    counters,
    unreadable: Object.assign({}, ...lines.map(({ record }) => record.counters?.unreadable ?? {})),
    server: (ok[0] ?? lines[0])?.record.members[0]?.server ?? null,
    stderr_tail: lines.find(({ record }) => record.status !== "ok")?.record.stderr_tail ?? null,
  };
}
