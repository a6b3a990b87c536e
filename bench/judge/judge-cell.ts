import { counted, formatRate, percent } from "../basics/units.ts";
import { protocolAt } from "../record/cell.ts";
import { mark } from "../record/mark.ts";
import type { Bound, Mark } from "../record/outcome-schema.ts";
import { runtimeNotServed, servedText } from "../record/served-text.ts";
import type { Summary } from "../record/summary.ts";
import { log, log1p } from "../statistics/logarithms.ts";
import { median } from "../statistics/median.ts";
import { type Flatness, flatnessOf } from "../statistics/steady.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { trend } from "../statistics/trend.ts";
import { sum, variation } from "../statistics/variation.ts";
import { leakMark } from "./leak.ts";
import type { OkSolo, Solo } from "./lines.ts";
import { connectionsMark, serviceMark, serviceWaitedMark } from "./service-marks.ts";
import { isStarved } from "./starved.ts";
import { THRESHOLDS } from "./thresholds.ts";
import { waitedMark } from "./waiting.ts";
import { writtenMark } from "./written.ts";

type Steadiness = Summary["cells"][number]["steadiness"];

/** The rate that the generator reached against a server that does nothing. */
export interface Ceiling {
  readonly perSecond: number;
  /** The limit there: if it was not the generator, this can do more. */
  readonly bound: Bound;
}

/**
 * Returns the marks of a cell, which stays valid: events that may have moved its solo rates withhold verdicts.
 *
 * @param ceiling of the cell's kind of request; null unknown, undefined if none is planned
 */
export function judgeCell(ok: readonly OkSolo[], lost: number, ceiling: Ceiling | null | undefined): Mark[] {
  const middle: Middle = (pick) => middleOf(ok, pick);
  const steadiness = steadinessOf(ok);
  const marks = [
    ceilingMark(ok, ceiling),
    serviceMark(ok),
    serviceWaitedMark(ok),
    waitedMark(ok),
    ...otherMarks(middle),
    waitMark(ok, middle),
    ...rateMarks(ok),
    lost > 0 && ok.length > 0 ? mark("rounds-lost", `${lost} of ${counted(lost + ok.length, "round")} are lost`) : null,
    fewRepliesMark(ok),
    warmupMark(ok),
    runtimeMark(ok),
    connectionsMark(ok),
    leakMark(ok.map(({ member }) => member.sizes ?? [])),
    writtenMark(ok.map(({ member }) => member.written ?? [])),
    steadiness === "warming-up" ? mark(steadiness, "it still grew faster inside the window: warm up longer") : null,
    steadiness === "slowing-down" ? mark(steadiness, "it grew slower inside the window") : null,
  ];
  return marks.filter((one) => one !== null);
}

type Middle = (pick: (one: OkSolo) => number | null | undefined) => number;

function middleOf<T>(ok: readonly T[], pick: (one: T) => number | null | undefined): number {
  const values = ok.map(pick).filter((value) => value !== null && value !== undefined);
  return values.length === 0 ? 0 : median(values);
}

/** Returns the share of the servers' cores that others and the hypervisor took, over a cell's observations. */
export const takenShare = (ok: readonly Pick<Solo, "counters" | "load">[]): number =>
  middleOf(ok, (one) => one.counters?.steal_share) + middleOf(ok, (one) => unlessAtRate(one, "server_foreign_share"));

/** At a rate the core has idle time, and waking from idle costs time that belongs to no process: see contentionMarks. */
const unlessAtRate = (
  { load, counters }: Pick<Solo, "counters" | "load">,
  share: "server_foreign_share" | "foreign_share",
) => load?.offered_per_second === undefined ? counters?.[share] : 0;

function ceilingMark(ok: readonly OkSolo[], ceiling: Ceiling | null | undefined): Mark | null {
  if (ok.length === 0) return null;
  if (ceiling === null || ceiling === undefined) return busyMark(ok, ceiling === undefined);
  const share = median(ok.map((one) => one.load!.requests_per_second)) / ceiling.perSecond;
  if (share <= THRESHOLDS.nearCeiling) return null;
  return ceiling.bound !== "generator"
    ? busyMark(ok, true)
    : mark("near-ceiling", `at ${percent(share)} of what the generator can do with these requests`);
}

