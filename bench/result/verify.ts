import { socketErrors } from "../judge/judge-load.ts";
import { boundOfCounters } from "../judge/bound.ts";
import { cellKey } from "../record/cell.ts";
import { inFlightOf } from "../core/in-flight.ts";
import { judgeLine } from "../judge/judge-line.ts";
import { countOf, percentileUs } from "../statistics/latency-histogram.ts";
import type { PlannedObservation } from "../record/plan.ts";
import { workerCpus } from "../core/workers.ts";
import { isSpare, orderOf, scheduleOf, stepText } from "../core/schedule.ts";
import { stepsAhead } from "../core/spare-rounds.ts";
import type { Loaded, Member, Observation } from "../record/observation-record.ts";
import type { Mark } from "../record/mark-schema.ts";
import { publish } from "./published.ts";
import { differences } from "./run-changes.ts";
import type { RunRecord } from "../record/run-record.ts";
import { statusOf } from "../judge/status.ts";
import { betweenFaults } from "./verify/between-lines.ts";
import { type Claim, near } from "./verify/claim.ts";
import { countFaults, ownCounts, togetherCounts } from "./verify/counts.ts";
import { costFaults, ownCost, serverCpus, shareFaults, togetherCost } from "./verify/cpu.ts";
import { presenceFaults } from "./verify/presence.ts";
import { recordFaults } from "./verify/record.ts";
import { longerWindows, orderFaults, partsTime, togetherTime, windowTime } from "./verify/times.ts";
import { windowsFaults } from "./verify/windows.ts";
import { warmupFaults } from "./verify/warmup.ts";

/** What a run's folder holds, as far as it could be read. */
export interface RunEvidence {
  readonly run: RunRecord;
  readonly lines: readonly Observation[];
  /** Parsed JSON of every file under cells/ and of summary.json, by name in the folder. */
  readonly published: ReadonlyMap<string, unknown>;
}

/**
 * Every claim of a run that does not follow from its raw lines, one sentence each; empty when all do.
 * Checks that each planned step is there once, in its order, in its time and as it was planned, that each line agrees with
 * itself and with the others, and that every published figure is what the lines give.
 */
export function faultsOfRun(evidence: RunEvidence): string[] {
  return [...rawFaults(evidence.run, evidence.lines), ...publishedFaults(evidence)];
}

/** What summaries of earlier versions do not have: it is not missed there, and must follow from the lines where it stands. */
const LATER = /^(latency_between|latency\.\d+\.claim|answer\.services|steps\..*_interval): nothing -> /;

/** Of these, what is published and does not follow from the lines. */
export function publishedFaults({ run, lines, published }: RunEvidence): string[] {
  const faults: string[] = [];
  const expected = publish(run, lines).files;
  for (const [file, content] of expected) {
    const found = published.get(file);
    if (found === undefined) faults.push(`${file} is missing`);
    else {
      for (const difference of differences(found, JSON.parse(JSON.stringify(content)), "")) {
        if (file === "summary.json" && LATER.test(difference)) continue;
        faults.push(`${file} does not follow from the journal: ${difference}`);
      }
    }
  }
  for (const file of published.keys()) {
    if (!expected.has(file)) faults.push(`${file} has no observations`);
  }
  return faults;
}

