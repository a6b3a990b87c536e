import { z } from "zod";
import { subjectName } from "../plan.ts";
import { median, medianInterval } from "../statistics/median.ts";
import { cellSchema, reasonSchema, type TrialRecord } from "./trial-record.ts";

const figure = z.number().nonnegative().nullable();

/** The published card of a cell: a pure function of its lines in trials.ndjson. */
export const cellCard = z.strictObject({
  schema: z.literal("levelfield.cell/1"),
  run: z.string(),
  cell: cellSchema,
  label: z.string(),
  /** `ok` only when every trial is. */
  status: z.enum(["ok", "invalid", "failed", "unsupported"]),
  reasons: z.array(reasonSchema),
  trials: z.int().nonnegative(),
  trials_ok: z.int().nonnegative(),
  bound: z.enum(["server", "generator", "neither", "unknown"]),
  /** Medians over the ok trials; null without one. */
  requests_per_second: figure,
  /** Exact order-statistic interval of the median; null below six ok trials. */
  requests_per_second_interval: z.strictObject({ low: z.number(), high: z.number(), level: z.number() }).nullable(),
  cpu_ns_per_request: figure,
  p50_us: figure,
  p90_us: figure,
  p99_us: figure,
  max_us: figure,
  peak_rss_bytes: figure,
  startup_ms: figure,
  load_ms: figure,
  disk_bytes: figure,
  reply_bytes_per_request: figure,
  server_share: figure,
  generator_share: figure,
});

/** See {@link cellCard}. */
export type CellCard = z.infer<typeof cellCard>;

/** Severity of a status; the worst trial decides the cell's. */
const STATUS_ORDER = ["ok", "unsupported", "invalid", "failed"] as const;

/** Makes the card of one cell from all its trials. Throws a RangeError without trials. */
export function makeCellCard(run: string, trials: readonly TrialRecord[]): CellCard {
  const first = trials[0];
  if (first === undefined) throw new RangeError("a cell card needs at least one trial");
  const ok = trials.filter((trial) => trial.status === "ok");
  const of = (pick: (trial: TrialRecord) => number | null | undefined) => {
    const values = ok.map(pick).filter((value) => value !== null && value !== undefined);
    return values.length === 0 ? null : median(values);
  };
  const rate = medianInterval(ok.map((trial) => trial.load!.requests_per_second));
  const bounds = new Set(ok.map((trial) => trial.bound));
  const seen = new Set<string>();
  return {
    schema: "levelfield.cell/1",
    run,
    cell: first.cell,
    label: first.label,
    status: trials.map((trial) => trial.status).reduce((worst, status) =>
      STATUS_ORDER.indexOf(status) > STATUS_ORDER.indexOf(worst) ? status : worst
    ),
    reasons: trials.flatMap((trial) => trial.reasons).filter((reason) =>
      !seen.has(reason.code) && seen.add(reason.code)
    ),
    trials: trials.length,
    trials_ok: ok.length,
    // One trial the generator limited makes the median a lower bound at best.
    bound: bounds.has("generator")
      ? "generator"
      : bounds.has("unknown") || bounds.size === 0
      ? "unknown"
      : bounds.has("neither")
      ? "neither"
      : "server",
    requests_per_second: of((trial) => trial.load?.requests_per_second),
    requests_per_second_interval: rate.kind === "bounded"
      ? { low: rate.low, high: rate.high, level: rate.level }
      : null,
    cpu_ns_per_request: of((trial) => trial.counters?.server_cpu_ns_per_request),
    p50_us: of((trial) => trial.latency?.p50_us),
    p90_us: of((trial) => trial.latency?.p90_us),
    p99_us: of((trial) => trial.latency?.p99_us),
    max_us: of((trial) => trial.latency?.max_us),
    peak_rss_bytes: of((trial) => trial.counters?.server_peak_rss_bytes),
    startup_ms: of((trial) => trial.server?.startup_ms),
    load_ms: of((trial) => trial.server?.load_ms),
    disk_bytes: of((trial) => trial.server?.disk_bytes),
    reply_bytes_per_request: of((trial) => trial.load && trial.load.reply_bytes / trial.load.requests),
    server_share: of((trial) => trial.counters?.server_share),
    generator_share: of((trial) => trial.counters?.generator_share),
  };
}

/** Makes the cards of a run in the order its trials first name their cells. */
export function makeCellCards(run: string, trials: readonly TrialRecord[]): CellCard[] {
  return [...Map.groupBy(trials, subjectName).values()].map((group) => makeCellCard(run, group));
}
