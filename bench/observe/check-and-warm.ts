import { thinReadings } from "../judge/leak.ts";
import { SETTLE_MS, SETTLE_TOGETHER_MS, settles } from "../plan/lengths.ts";
import type { PlannedObservation } from "../record/plan.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { checkReplies, type UnreadReplies } from "./check-replies.ts";
import type { Generator } from "../generators/generator.ts";
import { splitMix } from "../generators/request-mix.ts";
import type { WaitingLoad } from "./keep-at-work.ts";
import { repliesAtRest } from "./replies-at-rest.ts";
import { openedConnections } from "./findings.ts";
import { startLoad } from "./load-process.ts";
import {
  addressOf,
  loadPlanOf,
  loadSiteOf,
  noteSent,
  noteSize,
  type Running,
  seedOf,
  stoppedBy,
  timeoutOf,
  untilQueueIsEmpty,
  warmingOf,
} from "./running.ts";
import type { Site } from "./site.ts";
import { warmUp } from "./watched-load.ts";
import type { WarmupRule } from "../plan/warm-up-end.ts";
import { cellKey, USER_SUITE } from "../record/cell.ts";
import { mark } from "../record/mark.ts";
import type { IdleReplies } from "../record/replies-schema.ts";
import { GENERATORS } from "../generators/registry.ts";

/** Asks the oracle before the first load. */
export async function check(each: Running, step: PlannedObservation, site: Site): Promise<void> {
  const answer = await checkReplies(
    addressOf(each, site),
    each.oracle!,
    step.draw_seed,
    THRESHOLDS.mostReplyTimeoutMs / 2,
  );
  if ("failed" in answer) throw await stoppedBy([each], answer.failed, answer.status);
  const unread = whyUnread(answer.unread, site.tool.generator);
  if (unread !== null) throw await stoppedBy([each], mark("unread-replies", unread));
  each.member.oracle = { before: answer.replies, after: 0, audit: null };
  each.slowestMs = answer.slowestMs;
  await noteAtRest(each, step, site);
}

/** Returns why a generator would miscount a server's replies, and which would not; null if it counts right. */
function whyUnread({ interim, endedByClose }: UnreadReplies, { name, abilities }: Generator): string | null {
  const others = (can: (one: Generator["abilities"]) => boolean) =>
    Object.values(GENERATORS).filter((one) => can(one.abilities)).map((one) => one.name).join(" or ");
  if (interim !== null && abilities.countsInterim) {
    return `${interim}, which ${name} counts as replies: --generator ${others((one) => !one.countsInterim)}`;
  }
  if (endedByClose === null || !abilities.needsLength) return null;
  const can = others((one) => !one.needsLength);
  return `${endedByClose}, which ${name} does not read right: send Content-Length, or --generator ${can}`;
}

/** Replies to requests that draw of each cell's first server in a run, by its plan; later ones widen their bounds. */
const firstOf = new WeakMap<Site["plan"], Map<string, readonly (IdleReplies | undefined)[]>>();

/** Records the byte count of an idle server's replies; a second time in wider bounds if it changed. */
export async function noteAtRest(each: Running, step: PlannedObservation, { plan, ...site }: Site): Promise<void> {
  const { member, requests, oracle } = each;
  const ofRun = firstOf.get(plan) ?? new Map<string, readonly (IdleReplies | undefined)[]>();
  firstOf.set(plan, ofRun);
  const cell = cellKey(member.cell);
  // Suites of the project know their replies; of a user's requests nobody knows how many are large.
  const known = member.at_rest ?? ofRun.get(cell) ?? (member.cell.point.suite === USER_SUITE ? "nothing" : []);
  const server = { ...addressOf(each, site), requests, oracle: oracle! };
  const salt = member.at_rest === undefined ? 5 : 6;
  member.at_rest = await repliesAtRest(server, seedOf(step, salt), timeoutOf([each], { plan }), known);
  if (!ofRun.has(cell)) {
    const draws = splitMix(requests).map((template) => template.draws.length > 0);
    ofRun.set(cell, member.at_rest.map((one, n) => draws[n] ? one : undefined));
  }
}

/**
 * Loads one server alone until it is steady.
 *
 * @param still whether it is made to stand still just now
 */
export async function warm(
  each: Running,
  step: PlannedObservation,
  site: Site,
  still?: () => boolean,
): Promise<void> {
  const { warmup } = site.plan;
  const least = each.requests.calls ? "enough-calls" : "enough-to-compile";
  const isAlone = step.cells.length === 1 || step.alone;
  // Alone the load that follows may be left out, and engines compile again in it: its connections are new.
  const settleMs = isAlone || site.nextWindow !== undefined ? 0 : SETTLE_TOGETHER_MS;
  const rules: WarmupRule[] = warmup.kind === "steady"
    ? [{ least, until: "flat", leastMs: SETTLE_MS, mostMs: warmup.most_ms, settleMs }]
    : Array.from({ length: warmup.loads }, () => plannedRule(warmup.ms));
  const settle = isAlone ? [plannedRule(SETTLE_MS)] : [];
  const by = warmingOf([each], site);
  for (const [n, rule] of [...rules, ...settle].entries()) {
    const load = loadPlanOf(by.running, by.site, seedOf(step, 4 + n));
    if (n === rules.length && !settles(each.member.warmup!, openedConnections(load))) break;
    const warmed = await warmUp(load, rule, { ...loadSiteOf(by.running, by.site), still });
    if ("failed" in warmed) throw await stoppedBy([each], mark("generator-failed", warmed.failed));
    noteSent([each], load, warmed.result);
    if (n === 0) {
      each.member.warmup = warmed.warmup;
      each.sizes.push(...thinReadings(warmed.sizes));
    }
    await untilQueueIsEmpty(each, site, timeoutOf([each], site));
  }
  await noteSize(each, site);
}

/** A load on servers that wait for others to warm up; they get a signal when to work. Its length is that of its caller. */
export async function loadWaiting(
  waiting: readonly Running[],
  step: PlannedObservation,
  site: Site,
): Promise<WaitingLoad> {
  const { warmup } = site.plan;
  const by = warmingOf(waiting, site);
  const plan = loadPlanOf(by.running, by.site, seedOf(step, 3));
  const mostMs = warmup.kind === "steady" ? warmup.most_ms : warmup.loads * warmup.ms;
  // A single one reports no latencies, either: to list those of requests that waited for its turn takes wrk minutes.
  const load = await startLoad(loadSiteOf(by.running, by.site), {
    ...plan,
    durationMs: 2 * mostMs + 10_000,
    untimed: true,
  });
  return {
    over: load.result,
    async end() {
      await load.end();
      const result = await load.result;
      if ("failed" in result) throw await stoppedBy(waiting, mark("generator-failed", result.failed));
      noteSent(waiting, plan, result);
    },
  };
}

const plannedRule = (ms: number): WarmupRule => ({ least: "nothing", until: "time", leastMs: ms, mostMs: ms + 1_000 });

/** Servers that were warm alone settle together, each with its share of the core. */
export function togetherRule({ plan: { warmup } }: Site, servers: number): WarmupRule {
  const leastMs = servers * SETTLE_TOGETHER_MS;
  return warmup.kind === "fixed"
    ? plannedRule(Math.max(leastMs, warmup.ms))
    : { least: "nothing", until: "not-moving", leastMs, mostMs: Math.max(2 * leastMs, warmup.most_ms) };
}
