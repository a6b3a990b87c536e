import { z } from "zod";
import type { Body } from "../../suites/suite.ts";
import { bodyOfBytes } from "../basics/body-bytes.ts";
import { hasParts, jsonOf } from "../basics/bounded-json.ts";
import { usageError } from "../basics/errors.ts";
import { present, unlessEmpty } from "../basics/present.ts";
import type { UserRequest } from "../record/user-spec.ts";
import { commonForm, replyForm } from "./recorded-form.ts";
import { joinedHeaders, unsendable } from "./sendable-request.ts";

const pairs = z.array(z.object({ name: z.string(), value: z.string() })).nullish();

const harSchema = z.object({ log: z.object({ entries: z.array(z.unknown()) }) });

/** An entry of HTTP Archive 1.2; browsers name the encoding of a body in two ways. */
const entrySchema = z.object({
  _fromCache: z.unknown().optional(),
  request: z.object({
    url: z.string(),
    method: z.string(),
    headers: pairs,
    cookies: pairs,
    postData: z.object({
      mimeType: z.string().nullish(),
      text: z.string().nullish(),
      params: z.array(z.unknown()).nullish(),
      encoding: z.string().nullish(),
      _encoding: z.string().nullish(),
    }).nullish(),
    bodySize: z.number().nullish(),
  }),
  response: z.object({
    status: z.number().nullish(),
    _error: z.string().nullish(),
    headers: pairs,
    cookies: z.array(z.object({ name: z.string() })).nullish().catch(null),
    content: z.object({ size: z.number().nullish(), text: z.string().nullish(), encoding: z.string().nullish() })
      .nullish(),
  }).nullish(),
});
type Entry = z.infer<typeof entrySchema>;

/** Headers that are made anew for each connection, as the recorded ones were. */
const OF_CONNECTION = /^(:.*|host|connection|proxy-connection|keep-alive|content-length|transfer-encoding)$/;
/** Headers that ask for a reply to an earlier visit, or for something else than a reply. */
const LEFT_OUT = /^(if-.*|expect|upgrade|http2-settings|te|trailer|sec-websocket-.*)$/;

const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The requests of a recording of a browser that went to one host: the commonest on this machine, else the commonest. Equal
 * ones get a weight, and the statuses they were answered with. What cannot be sent is left out with a line.
 */
