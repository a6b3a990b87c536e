import { boundOfCounters } from "../bound.ts";
import { cellKey } from "../cell.ts";
import { claimFaults } from "../contention.ts";
import { socketErrors } from "../judge-load.ts";
import { percentileUs } from "../latency-histogram.ts";
import { orderOf, type Plan, type PlannedObservation, scheduleOf, stepText } from "../plan.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { THRESHOLDS } from "../thresholds.ts";
import type { Loaded, Member, Observation, Warmup } from "./observation-record.ts";
import { publish } from "./published.ts";
import { differences } from "./run-changes.ts";
import type { RunRecord } from "./run-record.ts";
import { statusOf } from "./status.ts";

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
  const faults = [...scheduleFaults(run, lines), ...lines.flatMap((line) => lineFaults(line, run.plan))];
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

/** What of a journal is not as its plan has it: steps that are missing, twice, in another order, or others. */
export function scheduleFaults(
  { plan, state }: Pick<RunRecord, "plan" | "state">,
  lines: readonly Observation[],
): string[] {
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
    line.alone === step.alone && line.draw_seed === step.draw_seed &&
    same(line.order, orderOf(step.cells.length, step.round)) &&
    same(line.members.map(({ cell }) => cellKey(cell)), step.cells.map(cellKey));
}

const near = (a: number | null, b: number) =>
  a !== null && Math.abs(a - b) <= SLACK * Math.max(Math.abs(a), Math.abs(b), 1e-12);

/** What a line says that its other figures contradict. */
function lineFaults(line: Observation, plan: Plan): string[] {
  const faults: string[] = [];
  const claim = (holds: boolean, text: string) => {
    if (!holds) faults.push(`step ${line.index}: ${text}`);
  };
  claim(line.status === statusOf(line.reasons), "status and reasons contradict each other");
  for (const member of line.members) {
    memberFaults(line, member, claim);
    warmupFaults(member.warmup, true, 1, plan, claim);
  }
  warmupFaults(line.warmup, false, line.members.filter(isLoaded).length, plan, claim);
  loadFaults(line, line.status === "ok", line.members.filter(isLoaded).length || 1, claim);
  return faults;
}

/** Whether a server took part in its observation's load to the end. */
const isLoaded = ({ cpu_ns, requests }: Member) => cpu_ns !== null || requests !== null;

/** What a measured load says that its other figures contradict. */
function loadFaults({ bound, load, latency, counters }: Loaded, ok: boolean, servers: number, claim: Claim): void {
  if (load === null) return;
  claim(near(load.requests_per_second, load.requests / (load.duration_us / 1e6)), "rate is not requests by time");
  const { timeout, status, expected_status } = load.errors;
  claim(
    !ok || (socketErrors(load.errors) + (timeout ?? 0) === 0 && (status ?? 0) <= expected_status),
    "it counted errors and is called ok",
  );
  if (counters !== null) {
    if (counters.server_cpu_ns !== null && load.requests > 0) {
      claim(
        near(counters.server_cpu_ns_per_request, counters.server_cpu_ns / load.requests),
        "CPU per request is not CPU by requests",
      );
    }
    claim(bound === boundOfCounters(counters), "what limited it does not follow from its counters");
    const lies = claimFaults({
      requests: load.requests,
      reply_bytes: load.reply_bytes,
      server_cpu_ns: counters.server_cpu_ns,
      loopback_bytes: counters.loopback_bytes,
    });
    for (const { message } of ok ? lies : []) claim(false, `${message}, and it is called ok`);
  }
  latencyFaults(load, latency, ok, servers, claim);
}

type Claim = (holds: boolean, text: string) => void;

/** How a warm-up is said to have ended has to be what its curves were said to be, and what the plan lets it end by. */
function warmupFaults(warmup: Warmup | null, alone: boolean, servers: number, plan: Plan, claim: Claim): void {
  if (warmup === null) return;
  const { ended, curves, steadiness } = warmup;
  claim(curves.length === steadiness.length && (servers === 0 || curves.length === servers), "a warm-up lacks a curve");
  const { kind } = plan.warmup;
  claim(
    ended === "most" || (ended === "planned") === (kind === "fixed"),
    `a warm-up ended "${ended}" and is ${kind} in the plan`,
  );
  if (ended !== "steady") return;
  // Of servers that were flat alone it is enough that none is seen to change beside the others.
  const settled = steadiness.every((kind) => alone ? kind === "flat" : kind !== "moving");
  claim(settled, "a warm-up is called steady whose cost was not");
  const least = thresholds.leastSlices.value;
  const seen = Math.min(...curves.map((curve) => curve.filter((cost) => cost !== null).length));
  claim(!alone || seen >= least, `a warm-up is called steady by fewer than ${least} slices`);
}

