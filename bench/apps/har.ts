import { z } from "zod";
import { jsonOf } from "../basics/bounded-json.ts";
import { usageError } from "../basics/errors.ts";
import { issueText } from "../record/issue-text.ts";
import type { UserRequest } from "../record/user-spec.ts";
import { postDataSchema, postedBody } from "./har-body.ts";
import { joinedHeaders, unsendable } from "./sendable-request.ts";

const pair = z.looseObject({ name: z.string(), value: z.string() });

const harSchema = z.looseObject({ log: z.looseObject({ entries: z.array(z.unknown()) }) });

const requestSchema = z.looseObject({
  method: z.string().regex(/^[A-Za-z]+$/, "is no method"),
  headers: z.array(pair).nullish(),
  cookies: z.array(pair).nullish(),
  postData: postDataSchema.nullish(),
  bodySize: z.number().nullish(),
});

const looseEntry = z.object({
  _fromCache: z.unknown().optional(),
  request: z.object({ url: z.string(), method: z.string().optional() }),
  response: z.object({ status: z.number().nullish(), _error: z.string().nullish() }).nullish(),
});

/** Headers that are made anew for each connection, as the recorded ones were. */
const OF_CONNECTION = /^(:.*|host|connection|proxy-connection|keep-alive|content-length|transfer-encoding)$/;
/** Headers that ask for a reply to an earlier visit, or for something else than a reply. */
const LEFT_OUT = /^(if-.*|expect|upgrade|http2-settings|te|trailer|sec-websocket-.*)$/;

const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

interface HarRequests {
  readonly requests: UserRequest[];
  readonly leftOut: string[];
}

interface Kept {
  /** Of the entry, from 1. */
  readonly n: number;
  readonly entry: unknown;
  readonly url: URL;
  readonly status: number | null;
}

/**
 * The requests of a recording of a browser that went to one host: the commonest on this machine, else the commonest. Equal
 * ones get a weight, and the statuses they were answered with. Throws a usage error that names the file and the entry.
 */
export function requestsOfHar(text: string, path: string): HarRequests {
  const left = new Map<string, number>();
  const leave = (why: string) => void left.set(why, (left.get(why) ?? 0) + 1);
  const kept = entriesOf(text, path).flatMap((entry, n) => keptOf(entry, n + 1, leave));
  const host = hostOf(kept);
  if (host === undefined) {
    const why = [...left].map(([each, count]) => `${count} ${each}`).join(", ");
    throw usageError(`"${path}" has no requests${why && `: ${why}`}`, "record a visit and save it again");
  }
  const ofHost = kept.filter(({ url }) => url.host === host);
  const others = Map.groupBy(kept.filter(({ url }) => url.host !== host), ({ url }) => url.host);
  const counts = [...others].map(([name, { length }]) => [name, length] as const).sort((a, b) => b[1] - a[1]);
  const dropped = new Map<string, number>();
  const requests = merged(ofHost.map((each) => requestOf(each, path, dropped)));
  const lines = [
    ...(counts.length === 0
      ? []
      : [`${kept.length - ofHost.length} to other hosts (${listed(counts)}), not to ${host}`]),
    ...[...left].map(([why, count]) => `${count} ${why}`),
    ...(dropped.size === 0 ? [] : [`headers: ${listed([...dropped])}`]),
  ];
  return { requests, leftOut: lines.map((what) => `left out of "${path}": ${what}`) };
}

const MOST_LISTED = 5;
const listed = (counts: readonly (readonly [name: string, count: number])[]) =>
  counts.slice(0, MOST_LISTED).map(([name, count]) => `${name} × ${count}`).join(", ") +
  (counts.length > MOST_LISTED ? ` and ${counts.length - MOST_LISTED} more` : "");

function entriesOf(text: string, path: string): unknown[] {
  const value = jsonOf(text);
  if (value === undefined) throw usageError(`"${path}" is no JSON`, "save the recording again: browsers call it HAR");
  const { data } = harSchema.safeParse(value);
  if (data === undefined) {
    throw usageError(`"${path}" is no recording of a browser: it has no log.entries`, "save it as HAR");
  }
  return data.log.entries;
}