export function requestsOfHar(text: string, path: string): { requests: UserRequest[]; leftOut: string[] } {
  const left = new Map<string, number>(), dropped = new Map<string, number>();
  const count = (counts: Map<string, number>, what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const kept = entriesOf(text, path).flatMap((given) => {
    const { data } = entrySchema.safeParse(given);
    const why = data === undefined ? "without a request, an address or a reply that can be read" : whyLeft(data);
    if (why !== null) count(left, why);
    return why === null ? [{ entry: data!, url: new URL(data!.request.url) }] : [];
  });
  const host = hostOf(kept.map(({ url }) => url));
  const others = new Map<string, number>();
  const requests = kept.flatMap(({ entry, url }) => {
    if (url.host !== host) return (count(others, url.host), []);
    const request = requestOf(entry, url, (header) => count(dropped, header));
    if (typeof request !== "string") return [request];
    count(left, request);
    return [];
  });
  const sum = others.values().reduce((all, times) => all + times, 0);
  const lines = [
    ...(others.size === 0 ? [] : [`${sum} to other hosts (${listed(others)}), not to ${host}`]),
    ...[...left].map(([why, times]) => `${times} ${why}`),
    ...lostLogins(kept.filter(({ url }) => url.host === host).map(({ entry }) => entry)),
    ...(dropped.size === 0 ? [] : [`headers: ${listed(dropped)}`]),
  ];
  if (requests.length === 0) {
    const why = lines.length === 0 ? "" : `: ${lines.join(", ")}`;
    throw usageError(`"${path}" has no requests${why}`, "record a visit and save it again");
  }
  return { requests: merged(requests), leftOut: lines.map((what) => `left out of "${path}": ${what}`) };
}

/** Returns lines on what logs a visitor in and is not in the recording: browsers leave it out, or hide its value. */
function lostLogins(entries: readonly Entry[]): string[] {
  const named = (headers: Entry["request"]["headers"], wanted: string) =>
    (headers ?? []).filter(({ name }) => name.toLowerCase() === wanted).map(({ value }) => value);
  const before = entries.slice(0, -1).map(({ response }) => response);
  const set = before.flatMap((response) => [
    ...named(response?.headers, "set-cookie").map((value) => value.split("=")[0]!.trim()),
    ...(response?.cookies ?? []).map(({ name }) => name),
  ]);
  const given = before.flatMap((response) => tokensIn(jsonOf(textOf(response?.content) ?? "")));
  const all = entries.map(({ request }) => request);
  const sent = all.flatMap(({ headers, cookies }) => [...named(headers, "cookie"), ...(cookies ?? []).map(pairOf)]);
  const tokens = all.flatMap(({ headers }) => named(headers, "authorization"));
  const line = (what: string, names: readonly string[], why: string, header: string) =>
    names.length === 0
      ? []
      : [`${what} ${
        [...new Set(names.map((name) => name.slice(0, 60)))].slice(0, MOST_LISTED).join(", ")
      }, ${why}: --header "${header}: …"`];
  const hidden = sent.flatMap((cookie) => cookie.split(/;\s*/)).filter((pair) => HIDDEN.test(pair)).map((pair) =>
    pair.split("=")[0]!
  );
  return [
    ...line("cookie", sent.length > 0 ? [] : set, "which replies set and no request sends", "cookie"),
    ...line("token", tokens.length > 0 ? [] : given, "which replies hold and no request sends", "authorization"),
    ...line("cookie", hidden, "whose value the recording hides", "cookie"),
    ...(tokens.some((value) => HIDDEN.test(value))
      ? line("header", ["authorization"], "whose value the recording hides", "authorization")
      : []),
  ];
}

const pairOf = ({ name, value }: { readonly name: string; readonly value: string }) => `${name}=${value}`;
/** A value that stands in the place of a secret, in a cookie or behind a scheme of authorization. */
const HIDDEN = /(?:^|[= ])(?:\*{3,}|x{3,}|\u2026|[[<]?(?:redacted|removed|masked|filtered|hidden)[\]>]?)$/i;

/** Names of values in JSON that log a visitor in: `token`, `access_token`. */
const tokensIn = (value: unknown): string[] =>
  !hasParts(value)
    ? []
    : Object.entries(value).flatMap(([name, inner]) =>
      typeof inner !== "string" ? tokensIn(inner) : /(token|jwt)$/i.test(name) && !/csrf|xsrf/i.test(name) ? [name] : []
    );

/** The text of a recorded body; null without one. */
const textOf = (content: NonNullable<Entry["response"]>["content"]): string | null =>
  content?.encoding === "base64"
    ? Buffer.from(content.text ?? "", "base64").toString("utf8")
    : content?.encoding
    ? null
    : content?.text ?? null;

const MOST_LISTED = 5;
function listed(counts: ReadonlyMap<string, number>): string {
  const most = [...counts].sort((a, b) => b[1] - a[1]).map(([name, times]) => `${name} × ${times}`);
  const more = most.length > MOST_LISTED ? ` and ${most.length - MOST_LISTED} more` : "";
  return `${most.slice(0, MOST_LISTED).join(", ")}${more}`;
}

/** Returns true if a text is a recording of a browser, whatever its file is called. */
export const isRecording = (text: string): boolean => harSchema.safeParse(jsonOf(text)).success;

function entriesOf(text: string, path: string): unknown[] {
  const value = jsonOf(text);
  if (value === undefined) throw usageError(`"${path}" is no JSON`, "save the recording again: browsers call it HAR");
  const { data } = harSchema.safeParse(value);
  if (data === undefined) {
    throw usageError(`"${path}" is no recording of a browser: it has no log.entries`, "save it as HAR");
  }
  return data.log.entries;
}

/** Returns why an entry is not an answered request, in words; null if it is. */
function whyLeft({ _fromCache, request: { url, method }, response }: Entry): string | null {
  if (!URL.canParse(url)) return "whose address is none";
  const { protocol } = new URL(url);
  if (!/^https?:$/.test(protocol)) return `at ${protocol} addresses`;
  if (/^CONNECT$/i.test(method)) return "that ask for a tunnel (CONNECT)";
  if (/^HEAD$/i.test(method)) return "that ask with HEAD, whose replies wrk cannot read";
  if (_fromCache) return "answered from the browser's cache";
  if (response === null || response?.status === 0 || response?._error) return "that failed, were aborted or pending";
  return response?.status === 101 ? "that changed the protocol (101)" : null;
}

/** Returns the host of most entries, one of this machine before others; of equals the first. */
function hostOf(urls: readonly URL[]): string | undefined {
  const local = urls.filter(({ hostname }) => LOOPBACK.test(hostname));
  const groups = [...Map.groupBy(local.length > 0 ? local : urls, ({ host }) => host)];
  return groups.sort(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

function requestOf(
  { request: given, response }: Entry,
  url: URL,
  drop: (header: string) => void,
): UserRequest | string {
  const all = (given.headers ?? []).map(({ name, value }) => ({ name, value, key: name.toLowerCase() }));
  const of = (wanted: string) => all.find(({ key }) => key === wanted)?.value;
  for (const { key } of all) if (LEFT_OUT.test(key)) drop(key);
  const body = bodyOf(given.postData, Number(of("content-length") ?? given.bodySize ?? -1));
  if (body === null) return "whose body it does not hold whole";
  const type = of("content-type") ?? given.postData?.mimeType;
  const headers = joinedHeaders([
    ...all.filter(({ key }) => !OF_CONNECTION.test(key) && !LEFT_OUT.test(key)).map((one) =>
      [one.name, one.value] as const
    ),
    // A recording may list cookies separately from headers.
    ...(of("cookie") === undefined ? given.cookies ?? [] : []).map(({ name, value }) =>
      ["cookie", `${name}=${value}`] as const
    ),
    ...(body !== undefined && type && of("content-type") === undefined ? [["content-type", type] as const] : []),
  ]);
  if (typeof headers === "string") return `whose ${headers}`;
  const [method, path] = [given.method.toUpperCase(), pathOf(url, given.url)];
  const request = present({ method, path, headers: unlessEmpty(headers), body });
  const fault = unsendable(request);
  if (fault !== null) return `whose ${fault.part.join(".")} ${fault.what}`;
  const status = response?.status ?? null;
  // Without the headers that made it a 304 it is answered whole.
  const recorded = status === 304 && all.some(({ key }) => key.startsWith("if-")) ? 200 : status;
  const { content, headers: replied } = response ?? {};
  const named = (replied ?? []).find(({ name }) => name.toLowerCase() === "content-type")?.value ?? "";
  const form = status !== null && status > 199 && status < 300
    ? replyForm(content?.size ?? 0, named, textOf(content))
    : undefined;
  return { ...request, ...present({ recorded: recorded === null ? null : [recorded], recorded_form: form }) };
}

/** Returns the body that was sent, in so many bytes if that is known; undefined without one, null if it is not whole. */
function bodyOf(post: Entry["request"]["postData"], bytes: number): Body | null | undefined {
  const { text, params, mimeType, encoding, _encoding } = post ?? {};
  if (!text) return bytes > 0 || (params?.length ?? 0) > 0 ? null : undefined;
  const coded = encoding || _encoding;
  if (coded) {
    const base64 = text.replace(/\s+/g, "");
    const isWhole = coded.toLowerCase() === "base64" && z.base64().safeParse(base64).success;
    return isWhole ? bodyOfBytes(Buffer.from(base64, "base64")) : null;
  }
  const length = Buffer.byteLength(text);
  if (bytes <= 0 || length === bytes) return text;
  // Some recorders write each byte of binary data as one character.
  if (text.length === bytes && !/[^\0-\xff]/.test(text)) return bodyOfBytes(Buffer.from(text, "latin1"));
  // A longer one was edited by hand.
  return length < bytes || text.includes("\ufffd") || /^multipart\//i.test(mimeType ?? "") ? null : text;
}

/** The path as it was sent, if it can be sent. Braces mark placeholders, which a recording does not have. */
function pathOf(url: URL, text: string): string {
  const sent = /^https?:\/\/[^/?#]*([^#]*)/i.exec(text)?.[1] ?? "";
  const path = sent.startsWith("/") && !/[^!-~]/.test(sent) ? sent : `${url.pathname}${url.search}`;
  return path.replaceAll("{", "%7B").replaceAll("}", "%7D");
}

function merged(requests: readonly UserRequest[]): UserRequest[] {
  const groups = Map.groupBy(requests, ({ recorded: _, recorded_form: __, ...request }) => JSON.stringify(request));
  return [...groups.values()].map((same) => {
    const recorded = [...new Set(same.flatMap(({ recorded = [] }) => recorded))].sort((a, b) => a - b);
    const { recorded: _, recorded_form: __, ...request } = same[0]!;
    const form = commonForm(same.map(({ recorded_form }) => recorded_form));
    return {
      ...request,
      weight: same.length,
      ...present({ recorded: unlessEmpty(recorded), recorded_form: form }),
    };
  });
}