function memberFaults({ status, kind }: Observation, member: Member, claim: Claim) {
  const { requests, cpu_ns, cpu_ns_per_request, parts, reasons, alone } = member;
  const together = kind === "duet" || kind === "ensemble";
  claim(
    status !== "ok" || !together || reasons.length > 0 || cpu_ns_per_request !== null,
    "a server compares nothing and is called fit for it",
  );
  if (cpu_ns !== null && cpu_ns > 0 && requests !== null && requests > 0) {
    claim(near(cpu_ns_per_request, cpu_ns / requests), "CPU per request is not CPU by requests");
  }
  if (alone !== null) loadFaults(alone, alone.reasons.length === 0, 1, claim);
  if (parts === null) return;
  const [head, tail] = parts;
  claim(head.cpu_ns + tail.cpu_ns <= (cpu_ns ?? 0), "the parts of a window used more CPU than the whole");
  const more = head.requests + tail.requests - (requests ?? 0);
  claim(more <= 1, "the parts of a window hold more requests than the whole");
  // Together they are all of it; the whole is rounded to requests.
  claim(!together || more >= -1, "the parts of a window hold fewer requests than the whole");
}

function latencyFaults(
  load: NonNullable<Loaded["load"]>,
  latency: Loaded["latency"],
  ok: boolean,
  servers: number,
  claim: Claim,
): void {
  if (latency === null) return;
  const { histogram, percentiles, mean_us } = latency;
  const shares = { 0.5: latency.p50_us, 0.9: latency.p90_us, 0.99: latency.p99_us, 0.999: latency.p999_us };
  const told = [...Object.values(shares), latency.max_us].filter((us) => us !== null);
  claim(told.every((us, n) => n === 0 || told[n - 1]! <= us), "percentiles fall");
  const connections = load.connections * servers;
  const gap = mean_us === null || load.offered_per_second !== undefined
    ? null
    : (load.requests / load.duration_us) * mean_us / connections - 1;
  claim(
    gap === null ? latency.littles_law_gap === null : near(latency.littles_law_gap, gap),
    "the gap to Little's law is not what rate and mean give",
  );
  const enough = load.requests >= connections * THRESHOLDS.littlesLawMinRequestsPerConnection;
  claim(!ok || !enough || gap === null || gap <= THRESHOLDS.littlesLawGap, "it breaks Little's law and is called ok");
  if (percentiles !== undefined) {
    claim(histogram.length === 0, "it has a histogram and percentiles in place of one");
    for (const [share, us] of Object.entries(shares)) {
      const own = percentiles.find(([each]) => Math.abs(each - Number(share)) < 1e-9)?.[1] ?? null;
      claim(own === us, `the ${100 * Number(share)} % latency is not the one that was told`);
    }
    return;
  }
  const counted = histogram.reduce((sum, [, count]) => sum + count, 0);
  claim(counted === load.requests - (load.errors.timeout ?? 0), "the histogram does not hold every request");
  for (const [share, value] of [...Object.entries(shares), ["1", latency.max_us] as const]) {
    const held = percentileUs(histogram, Number(share));
    claim(value !== null && held === keptAs(value), `the ${100 * Number(share)} % latency is not the histogram's`);
  }
  const mean = histogram.reduce((sum, [us, count]) => sum + us * count, 0) / counted;
  // The histogram keeps three digits, so its mean is right to half a percent.
  claim(
    mean_us !== null && Math.abs(mean - mean_us) <= 0.006 * mean_us,
    "the mean latency is not the histogram's",
  );
}

/** A latency as the histogram keeps it. */
function keptAs(us: number): number {
  return us < 1_000 ? us : Number(us.toPrecision(3));
}
