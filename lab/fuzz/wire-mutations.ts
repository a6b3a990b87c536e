/** Mutations of a connection: several requests at once, pieces, breaks, and bytes that are no HTTP at all. */
import { ALONE, type Exchange, type Mutation, oneOf, type Tools, UNFINISHED } from "./exchange.ts";
import { byteString, type PlainRequest, written } from "./plain-request.ts";

/** A request broken off after some of its bytes. */
const broken = (by: "fin" | "reset"): Mutation => (request, { random }) => {
  const bytes = written(request);
  return {
    method: request.method,
    bytes: bytes.slice(0, 1 + Math.floor(random() * bytes.length)),
    manner: { kind: "cut", by },
  };
};

/** Several requests in one write, all of them plain. */
function pipelined(least: number, most: number, manner: (count: number) => Exchange["manner"]): Mutation {
  return (request, tools) => {
    const count = least + Math.floor(tools.random() * (most - least + 1));
    const all = [request, ...Array.from({ length: count - 1 }, () => tools.other())];
    // Replies are told apart by their lengths, which those to HEAD do not have.
    if (all.some(({ method }) => method === "HEAD")) return undefined;
    return { method: request.method, bytes: all.map(written).join(""), manner: manner(count) };
  };
}

/** Bytes in place of a request. */
const raw =
  (make: (tools: Tools, request: PlainRequest) => string, manner: Exchange["manner"] = UNFINISHED): Mutation =>
  (request, tools) => ({ method: "GET", bytes: make(tools, request), manner });

const randomBytes = ({ random }: Tools, count: number) =>
  Array.from({ length: count }, () => String.fromCharCode(Math.floor(random() * 256))).join("");

/** The beginning of what a client says who wants to talk TLS. */
const CLIENT_HELLO = "\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03" + "\x2a".repeat(32) + "\x00\x00\x02\x13\x01";

/** Mutations of what goes over the wire, by name. */
export const WIRE_MUTATIONS: Readonly<Record<string, Mutation>> = {
  "wire: several requests at once": pipelined(2, 6, (replies) => ({ kind: "own", replies, end: "open" })),
  "wire: in pieces": (request, { random }) => ({
    method: request.method,
    bytes: written(request),
    manner: { kind: "own", replies: 1, end: "open", pieces: 2 + Math.floor(random() * 6) },
  }),
  "wire: half closed behind a whole request": (request) => ({
    method: request.method,
    bytes: written(request),
    manner: UNFINISHED,
  }),
  "wire: half closed within a request": (request, { random }) => {
    const bytes = written(request);
    return {
      method: request.method,
      bytes: bytes.slice(0, 1 + Math.floor(random() * (bytes.length - 1))),
      manner: UNFINISHED,
    };
  },
  "wire: broken off, then closed": broken("fin"),
  "wire: broken off, then reset": broken("reset"),
  "wire: many requests, then reset": pipelined(5, 20, () => ({ kind: "cut", by: "reset" })),
  "wire: many requests, then closed": pipelined(5, 20, () => ({ kind: "cut", by: "fin" })),
  "wire: a bad request behind a good one": (request) => ({
    method: request.method,
    bytes: written(request) + "GET / HTTP/1.1\r\nHost: a\r\nX A: b\r\n\r\n",
    manner: { kind: "own", replies: 2, end: "open" },
  }),
  "wire: nothing": raw(() => ""),
  "wire: random bytes": raw((tools) => randomBytes(tools, oneOf([1, 20, 400, 5_000], tools))),
  "wire: random bytes and the end of a head": raw((tools) => `${randomBytes(tools, 60)}\r\n\r\n`, ALONE),
  "wire: a byte of the request changed": raw((tools, request) => {
    const bytes = written({ ...request, body: null });
    const at = Math.floor(tools.random() * (bytes.length - 4));
    return bytes.slice(0, at) + randomBytes(tools, 1) + bytes.slice(at + 1);
  }, ALONE),
  "wire: empty lines alone": raw((tools) => oneOf(["\r\n", "\r\n\r\n\r\n", "\n\n", "\r\r"], tools)),
  "wire: TLS": raw(() => CLIENT_HELLO),
  "wire: HTTP/2": raw(() => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00", ALONE),
  "wire: a proxy's greeting": raw((_, request) => `PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n${written(request)}`, ALONE),
  "wire: a reply": raw(() => "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ALONE),
  "wire: text": raw(() => byteString("EHLO example.org\r\nQUIT\r\n\r\n"), ALONE),
};