/** @param isUnmeasured true if no ceiling says that the generator can do more over plain HTTP */
function busyMark(ok: readonly OkSolo[], isUnmeasured: boolean): Mark | null {
  const [{ member: { cell }, load }] = ok as [OkSolo];
  const isClosed = load?.calls !== true && load?.offered_per_second === undefined;
  if (cell === undefined || (protocolAt(cell.point.at) === "http" && !(isUnmeasured && isClosed))) return null;
  const shares = ok.flatMap(({ counters }) => counters?.generator_share ?? []);
  const busy = shares.length === 0 ? 0 : median(shares);
  return busy <= THRESHOLDS.nearCeiling
    ? null
    : mark("near-ceiling", `the load generator was busy for ${percent(busy)} of the time, so it could do little more`);
}

function otherMarks(middle: Middle): (Mark | null)[] {
  const steal = middle((one) => one.counters?.steal_share);
  const foreign = middle((one) => unlessAtRate(one, "server_foreign_share"));
  const all = middle((one) => unlessAtRate(one, "foreign_share"));
  const wait = middle((one) => one.counters?.server_wait_share);
  return [
    steal > THRESHOLDS.stealShare ? mark("steal", `the hypervisor took ${percent(steal)} of a core`) : null,
    foreign > THRESHOLDS.foreignShare
      ? mark("foreign-cpu", `other processes used ${percent(foreign)} of the server's cores`)
      : all > THRESHOLDS.foreignShare
      ? mark(
        "foreign-cpu-beside",
        `other processes used ${percent(all)} of a core beside server and load generator`,
      )
      : null,
    wait > THRESHOLDS.waitShare
      ? mark("cpu-wait", `its busiest waiting thread waited ${percent(wait)} for a CPU`)
      : null,
  ];
}

function waitMark(ok: readonly OkSolo[], middle: Middle): Mark | null {
  // They waited for the server.
  if (ok.some(isStarved)) return null;
  const idle = -middle((one) => one.latency?.littles_law_gap);
  const requests = middle((one) => one.load!.requests / one.load!.connections);
  return idle > THRESHOLDS.littlesLawGap && requests >= THRESHOLDS.littlesLawMinRequestsPerConnection
    ? mark("generator-wait", `connections waited ${percent(idle)} of the time for the generator`)
    : null;
}

/** Marks windows with few replies of each connection: those in flight at the end weigh much. */
function fewRepliesMark(ok: readonly OkSolo[]): Mark | null {
  // Earlier versions did not count them, and recorded no replies of idle servers.
  const known = ok.filter(({ load, member }) => load?.offered_per_second === undefined && member.at_rest !== undefined);
  const closed = known.map(({ load }) => load!);
  if (closed.length === 0) return null;
  const each = median(closed.map(({ requests, connections }) => requests / connections));
  const most = each < THRESHOLDS.windowReplies && closed.every((load) => load.expected_reply_ms !== undefined);
  const window = most
    ? `a window of ${(median(closed.map(({ duration_us }) => duration_us)) / 1e6).toFixed(0)} s, as long as one may be,`
    : "a window";
  const times = `${window} held ${each.toPrecision(2)} × as many replies as connections`;
  const inFlight = closed.flatMap(({ in_flight }) => in_flight ?? []);
  if (2 * inFlight.length > closed.length) {
    return mark(
      "in-flight-counted",
      `${times}: those in flight at its end are counted in, as ${median(inFlight).toFixed(0)}`,
    );
  }
  if (each >= THRESHOLDS.leastRepliesEach) return null;
  const rate = (more: number) =>
    formatRate(median(closed.map((one) => (one.requests + more * one.connections) / (one.duration_us / 1e6))));
  return mark("few-replies", `${times}, which took unlike times: the rate is from ${rate(0)} to ${rate(1)} req/s`);
}

function rateMarks(ok: readonly OkSolo[]): (Mark | null)[] {
  const rates = ok.map((one) => one.load!.requests_per_second);
  const spread = variation(rates), drift = trend(rates);
  return [
    spread.kind === "known" && spread.cv > THRESHOLDS.cv
      ? mark("spread", `its rates vary by ${percent(spread.cv)} (CV)`)
      : null,
    drift.kind === "known" && drift.flagged
      ? mark("trend", `its rates changed by ${percent(drift.relativeChange)} over the run`)
      : null,
  ];
}