/** An entry with a request and a reply; undefined for any other. */
function keptOf(entry: unknown, n: number, leave: (why: string) => void): Kept[] {
  const out = (why: string): Kept[] => (leave(why), []);
  const { data } = looseEntry.safeParse(entry);
  if (data === undefined) return out("without a request, an address or a reply that can be read");
  const { request, response, _fromCache } = data;
  if (!URL.canParse(request.url)) return out("whose address is none");
  const url = new URL(request.url);
  if (!/^https?:$/.test(url.protocol)) return out(`at ${url.protocol} addresses`);
  if (request.method?.toUpperCase() === "CONNECT") return out("that ask for a tunnel (CONNECT)");
  if (request.method?.toUpperCase() === "HEAD") return out("that ask with HEAD, whose replies wrk cannot read");
  if (_fromCache) return out("answered from the browser's cache");
  if (response === null || response?.status === 0 || response?._error) {
    return out("that failed, were aborted or pending");
  }
  if (response?.status === 101) return out("that changed the protocol (101)");
  return [{ n, entry, url, status: response?.status ?? null }];
}

/** Returns the host of most entries, one of this machine before others; of equals the first. */
function hostOf(kept: readonly Kept[]): string | undefined {
  const local = kept.filter(({ url }) => LOOPBACK.test(url.hostname));
  const groups = Map.groupBy(local.length > 0 ? local : kept, ({ url }) => url.host);
  return [...groups].reduce<[string, readonly Kept[]] | undefined>(
    (most, each) => most === undefined || each[1].length > most[1].length ? each : most,
    undefined,
  )?.[0];
}

function requestOf({ n, entry, url, status }: Kept, path: string, dropped: Map<string, number>): UserRequest {
  const { data, error } = z.object({ request: requestSchema }).safeParse(entry);
  const name = `"${path}", entry ${n}`;
  if (data === undefined) {
    throw usageError(`${name}: ${issueText(error!)}`, "save it again as HAR, or take the entry out");
  }
  const { method, headers: given, cookies, postData, bodySize } = data.request;
  const refused = (what: string) =>
    usageError(`${name}: ${method} ${url.pathname.slice(0, 80)}: ${what}`, "record it anew, or take the entry out");
  const pairs = (given ?? []).map(({ name, value }) => [name, value] as const);
  const of = (wanted: string) => pairs.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const kept = pairs.filter(([name]) => !OF_CONNECTION.test(name.toLowerCase()) && !LEFT_OUT.test(name.toLowerCase()));
  for (const [name] of pairs) {
    const key = name.toLowerCase();
    if (LEFT_OUT.test(key)) dropped.set(key, (dropped.get(key) ?? 0) + 1);
  }
  // Recordings may hold cookies apart from headers.
  if (of("cookie") === undefined) {
    kept.push(...(cookies ?? []).map(({ name, value }) => ["cookie", `${name}=${value}`] as const));
  }
  const length = Number(of("content-length") ?? bodySize ?? -1);
  const posted = postedBody(postData, of("content-type"), length >= 0 ? length : null);
  if (typeof posted === "string") throw refused(posted);
  const { body, type } = posted;
  const typed = body === undefined || type === undefined
    ? kept
    : [...kept.filter(([name]) => name.toLowerCase() !== "content-type"), ["content-type", type] as const];
  const headers = joinedHeaders(typed);
  if (typeof headers === "string") throw refused(headers);
  const request = {
    method: method.toUpperCase(),
    path: pathOf(url, (entry as { request: { url: string } }).request.url),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
  const fault = unsendable(request);
  if (fault !== null) throw refused(`${fault.part.join(".")} ${fault.what}`);
  const conditional = pairs.some(([name]) => /^if-/i.test(name));
  const recorded = status === 304 && conditional ? 200 : status;
  return { ...request, ...(recorded === null ? {} : { recorded: [recorded] }) };
}

/** The path as it was sent, if it can be sent. Braces stand for draws, of which a recording has none. */
function pathOf(url: URL, text: string): string {
  const sent = /^https?:\/\/[^/?#]*([^#]*)/i.exec(text)?.[1] ?? "";
  const path = sent.startsWith("/") && !/[^!-~]/.test(sent) ? sent : `${url.pathname}${url.search}`;
  return path.replaceAll("{", "%7B").replaceAll("}", "%7D");
}

/** Merges equal requests: counts them and collects their statuses. */
function merged(requests: readonly UserRequest[]): UserRequest[] {
  const groups = Map.groupBy(requests, ({ recorded: _, ...request }) => JSON.stringify(request));
  return [...groups.values()].map((same) => {
    const recorded = [...new Set(same.flatMap(({ recorded = [] }) => recorded))].sort((a, b) => a - b);
    const { recorded: _, ...request } = same[0]!;
    return { ...request, weight: same.length, ...(recorded.length === 0 ? {} : { recorded }) };
  });
}
