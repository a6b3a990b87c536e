import { THRESHOLDS } from "../thresholds.ts";
import { type PlannedStep, scheduleOf, stepName } from "../plan.ts";
import { differences } from "./run-changes.ts";
import type { JournalLine } from "./journal-line.ts";
import { planOfRun } from "./plan-of-run.ts";
import { publish } from "./published.ts";
import type { RunRecord } from "./run-record.ts";
import type { TrialRecord } from "./trial-record.ts";

/** What a run's folder holds, as far as it could be read. */
export interface RunEvidence {
  readonly run: RunRecord;
  readonly lines: readonly JournalLine[];
  /** Parsed JSON of every file under cells/ and of summary.json, by name in the folder. */
  readonly published: ReadonlyMap<string, unknown>;
}

/** Relative slack for figures recomputed by floating point from others of the same line. */
const SLACK = 1e-9;

/**
 * Every claim of a run that does not follow from its raw lines, one sentence each; empty when all do.
 * Checks that each planned step is there once and is what was planned, that each line agrees with itself, and that
 * every published figure is what the lines give.
 */
export function faultsOfRun({ run, lines, published }: RunEvidence): string[] {
  const faults = [...scheduleFaults(run, lines), ...lines.flatMap(lineFaults)];
  const expected = publish(run, lines).files;
  for (const [file, content] of expected) {
    const found = published.get(file);
    if (found === undefined) faults.push(`${file} is missing`);
    else {
      for (const difference of differences(found, JSON.parse(JSON.stringify(content)), "")) {
        faults.push(`${file} does not follow from the trials: ${difference}`);
      }
    }
  }
  for (const file of published.keys()) {
    if (!expected.has(file)) faults.push(`${file} has no trials`);
  }
  return faults;
}

function scheduleFaults(run: RunRecord, lines: readonly JournalLine[]): string[] {
  const faults: string[] = [];
  const steps = scheduleOf(planOfRun(run));
  const seen = new Map<number, JournalLine>();
  for (const line of lines) {
    if (seen.has(line.index)) faults.push(`step ${line.index} stands twice in trials.ndjson`);
    seen.set(line.index, line);
    const step = steps[line.index];
    if (step === undefined) faults.push(`step ${line.index} was never planned`);
    else if (!isLineOf(line, step)) faults.push(`step ${line.index} is not the planned one: ${stepName(step)}`);
  }
  if (run.state === "finished") {
    for (const step of steps) {
      if (!seen.has(step.index)) faults.push(`step ${step.index} (${stepName(step)}) is missing`);
    }
  }
  return faults;
}

function isLineOf(line: JournalLine, step: PlannedStep): boolean {
  if (line.round !== step.round) return false;
  const same = (a: unknown, b: unknown) => differences(a, b, "").length === 0;
  switch (line.schema) {
    case "levelfield.trial/1":
      return step.kind === "trial" && same(line.cell, step.cell) && line.label === step.label &&
        line.draw_seed === step.drawSeed;
    case "levelfield.duet/2":
      return step.kind === "duet" && same({ cell: line.a.cell, label: line.a.label }, { ...step.a }) &&
        same({ cell: line.b.cell, label: line.b.label }, { ...step.b }) && line.draw_seed === step.drawSeed &&
        line.first === (step.round % 2 === 0 ? "a" : "b");
    case "levelfield.ceiling/1":
      return step.kind === "ceiling";
  }
}

/** What a line says that its other figures contradict. */
function lineFaults(line: JournalLine): string[] {
  const faults: string[] = [];
  const claim = (holds: boolean, text: string) => {
    if (!holds) faults.push(`step ${line.index}: ${text}`);
  };
  const near = (a: number, b: number) => Math.abs(a - b) <= SLACK * Math.max(Math.abs(a), Math.abs(b), 1e-12);
  if (line.schema === "levelfield.ceiling/1") {
    if (line.status === "ok") {
      claim(
        near(line.requests_per_second!, line.requests! / (line.duration_us! / 1e6)),
        "rate is not requests by time",
      );
    }
    return faults;
  }
  claim((line.status === "ok") === (line.reasons.length === 0), "status and reasons contradict each other");
  if (line.schema === "levelfield.duet/2") {
    for (const side of [line.a, line.b]) {
      if (side.cpu_ns !== null && side.requests !== null && side.requests > 0) {
        claim(near(side.cpu_ns_per_request!, side.cpu_ns / side.requests), "CPU per request is not CPU by requests");
      }
      if (side.parts !== null) {
        const [head, tail] = side.parts;
        claim(head.cpu_ns + tail.cpu_ns <= side.cpu_ns!, "the parts of a window used more CPU than the whole");
        claim(
          head.requests + tail.requests <= side.requests!,
          "the parts of a window hold more requests than the whole",
        );
      }
    }
    if (line.log_ratio !== null) {
      const ratio = Math.log(line.b.cpu_ns_per_request! / line.a.cpu_ns_per_request!);
      claim(near(line.log_ratio, ratio), "log ratio is not that of its sides");
    }
    return faults;
  }
  trialFaults(line, claim, near);
  return faults;
}

function trialFaults(
  line: TrialRecord,
  claim: (holds: boolean, text: string) => void,
  near: (a: number, b: number) => boolean,
): void {
  const { load, latency, counters } = line;
  if (load !== null) {
    claim(near(load.requests_per_second, load.requests / (load.duration_us / 1e6)), "rate is not requests by time");
  }
  if (load !== null && latency !== null) {
    const counted = latency.histogram.reduce((sum, [, count]) => sum + count, 0);
    claim(counted === load.requests - load.errors.timeout, "the histogram does not hold every request");
    const { p50_us, p90_us, p99_us, p999_us, max_us } = latency;
    claim(p50_us <= p90_us && p90_us <= p99_us && p99_us <= p999_us && p999_us <= max_us, "percentiles fall");
    for (
      const [share, value] of [[0.5, p50_us], [0.9, p90_us], [0.99, p99_us], [0.999, p999_us], [1, max_us]] as const
    ) {
      claim(keptUs(latency.histogram, share) === keptAs(value), `the ${100 * share} % latency is not the histogram's`);
    }
    const mean = latency.histogram.reduce((sum, [us, count]) => sum + us * count, 0) / counted;
    // The histogram keeps three digits, so its mean is right to half a percent.
    claim(Math.abs(mean - latency.mean_us) <= 0.006 * latency.mean_us, "the mean latency is not the histogram's");
    const gap = (load.requests / load.duration_us) * latency.mean_us / load.connections - 1;
    claim(near(gap, latency.littles_law_gap), "the gap to Little's law is not what rate and mean give");
    const enough = load.requests >= load.connections * THRESHOLDS.littlesLawMinRequestsPerConnection;
    claim(
      line.status !== "ok" || !enough || gap <= THRESHOLDS.littlesLawGap,
      "it breaks Little's law and is called ok",
    );
  }
  if (load !== null && counters !== null && counters.server_cpu_ns !== null && load.requests > 0) {
    claim(
      near(counters.server_cpu_ns_per_request!, counters.server_cpu_ns / load.requests),
      "CPU per request is not CPU by requests",
    );
  }
}

/** A latency as the histogram keeps it. */
function keptAs(us: number): number {
  return us < 1_000 ? us : Number(us.toPrecision(3));
}

function keptUs(histogram: readonly (readonly [number, number])[], share: number): number {
  const total = histogram.reduce((sum, [, count]) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(share * total));
  let seen = 0;
  for (const [us, count] of histogram) {
    seen += count;
    if (seen >= rank) return us;
  }
  return 0;
}
