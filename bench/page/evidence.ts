import { cellName } from "../record/cell.ts";
import { parseBoundedJson } from "../basics/bounded-json.ts";
import { failure } from "../basics/errors.ts";
import { observedFigures } from "../judge/observed-figures.ts";
import { dueLatency } from "../judge/open-loop.ts";
import { type Solo, solosOf } from "../judge/lines.ts";
import { formatFault } from "../record/format-fault.ts";
import { type Observation, observationRecord } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import { medianOfKnown } from "../statistics/median.ts";
import { type BinnedHistogram, BINS_PER_DECADE, type CellEvidence } from "./page-data.ts";

/** The measurement of a cell alone, with its histogram gathered into bins. */
interface LeanSolo {
  readonly solo: Solo;
  /** Counts by bin; null where it has none. */
  readonly bins: readonly number[] | null;
}

/** A line of journal.ndjson without its histograms, which are most of it. */
interface LeanLine {
  readonly record: Observation;
  /** The measurements of its cells alone. */
  readonly solos: readonly LeanSolo[];
}

const HISTOGRAM = '"histogram":[';

/**
 * Reads one line without building its histograms of a thousand pairs each. That is ten times faster: a page of 1 000
 * cells is made while one waits. Of a histogram it checks nothing; `bench verify` does.
 *
 * @throws BenchError for a line that is none of a journal
 */
export function readLeanLine(text: string): LeanLine {
  const bins: number[][] = [];
  let lean = "", from = 0;
  for (;;) {
    const start = text.indexOf(HISTOGRAM, from);
    if (start < 0) break;
    const first = start + HISTOGRAM.length;
    const end = text[first] === "]" ? first - 1 : text.indexOf("]]", first);
    // The bins' place among all bins replaces the histogram, as a pair.
    lean += `${text.slice(from, first)}[${bins.length},1]]`;
    bins.push(end < first ? [] : binsOf(text, first, end));
    from = end + 2;
  }
  const record = checkedLine(lean + text.slice(from));
  return {
    record,
    solos: solosOf(record).map((solo) => {
      const place = solo.latency?.histogram[0]?.[0];
      return { solo, bins: place === undefined ? null : bins[place]! };
    }),
  };
}

function checkedLine(text: string): Observation {
  let value: unknown;
  try {
    value = parseBoundedJson(text);
  } catch (error) {
    throw failure("a line of journal.ndjson is damaged: it is no JSON", "bench verify", error);
  }
  const parsed = observationRecord.safeParse(value);
  if (parsed.success) return parsed.data;
  const format = formatFault(value, parsed.error);
  if (format !== null) throw failure(`a line of journal.ndjson ${format.what}`, format.hint ?? "bench verify");
  const { path, message } = parsed.error.issues[0]!;
  throw failure(`a line of journal.ndjson is damaged: ${path.join(".") || "it"}: ${message}`, "bench verify");
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

/** The evidence behind each card of a run, by the cell's name. */
export function gatherEvidence(
  { plan }: Pick<RunRecord, "plan">,
  lines: readonly LeanLine[],
): Record<string, CellEvidence> {
  const groups = Map.groupBy(lines.flatMap(({ solos }) => solos), ({ solo }) => cellName(plan.axes, solo.member.cell));
  return Object.fromEntries([...groups].map(([name, members]) => [name, evidenceOf(members)]));
}

function sumOf(histograms: readonly (readonly number[])[]): BinnedHistogram {
  const length = Math.max(0, ...histograms.map((bins) => bins.length));
  const counts = Array.from({ length }, (_, bin) => histograms.reduce((sum, bins) => sum + (bins[bin] ?? 0), 0));
  const from = Math.max(0, counts.findIndex((count) => count > 0));
  return { from, counts: counts.slice(from).map((count) => Number(count.toPrecision(3))) };
}

/** Medians over windows of the link between two hosts; nothing for cells of a run without hosts. */
function linkCounters(lines: readonly LeanSolo[]): Record<string, number | null> {
  const links = lines.flatMap(({ solo }) => solo.counters?.link ?? []);
  if (links.length === 0) return {};
  const middle = (values: readonly (number | null)[]) => rounded(medianOfKnown(values));
  return {
    link_used_share: middle(links.map(({ share }) => share)),
    link_round_trip_us: middle(links.map(({ round_trip_us }) => round_trip_us)),
    link_sent_again_share: middle(links.map(({ retransmit_share }) => retransmit_share)),
  };
}

/** True if the generator was late at p99, so that a histogram would show the generator's waits. */
const isLate = (solo: Solo) => solo.load?.lateness !== undefined && dueLatency(solo)?.p99_us === null;

function evidenceOf(lines: readonly LeanSolo[]): CellEvidence {
  const ok = lines.filter(({ solo }) => solo.status === "ok");
  const counters = Object.fromEntries(
    COUNTERS.map((name) => [name, rounded(medianOfKnown(ok.map(({ solo }) => solo.counters?.[name])))]),
  );
  return {
    rounds: lines.map(({ solo }) => {
      const { round, status, bound } = solo;
      const figures = observedFigures(solo);
      return {
        ...{ round, status, bound },
        requests_per_second: rounded(figures.requests_per_second),
        cpu_ns_per_request: rounded(figures.cpu_ns_per_request),
        p50_us: figures.p50_us,
        p99_us: figures.p99_us,
        server_share: rounded(figures.server_share),
        generator_share: rounded(figures.generator_share),
      };
    }),
    histogram: sumOf(ok.map(({ bins, solo }) => isLate(solo) ? [] : bins ?? [])),
    counters: { ...counters, ...linkCounters(ok) },
    unreadable: Object.assign({}, ...lines.map(({ solo }) => solo.counters?.unreadable ?? {})),
    server: (ok[0] ?? lines[0])?.solo.member.server ?? null,
    stderr_tail: lines.find(({ solo }) => solo.status !== "ok")?.solo.line.stderr_tail ?? null,
  };
}