/** Of these, what the plan and the raw lines say against each other and against themselves: nothing published is looked at. */
export function rawFaults(run: RunRecord, lines: readonly Observation[]): string[] {
  return [
    ...recordFaults(run),
    ...scheduleFaults(run, lines),
    ...orderFaults(run, lines),
    ...betweenFaults(run, lines),
    ...windowsFaults(run, scheduleOf(run.plan), lines),
    ...lines.flatMap((line) => lineFaults(line, run)),
  ];
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
  for (const [n, line] of lines.entries()) {
    if (seen.has(line.index)) faults.push(`step ${line.index} stands twice in journal.ndjson`);
    else if (line.index < last) faults.push(`step ${line.index} stands after step ${last}`);
    seen.add(line.index);
    last = Math.max(last, line.index);
    const step = steps[line.index];
    if (step === undefined) faults.push(`step ${line.index} was never planned`);
    else if (!isLineOf(line, step)) faults.push(`step ${line.index} is not the planned one: ${stepText(plan, step)}`);
    else if (isSpare(plan, step) && !stepsAhead(plan, lines.slice(0, n), steps).includes(step)) {
      faults.push(`step ${line.index} is a spare one, and others voided none that it makes up for`);
    }
  }
  if (state === "finished") {
    for (const step of stepsAhead(plan, lines, steps)) {
      faults.push(`step ${step.index} (${stepText(plan, step)}) is missing`);
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

/** How many requests to one server may have no reply: one for each connection, any number where those broke. */
const unansweredOf = ({ load }: Loaded) => load === null || socketErrors(load.errors) > 0 ? Infinity : load.connections;

/** What a line says that its other figures contradict. */
function lineFaults(line: Observation, record: RunRecord): string[] {
  const faults: string[] = [];
  const claim: Claim = (holds, text) => {
    if (!holds) faults.push(`step ${line.index}: ${text}`);
  };
  const { plan, placement } = record;
  const given = workerCpus(plan, line.members[0]!.cell, placement.server_cpus);
  const run = { ...record, placement: { ...placement, server_cpus: given && [...given] } };
  const { most: cpus } = serverCpus(run);
  const loaded = line.members.filter(isLoaded).length;
  const ceiling = line.kind === "ceiling", single = line.members.length === 1;
  claim(line.status === statusOf(line.marks), "status and marks contradict each other");
  markFaults(line, judgeLine(line, run.placement.load_cpus), claim);
  presenceFaults(line, run, claim);
  partsTime(line, claim);
  longerWindows(line, plan, claim);
  for (const member of line.members) {
    memberFaults(line, member, claim);
    const connections = unansweredOf(member.alone ?? line);
    warmupFaults(member.warmup, { way: "alone", servers: 1, listed: 1, connections, cpus, plan }, claim);
    if (member.alone !== null) loadFaults(member.alone, member.alone.marks, 1, false, run, claim);
  }
  const way = line.load?.turn_ms === undefined ? "at once" : "in turns";
  const connections = unansweredOf(line);
  warmupFaults(line.warmup, { way, servers: loaded, listed: line.members.length, connections, cpus, plan }, claim);
  loadFaults(line, line.marks, loaded || 1, ceiling, run, claim);
  for (const window of line.windows ?? []) {
    figureFaults(window, window.marks, 1, claim);
    const { name, version } = window.generator;
    const known = [run.generator, ...run.further_generators ?? []]
      .some((tool) => tool.name === name && tool.version === version);
    claim(known, `a window's generator, ${name} ${version}, is none of the run`);
  }
  if (single) {
    ownCounts(line, line.members[0]!, claim);
    if (line.status === "ok") ownCost(line, line.members[0]!, run, claim);
  } else if (line.status === "ok") {
    togetherTime(line, loaded, plan, claim);
    togetherCounts(line, claim);
    togetherCost(line, run, claim);
  }
  return faults;
}

/** Why something may not be used has to be what it is judged by, no less and no more. */
function markFaults(line: Observation, judged: Observation, claim: Claim): void {
  const all = ({ marks, members, windows = [] }: Observation) =>
    [
      marks,
      ...members.flatMap((member) => [member.marks, member.alone?.marks ?? []]),
      ...windows.map((window) => window.marks),
    ].map((own) => own.map(({ code }) => code));
  const given = all(judged);
  for (const [place, told] of all(line).entries()) {
    for (const code of new Set(given[place])) {
      claim(told.includes(code), `its figures say "${code}", and it does not`);
    }
    for (const code of new Set(told)) {
      claim(given[place]!.includes(code), `it says "${code}", and its figures do not`);
    }
  }
}

/** What a measured load of so many servers says that its other figures and the run contradict. */
function loadFaults(
  own: Loaded,
  marks: readonly Mark[],
  servers: number,
  ceiling: boolean,
  run: RunRecord,
  claim: Claim,
): void {
  figureFaults(own, marks, servers, claim);
  // One that says itself that it may not be used is used by nobody.
  if (marks.length > 0) return;
  if (servers === 1) windowTime(own, run.plan, ceiling, claim);
  const calls = run.plan.generator === "in-process";
  claim(own.load === null || (own.load.calls === true) === calls, "it counts calls of a load that was sent");
  countFaults(own, servers, claim);
  shareFaults(own, run, claim);
  costFaults(own, servers, run, claim);
}

/** Whether a server took part in its observation's load to the end. */
const isLoaded = ({ cpu_ns, requests }: Member) => cpu_ns !== null || requests !== null;

/** Figures of a measured load that do not follow from its others. */
function figureFaults(own: Loaded, marks: readonly Mark[], servers: number, claim: Claim): void {
  const { bound, load, counters } = own;
  if (load === null) return;
  const inFlight = servers === 1 && load.offered_per_second === undefined
    ? inFlightOf({ ...load, latency: own.latency })
    : null;
  // Lines of earlier versions count none in.
  if (load.in_flight !== undefined) {
    claim(inFlight !== null && near(load.in_flight, inFlight), "requests in flight do not follow from its latencies");
  }
  const answered = load.requests + (load.in_flight ?? 0);
  claim(near(load.requests_per_second, answered / (load.duration_us / 1e6)), "rate is not requests by time");
  if (counters !== null) {
    if (counters.server_cpu_ns !== null && load.requests > 0) {
      claim(
        near(counters.server_cpu_ns_per_request, counters.server_cpu_ns / load.requests),
        "CPU per request is not CPU by requests",
      );
    }
    claim(bound === boundOfCounters(counters), "what limited it does not follow from its counters");
  }
  latencyFaults(own, marks, servers, claim);
}

function memberFaults({ status, kind }: Observation, member: Member, claim: Claim) {
  const { requests, cpu_ns, cpu_ns_per_request, parts, marks } = member;
  const together = kind === "ensemble";
  claim(
    status !== "ok" || !together || marks.length > 0 || cpu_ns_per_request !== null,
    "a server compares nothing and is called fit for it",
  );
  if (cpu_ns !== null && cpu_ns > 0 && requests !== null && requests > 0) {
    claim(near(cpu_ns_per_request, cpu_ns / requests), "CPU per request is not CPU by requests");
  }
  if (parts === null) return;
  const [head, tail] = parts;
  claim(head.cpu_ns + tail.cpu_ns <= (cpu_ns ?? 0), "the parts of a window used more CPU than the whole");
  const more = head.requests + tail.requests - (requests ?? 0);
  claim(more <= 1, "the parts of a window hold more requests than the whole");
  // Together they are all of it; the whole is rounded to requests.
  claim(!together || more >= -1, "the parts of a window hold fewer requests than the whole");
}

function latencyFaults(
  { load, latency }: Loaded,
  marks: readonly Mark[],
  servers: number,
  claim: Claim,
): void {
  if (load === null || latency === null) return;
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
  if (percentiles !== undefined) {
    claim(histogram.length === 0, "it has a histogram and percentiles in place of one");
    for (const [share, us] of Object.entries(shares)) {
      const own = percentiles.find(([each]) => Math.abs(each - Number(share)) < 1e-9)?.[1] ?? null;
      claim(own === us, `the ${100 * Number(share)} % latency is not the one that was told`);
    }
    return;
  }
  // One that says itself that its requests and their latencies do not agree is believed.
  if (marks.some(({ code }) => code === "histogram-broken" || code === "no-requests")) return;
  const counted = countOf(histogram);
  if (counted === 0) {
    const none = [...Object.values(shares), latency.max_us, mean_us].every((value) => value === null);
    claim(none, "it has latencies of no request");
    return;
  }
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
