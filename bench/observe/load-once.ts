import { replyMsOf, windowMs } from "../plan/lengths.ts";
import type { PlannedObservation } from "../record/plan.ts";
import { sum } from "../statistics/variation.ts";
import { sampleReplies } from "./sample-replies.ts";
import { openedConnections } from "./findings.ts";
import { togetherRule } from "./check-and-warm.ts";
import { measureLoad } from "./measure-load.ts";
import { measureTogether } from "./measure-together.ts";
import { addressOf, loadPlanOf, loadSiteOf, noteSent, type Running, stoppedBy, timeoutOf } from "./running.ts";
import { readServices } from "./services.ts";
import { readWorkers } from "./workers.ts";
import type { Site } from "./site.ts";
import { mark } from "../record/mark.ts";

/** One measured load, of several servers after they have settled in it, and the same as results keep it. */
export async function loadOnce(
  running: readonly Running[],
  site: Site,
  durationMs: number,
  seed: number,
) {
  const plan = { ...loadPlanOf(running, site, seed), durationMs };
  const on = loadSiteOf(running, site);
  const asking = running.map((each) => samplerOf(each, running.length, plan.durationMs, site, seed));
  const used = await Promise.all(running.map(({ services }) => readServices(services, site)));
  const workers = running.length === 1 ? await readWorkers(running[0]!, site, plan.durationMs) : null;
  const measured = running.length === 1
    ? await measureLoad(plan, on).finally(() => workers?.stop())
    : await measureTogether(plan, togetherRule(site, running.length), on);
  const found = await Promise.all(asking.map((sampler) => sampler?.end() ?? null));
  if ("failed" in measured) throw await stoppedBy(running, mark("generator-failed", measured.failed));
  noteSent(running, plan, measured.result);
  const sentTo = running.map((each) => each.sent.at(-1)!.sent);
  const slack = site.tool.generator.name === site.wrk.generator.name ? {} : { slack_bytes: OTHER_HEADS };
  const samples = found.map((checked, n) => {
    if (checked === null) return null;
    const sent = sentTo[n]!;
    const { mix } = running[n]!.requests;
    return {
      sent: sent.length === 0 ? [] : mix.map((_, place) => sum(sent.map((thread) => thread[place] ?? 0))),
      ...slack,
      ...checked,
      // During the turns of others a server answers nothing, so times are left out.
      ...(running.length > 1 ? { took_us: [] } : {}),
    };
  });
  const sent = sentTo.map((ofServer) => sum(ofServer.flat()));
  const services = await Promise.all(used.map((read, n) => read(sent[n]!)));
  return {
    ...measured,
    loaded: {
      ...measured.loaded,
      ...(samples.every((checked) => checked === null) ? {} : { beside: samples }),
      ...(services.every((ofServer) => ofServer.length === 0) ? {} : { services }),
      ...(workers === null ? {} : { workers: await workers.end(sent[0]!) }),
    },
  };
}

/** The same for as long as each connection takes to get some replies: longer than planned where these are slow. */
export async function loadForReplies(
  running: readonly Running[],
  step: PlannedObservation,
  site: Site,
  plannedMs: number,
) {
  const connections = openedConnections(loadPlanOf(running, site, step.draw_seed));
  const replyMs = Math.max(
    ...running.map(({ member: { warmup }, slowestMs }) => (warmup && replyMsOf(warmup, connections)) ?? slowestMs),
  );
  const open = running.some(({ requests }) => !("closed" in requests.pace));
  const ms = open ? plannedMs : windowMs(plannedMs, replyMs, running.length);
  const measured = await loadOnce(running, site, ms, step.draw_seed);
  const { load } = measured.loaded;
  return ms === plannedMs
    ? measured
    : { ...measured, loaded: { ...measured.loaded, load: { ...load!, expected_reply_ms: replyMs } } };
}

/** The most bytes by which heads of replies differ because of the generator's headers. */
const OTHER_HEADS = 160;

/** A client that samples one server's replies during the load on all; null if the suite has no requests for it. */
function samplerOf(each: Running, servers: number, windowMs: number, site: Site, seed: number) {
  const { oracle, requests, sent, member: { warmup } } = each;
  if (oracle === null) return null;
  const perSecond = warmup === null ? null : warmup.requests / (warmup.duration_us / 1e6) / servers;
  const server = { ...addressOf(each, site), oracle, requests, loads: sent.length, perSecond, windowMs };
  return sampleReplies(server, (seed ^ 0x2545f491) >>> 0, timeoutOf([each], site));
}
