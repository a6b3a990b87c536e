import { METHODS } from "node:http";
import { nearestNames } from "../basics/unknown-name.ts";
import type { Body } from "../../suites/suite.ts";
import { bodyBytes } from "../basics/body-bytes.ts";
import { headerFault, pathFault } from "../generators/request-mix.ts";
import { WEBSOCKET } from "../process/web-socket.ts";

/** The most bytes of one body: plan and records contain it, and the generator copies it for each connection. */
export const MOST_BODY_BYTES = 1_048_576;

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Body | undefined;
  readonly first?: Body | undefined;
}

const UNSENT = ["HEAD", "CONNECT"];

/** Returns why a request cannot be sent as it is, in words, and the part that prevents it; null if it can. */
export function unsendable(
  { method = "GET", path = "/", headers = {}, body, first }: Sent,
): { what: string; part: readonly string[] } | null {
  if (method.toUpperCase() !== WEBSOCKET && !METHODS.includes(method.toUpperCase())) {
    const [meant] = nearestNames(method, METHODS.filter((each) => !UNSENT.includes(each)));
    const instead = meant === undefined ? "GET and POST are some" : `did you mean ${meant}?`;
    return { what: `"${method}" is no HTTP method: ${instead}`, part: ["method"] };
  }
  if (method.toUpperCase() === "HEAD") {
    return { what: "wrk cannot read replies to HEAD: ask with GET", part: ["method"] };
  }
  if (method.toUpperCase() === "CONNECT") {
    return { what: "CONNECT asks for a tunnel, and only replies are measured: ask with GET", part: ["method"] };
  }
  const odd = pathFault(path.replace(/\{[^{}]*\}/g, ""));
  if (odd !== null) return { what: odd, part: ["path"] };
  for (const [name, value] of Object.entries(headers)) {
    const fault = headerFault(name, value);
    if (fault !== null) return { what: fault, part: ["headers", name] };
  }
  if (first !== undefined && method.toUpperCase() !== WEBSOCKET) {
    return { what: "is the first message of a WebSocket alone", part: ["first"] };
  }
  for (const [part, text] of Object.entries({ body, first })) {
    if (text === undefined) continue;
    if (typeof text === "string" && !text.isWellFormed()) return { what: "holds half a character", part: [part] };
    const { length } = bodyBytes(text);
    if (length > MOST_BODY_BYTES) {
      return { what: `is ${length} bytes, more than ${MOST_BODY_BYTES}: send a smaller one`, part: [part] };
    }
  }
  return null;
}

/** Headers that a request may have only once. */
const SINGLE =
  /^(authorization|content-type|content-encoding|host|user-agent|referer|origin|date|range|max-forwards|proxy-authorization|if-.*)$/;

/** Headers by name, joined as servers read them (RFC 9110, 5.3; RFC 6265, 5.4); a text says what cannot be joined. */
export function joinedHeaders(
  pairs: Iterable<readonly [name: string, value: string]>,
): Record<string, string> | string {
  const headers: Record<string, string> = {};
  const names = new Map<string, string>();
  for (const [given, value] of pairs) {
    const key = given.toLowerCase();
    const name = names.get(key) ?? given;
    const known = headers[name];
    names.set(key, name);
    if (known === undefined) headers[name] = value;
    else if (!SINGLE.test(key)) headers[name] = `${known}${key === "cookie" ? "; " : ", "}${value}`;
    else if (known !== value) {
      return `header "${given}" comes twice, ${JSON.stringify(known)} and ${JSON.stringify(value)}`;
    }
  }
  return headers;
}