function runtimeMark(ok: readonly OkSolo[]): Mark | null {
  for (const { member: { cell, server } } of ok) {
    const served = server?.served ?? [];
    const named = cell === undefined ? undefined : runtimeNotServed(Object.values(cell.point.at), served);
    if (named !== undefined) {
      return mark("other-runtime", `it was served by ${servedText(served)}, and not by ${named}`);
    }
  }
  return null;
}

function warmupMark(ok: readonly OkSolo[]): Mark | null {
  const restless = ok.flatMap(({ member: { warmup } }) => warmup?.ended === "most" ? [warmup] : []);
  if (2 * restless.length <= ok.length) return null;
  const longest = Math.max(...restless.map(({ duration_us }) => duration_us)) / 1e6;
  const seconds = longest.toFixed(longest < 10 ? 1 : 0);
  const { kind, change } = warmupFlatness(ok);
  const few = change === null && restless.some(({ steadiness }) => steadiness.includes("moving"));
  if (!few && kind !== "moving") {
    return mark("noisy-warm-up", `its cost was too noisy to be seen steady within ${seconds} s of warm-up`);
  }
  const by = few ? "was still changing" : `still ${change! < 0 ? "fell" : "rose"} by ${percent(Math.abs(change!))}`;
  return mark("never-steady", `its cost ${by} after ${seconds} s of warm-up`);
}

/**
 * Returns the trend of a request's cost at the end of warm-ups: the mean change over all rounds. A machine that changes
 * its speed moves single rounds up or down, and among many rounds one always moved. Unknown if rounds are too few for
 * an interval.
 */
function warmupFlatness(ok: readonly OkSolo[]): Flatness {
  const changes = ok.flatMap(({ member }) => member.warmup?.changes ?? []);
  return flatnessOf(
    changes.map((change) => change === null ? Number.NaN : log1p(change)),
    thresholds.steadyChange.value,
  );
}

/**
 * Judges afterwards if warm-up was long enough: the rate of the window's last third over that of its first, mean over
 * rounds. The first slot is left out, because opening connections costs requests in it. `flat` only if the whole
 * interval lies inside the limit.
 */
export function steadinessOf(ok: readonly OkSolo[]): Steadiness {
  const { kind, change } = windowChange(ok);
  if (kind !== "moving") return kind;
  return change! > 0 ? "warming-up" : "slowing-down";
}

/** The change {@link steadinessOf} names, of the rate: 0.05 grew faster by 5 %. */
export function windowChange(ok: readonly OkSolo[]): Flatness {
  const changes = ok.flatMap((one) => {
    const slots = one.load!.sent_per_slot.slice(1, -1);
    const third = Math.floor(slots.length / 3);
    const head = sum(slots.slice(0, third)), tail = sum(slots.slice(-third));
    return third === 0 || head < THRESHOLDS.steadinessMinRequests ? [] : [log(tail / head)];
  });
  return flatnessOf(changes);
}

/** Share of the sent requests by which workers' counts may differ, in addition to one for each connection. */
const COUNTED_APART = 0.01;

/** Marks a server's workers. `shared` is the number of cores where workers were more, null if each had one. */
export function workerMarks(ok: readonly Solo[], workers: number, shared: number | null): Mark[] {
  const apart = ok.flatMap(({ workers: split, load }) => {
    const counts = split?.each.map(({ requests }) => requests) ?? [];
    if (split === undefined || split.requests === 0 || counts.length === 0 || counts.includes(null)) return [];
    const off = Math.abs(counts.reduce<number>((sum, one) => sum + one!, 0) - split.requests);
    return off > COUNTED_APART * split.requests + load!.connections ? [off / split.requests] : [];
  });
  return [
    ...(shared === null ? [] : [
      mark(
        "workers-crowded",
        `${counted(workers, "worker")} had ${
          shared === 0 ? "no cores of their own" : counted(shared, "core")
        }: the rate says nothing of more cores`,
      ),
    ]),
    ...(apart.length === 0
      ? []
      : [mark("workers-unsound", `its workers counted ${percent(Math.max(...apart))} other requests than were sent`)]),
  ];
}
