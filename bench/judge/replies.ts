import { fromTo, grouped, percent } from "../basics/units.ts";
import { mark } from "../record/mark.ts";
import type { Loaded } from "../record/load-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { IdleReplies, SampledReplies } from "../record/replies-schema.ts";
import { THRESHOLDS } from "./thresholds.ts";

interface CheckedServer {
  readonly at_rest?: readonly IdleReplies[] | undefined;
  readonly sampled: SampledReplies | null;
}

/** A load whose replies are compared with those of idle servers: the cell's server first, then those it was loaded with. */
export interface CheckedLoad {
  readonly load: Loaded["load"];
  readonly servers: readonly [CheckedServer, ...CheckedServer[]];
}

type Load = NonNullable<Loaded["load"]>;

/** Marks a load in which no sampled reply was right; undefined if one was, or if samples are too few to know. */
export function noneRightMark(load: Loaded["load"], server: CheckedServer): Mark | undefined {
  const { at_rest = [], sampled } = server;
  if (load === null || sampled === null || sampled.asked < THRESHOLDS.leastSampled) return undefined;
  if (wrongIn([sampled]) < sampled.asked) return undefined;
  // A few samples may miss right replies, which the sum of bytes shows.
  const share = shareOther(load, server, [sampled])?.share ?? 1;
  if (share < 1 - THRESHOLDS.replyBytesShare) return undefined;
  return mark("no-right-reply", `under load ${sampledText([sampled], at_rest)}`);
}

/** Marks a cell whose replies under load differ from those of the idle server, over all of its loads. */
export function otherReplies(loads: readonly CheckedLoad[]): Mark[] {
  const servers = loads.map(({ servers: [first] }) => first);
  const sampled = servers.flatMap(({ sampled }) => sampled ?? []);
  const rest = servers.flatMap(({ at_rest }) => at_rest ?? []);
  const parts = [
    ...loads.flatMap((each) => sizeText(each, sampled) ?? []).slice(0, 1),
    ...wrongIn(sampled) > 0 ? [sampledText(sampled, rest)] : [],
  ];
  return parts.length === 0 ? [] : [mark("other-replies", `under load ${parts.join("; ")}`)];
}

const wrongIn = (sampled: readonly SampledReplies[]) =>
  sampled.reduce((sum, { wrong }) => sum + wrong.reduce((of, { times }) => of + times, 0), 0);

function sampledText(sampled: readonly SampledReplies[], rest: readonly IdleReplies[]): string {
  const kinds = sampled.flatMap(({ wrong }) => wrong);
  const commonest = kinds.reduce((most, one) => one.times > most.times ? one : most);
  const known = new Set(rest.flatMap(({ statuses }) => statuses));
  const of = `${wrongIn(sampled)} of ${sampled.reduce((sum, one) => sum + one.asked, 0)} sampled replies`;
  return known.size > 0 && kinds.every(({ status }) => !known.has(status) && status === commonest.status)
    ? `${of} were ${commonest.status}, recorded ${[...known].join(" or ")}`
    : `${of} were wrong: ${commonest.text}`;
}

/** Returns how the generator's bytes differ from those of an idle server's replies; null if they do not. */
function sizeText({ load, servers }: CheckedLoad, sampled: readonly SampledReplies[]): string | null {
  // Heads of HTTP/2 are compressed depending on earlier heads, so only bodies are compared there.
  const isOfBodies = load?.body_bytes !== undefined && servers.some(({ at_rest }) => at_rest?.[0]?.bytes === null);
  const bounds = load === null ? null : expectedBytes(load, servers, isOfBodies ? "body_bytes" : "bytes");
  const { reply_bytes: whole = null, body_bytes = null, requests = 0 } = load ?? {};
  const bytes = isOfBodies ? body_bytes : whole;
  if (bounds === null || bytes === null || requests === 0) return null;
  const spare = THRESHOLDS.replyBytesShare * bytes;
  if (bytes >= bounds.low - spare && bytes <= bounds.high + spare) return null;
  // A wrong reply of one of several is a mark of that one.
  if (servers.length > 1 && servers.some(({ sampled: each }) => each !== null && wrongIn([each]) > 0)) return null;
  const apart = isOfBodies ? null : standardErrors(load!, servers, bytes);
  if (apart !== null && (apart.errors < LEAST_ERRORS || (apart.rows < LEAST_ROWS && bytes > bounds.high))) return null;
  const chance = apart === null
    ? ""
    : ` (${Math.floor(apart.errors)} standard errors apart, by chance less than once in a million)`;
  const means = [bytes / requests, bounds.least / bounds.sent, bounds.high / bounds.sent];
  const [is, least, highest] = toldApart(means);
  const most = bounds.high === Infinity ? "any number" : highest;
  const together = servers.length > 1 ? " of servers together" : "";
  const other = servers.length === 1 ? shareOther(load!, servers[0], sampled) : null;
  return other !== null
    ? `${percent(other.share, 0)} of replies were ${grouped(other.body)} bytes, recorded ${grouped(other.recorded)}`
    : `replies${together} were ${is} bytes in the mean${isOfBodies ? "" : " with their heads"}, recorded ${
      fromTo(least!, most!)
    }${chance}`;
}

