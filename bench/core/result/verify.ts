import { cellKey } from "../cell.ts";
import { percentileUs } from "../latency-histogram.ts";
import { orderOf, type PlannedObservation, scheduleOf, stepText } from "../plan.ts";
import { THRESHOLDS } from "../thresholds.ts";
import type { Member, Observation } from "./observation-record.ts";
import { publish } from "./published.ts";
import { differences } from "./run-changes.ts";
import type { RunRecord } from "./run-record.ts";

/** What a run's folder holds, as far as it could be read. */
export interface RunEvidence {
  readonly run: RunRecord;
  readonly lines: readonly Observation[];
  /** Parsed JSON of every file under cells/ and of summary.json, by name in the folder. */
  readonly published: ReadonlyMap<string, unknown>;
}

/** Relative slack for figures recomputed by floating point from others of the same line. */
const SLACK = 1e-9;

/**
 * Every claim of a run that does not follow from its raw lines, one sentence each; empty when all do.
 * Checks that each planned step is there once, in its order and as it was planned, that each line agrees with itself, and
 * that every published figure is what the lines give.
 */
export function faultsOfRun({ run, lines, published }: RunEvidence): string[] {
  const faults = [...scheduleFaults(run, lines), ...lines.flatMap(lineFaults)];
  const expected = publish(run, lines).files;
  for (const [file, content] of expected) {
    const found = published.get(file);
    if (found === undefined) faults.push(`${file} is missing`);
    else {
      for (const difference of differences(found, JSON.parse(JSON.stringify(content)), "")) {
        faults.push(`${file} does not follow from the journal: ${difference}`);
      }
    }
  }
  for (const file of published.keys()) {
    if (!expected.has(file)) faults.push(`${file} has no observations`);
  }
  return faults;
}

function scheduleFaults({ plan, state }: RunRecord, lines: readonly Observation[]): string[] {
  const faults: string[] = [];
  const steps = scheduleOf(plan);
  const seen = new Set<number>();
  let last = -1;
  for (const line of lines) {
    if (seen.has(line.index)) faults.push(`step ${line.index} stands twice in journal.ndjson`);
    else if (line.index < last) faults.push(`step ${line.index} stands after step ${last}`);
    seen.add(line.index);
    last = Math.max(last, line.index);
    const step = steps[line.index];
    if (step === undefined) faults.push(`step ${line.index} was never planned`);
    else if (!isLineOf(line, step)) faults.push(`step ${line.index} is not the planned one: ${stepText(plan, step)}`);
  }
  if (state === "finished") {
    for (const step of steps) {
      if (!seen.has(step.index)) faults.push(`step ${step.index} (${stepText(plan, step)}) is missing`);
    }
  }
  return faults;
}

function isLineOf(line: Observation, step: PlannedObservation): boolean {
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  return line.round === step.round && line.kind === step.kind && line.purpose === step.purpose &&
    line.draw_seed === step.draw_seed && same(line.order, orderOf(step.cells.length, step.round)) &&
    same(line.members.map(({ cell }) => cellKey(cell)), step.cells.map(cellKey));
}

const near = (a: number | null, b: number) =>
  a !== null && Math.abs(a - b) <= SLACK * Math.max(Math.abs(a), Math.abs(b), 1e-12);

/** What a line says that its other figures contradict. */
function lineFaults(line: Observation): string[] {
  const faults: string[] = [];
  const claim = (holds: boolean, text: string) => {
    if (!holds) faults.push(`step ${line.index}: ${text}`);
  };
  const ok = line.status === "ok";
  const { reasons, load, counters } = line;
  claim(ok === (reasons.length === 0), "status and reasons contradict each other");
  claim(
    (line.status === "unsupported") === (!ok && reasons.every(({ code }) => code === "unsupported")),
    "it is called unsupported for another reason",
  );
  for (const member of line.members) memberFaults(line, member, claim);
  if (load === null) return faults;
  claim(near(load.requests_per_second, load.requests / (load.duration_us / 1e6)), "rate is not requests by time");
  const { connect, read, write, timeout, status, expected_status } = load.errors;
  claim(
    !ok || (connect + read + write + timeout === 0 && status <= expected_status),
    "it counted errors and is called ok",
  );
  if (counters !== null && counters.server_cpu_ns !== null && load.requests > 0) {
    claim(
      near(counters.server_cpu_ns_per_request, counters.server_cpu_ns / load.requests),
      "CPU per request is not CPU by requests",
    );
  }
  latencyFaults(line, claim);
  return faults;
}

type Claim = (holds: boolean, text: string) => void;

function memberFaults(
  { status, kind }: Observation,
  { requests, cpu_ns, cpu_ns_per_request, parts }: Member,
  claim: Claim,
) {
  const together = kind === "duet" || kind === "ensemble";
  claim(status !== "ok" || !together || cpu_ns_per_request !== null, "it compares nothing and is called ok");
  if (cpu_ns !== null && cpu_ns > 0 && requests !== null && requests > 0) {
    claim(near(cpu_ns_per_request, cpu_ns / requests), "CPU per request is not CPU by requests");
  }
  if (parts === null) return;
  const [head, tail] = parts;
  claim(head.cpu_ns + tail.cpu_ns <= (cpu_ns ?? 0), "the parts of a window used more CPU than the whole");
  claim(head.requests + tail.requests <= (requests ?? 0), "the parts of a window hold more requests than the whole");
}

function latencyFaults({ load, latency, members, status }: Observation, claim: Claim): void {
  if (load === null || latency === null) return;
  const { histogram, p50_us, p90_us, p99_us, p999_us, max_us } = latency;
  const counted = histogram.reduce((sum, [, count]) => sum + count, 0);
  claim(counted === load.requests - load.errors.timeout, "the histogram does not hold every request");
  claim(p50_us <= p90_us && p90_us <= p99_us && p99_us <= p999_us && p999_us <= max_us, "percentiles fall");
  for (
    const [share, value] of [[0.5, p50_us], [0.9, p90_us], [0.99, p99_us], [0.999, p999_us], [1, max_us]] as const
  ) {
    claim(percentileUs(histogram, share) === keptAs(value), `the ${100 * share} % latency is not the histogram's`);
  }
  const mean = histogram.reduce((sum, [us, count]) => sum + us * count, 0) / counted;
  // The histogram keeps three digits, so its mean is right to half a percent.
  claim(Math.abs(mean - latency.mean_us) <= 0.006 * latency.mean_us, "the mean latency is not the histogram's");
  const connections = load.connections * members.length;
  const gap = (load.requests / load.duration_us) * latency.mean_us / connections - 1;
  claim(near(latency.littles_law_gap, gap), "the gap to Little's law is not what rate and mean give");
  const enough = load.requests >= connections * THRESHOLDS.littlesLawMinRequestsPerConnection;
  claim(status !== "ok" || !enough || gap <= THRESHOLDS.littlesLawGap, "it breaks Little's law and is called ok");
}

/** A latency as the histogram keeps it. */
function keptAs(us: number): number {
  return us < 1_000 ? us : Number(us.toPrecision(3));
}