/** Returns bytes in words: whole ones, or with as many digits as tell the first from the others. */
function toldApart([first, ...others]: readonly number[]): string[] {
  for (let digits = 0;; digits++) {
    const shown = [first!, ...others].map((bytes) => digits === 0 ? grouped(bytes) : bytes.toFixed(digits));
    if (digits === 3 || !others.some((other, n) => other !== first && shown[n + 1] === shown[0])) return shown;
  }
}

/** Standard errors from which a difference is none of chance: five happen less than once in a million. */
const LEAST_ERRORS = 5;

/** Replies of an idle server among which one in a hundred of another size is missed less than once in twenty times. */
const LEAST_ROWS = 300;

/**
 * Returns how many standard errors lie between the bytes of a load and those that follow from the means of idle servers,
 * and the fewest replies that a mean rests on. The error is that of the means and that of the load's own draws. Null if
 * no size varies, or a mean is not known.
 */
function standardErrors(load: Load, servers: readonly CheckedServer[], bytes: number) {
  let expected = 0, variance = 0, underway = 0, rows = Infinity;
  for (const { at_rest = [], sampled } of servers) {
    if (sampled === null) continue;
    if (sampled.sent.length === 0 && (at_rest.length > 1 || servers.length > 1)) return null;
    const sent = sampled.sent.length === 0 ? [load.requests] : sampled.sent;
    for (const [n, { bytes: range, mean_bytes, replies }] of at_rest.entries()) {
      const count = sent[n] ?? 0;
      if (count === 0) continue;
      if (mean_bytes === undefined && !isFixed(range)) return null;
      const [mean, error] = mean_bytes ?? [range![0], 0];
      expected += count * mean;
      variance += (count * error) ** 2 + count * error ** 2 * replies;
      if (mean_bytes !== undefined) rows = Math.min(rows, replies);
      underway = Math.max(underway, load.connections * servers.length * range![1]);
    }
  }
  const errors = Math.max(0, Math.abs(bytes - expected) - underway) / Math.sqrt(variance);
  return variance === 0 ? null : { errors, rows };
}

function shareOther(load: Load, { at_rest = [] }: CheckedServer, sampled: readonly SampledReplies[]) {
  const sizes = new Set(sampled.flatMap(({ wrong }) => wrong.map(({ body_bytes }) => body_bytes)));
  const [only] = at_rest;
  const [body] = sizes;
  if (load.reply_bytes === null || load.requests === 0) return null;
  if (at_rest.length !== 1 || sizes.size !== 1 || !isFixed(only!.bytes) || !isFixed(only!.body_bytes)) return null;
  const [whole, recorded] = [only!.bytes![0], only!.body_bytes![0]];
  const share = (whole - load.reply_bytes / load.requests) / (recorded - body!);
  // Heads may differ by a few bytes.
  return share > 0 && share <= 1.05 ? { share: Math.min(1, share), body: body!, recorded } : null;
}

const isFixed = (range: IdleReplies["bytes"]) => range !== null && range[0] === range[1];

/**
 * Returns the fewest and most bytes of all replies to the requests sent. On each connection one request may be
 * unanswered, or answered in part. Null if a server was not sampled while idle.
 */
function expectedBytes(load: Load, servers: readonly CheckedServer[], of: "bytes" | "body_bytes") {
  let low = 0, high = 0, sent = 0, underway = 0;
  for (const { at_rest, sampled } of servers) {
    if (sampled === null) continue;
    if (at_rest === undefined || at_rest.length === 0) return null;
    const ranges = at_rest.map((one) =>
      of === "bytes" ? boundsOf(one, sampled.slack_bytes ?? 0) : one.body_bytes ?? UNKNOWN
    );
    const least = Math.min(...ranges.map(([few]) => few)), most = Math.max(...ranges.map(([, many]) => many));
    if (sampled.sent.length === 0) {
      if (servers.length > 1) return null;
      low += load.requests * least;
      high += (load.requests + load.connections) * most;
      sent += load.requests;
    } else {
      for (const [n, count] of sampled.sent.entries()) {
        // A kind without requests adds nothing.
        if (count === 0) continue;
        low += count * ranges[n]![0];
        high += count * ranges[n]![1];
        sent += count;
      }
    }
    underway += load.connections * most;
  }
  return sent === 0 ? null : { low: Math.max(0, low - underway), least: low, high, sent };
}

const UNKNOWN: [number, number] = [0, Infinity];

/** Bytes of one reply; servers may cut chunks otherwise under load. */
function boundsOf({ bytes, chunked, loose_bytes: loose = 0 }: IdleReplies, slack: number): [number, number] {
  if (bytes === null) return UNKNOWN;
  const more = slack + loose + (chunked === true ? THRESHOLDS.chunkBytes + THRESHOLDS.chunkShare * bytes[1] : 0);
  return [Math.max(0, bytes[0] - more), bytes[1] + more];
}
