import type { KnownDifference, KnownFault } from "./differences.ts";

/** The published list: docs/experiments/parser-differences.md is made from it. Seen with Node 26.10.0, Deno 2.9.5 and Bun 1.4.5. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    of: [
      "line: tab in place of a space",
      "lines: ended by CR alone",
      "method: no token",
      "method: none",
      "version: another minor one",
      "version: lower case",
      "version: rubbish",
      "wire: random bytes",
      "wire: random bytes and the end of a head",
      "wire: text",
      "wire: a reply",
      "wire: a proxy's greeting",
    ],
    answers: { node: "400|closed", deno: "400|closed", bun: "400|505|closed" },
    why: "The first line is none of HTTP/1.1. All refuse it; Bun says 505 wherever it finds no version it knows.",
  },
  {
    of: ["line: more than one space", "path: space", "version: another major one", "version: none"],
    answers: { node: "app|400", deno: "app|400", bun: "400|505" },
    why: "Parsers may be lenient about the first line (RFC 9112, 3); Node's is, Deno's only under node:http.",
  },
  {
    of: ["method: lower case", "method: mixed case", "method: unknown", "method: long", "method: of WebDAV and others"],
    answers: { node: "app|400", deno: "app|400", bun: "app|400|closed" },
    why: "Node and Bun know a list of methods and refuse others, Bun without a reply. Deno hands every token on.",
  },
  {
    of: ["method: CONNECT"],
    answers: { node: "closed", deno: "app|400", bun: "any" },
    why:
      "CONNECT asks for a tunnel. Node closes unless the app listens for it; the others hand it on or refuse its path.",
  },
  {
    of: ["host: none", "lines: one ended by LF alone"],
    answers: { node: "400", deno: "app", bun: "400" },
    why:
      "RFC 9112 asks for a 400 without Host (3.2), and lets parsers take LF for the end of a line (2.2). Deno is lenient.",
  },
  {
    of: ["host: twice"],
    answers: { node: "app", deno: "400|app", bun: "app" },
    why: "RFC 9112, 3.2 asks for a 400; only Deno gives it. Node and Bun take the first.",
  },
  {
    of: ["host: empty", "host: with signs of a URL", "host: no host"],
    answers: { node: "400|app", deno: "any", bun: "any" },
    why:
      "Fetch handlers are given a URL that is made from Host. Node's adapter refuses what is no host; Deno and Bun put it in " +
      "front of the path as it stands, which may make another path, or no URL at all.",
  },
  {
    of: ["host: odd but sound"],
    apps: ["frameworks h3"],
    answers: { node: "any", deno: "app", bun: "app" },
    why:
      "h3 quotes the URL in its 404: on node:http with Host as it came, elsewhere as a URL object has it, in lower case " +
      "and without port 80.",
  },
  {
    of: ["header: control characters in the value"],
    answers: { node: "400", deno: "400", bun: "app" },
    why: "Such values are not allowed (RFC 9110, 5.5). Bun hands them on.",
  },
  {
    of: ["path: control characters"],
    answers: { node: "400", deno: "400", bun: "any|505" },
    why: "Such paths are not allowed. Bun hands some of them on, and takes others for the end of the path.",
  },
  {
    of: [
      "header: longer than servers take",
      "header: thousands of them",
      "query: longer than servers take",
      "path: longer than servers take",
    ],
    answers: { node: "431|closed", deno: "app|400|431|414|closed", bun: "431|closed" },
    why: "Limits are each runtime's own. Node and Bun take 16 KiB of head and say 431, Deno takes 64 KiB and says 400.",
  },
  {
    of: ["header: hundreds of them"],
    answers: { node: "app", deno: "app|400", bun: "app|431" },
    why: "Limits are each runtime's own. Deno takes some 100 headers and Bun some 200; Node counts bytes.",
  },
  {
    of: ["upgrade: WebSocket", "upgrade: HTTP/2", "upgrade: something else"],
    answers: { node: "app", deno: "app|400", bun: "app" },
    why: "A server may ignore Upgrade (RFC 9110, 7.8). Deno refuses a request with a body that asks for one.",
  },
  {
    of: ["expect: something else"],
    answers: { node: "417", deno: "app", bun: "app" },
    why: "A server may say 417 to what it does not know (RFC 9110, 10.1.1), and need not.",
  },
  {
    of: ["coding: chunked, oddly written", "length: twice the same"],
    answers: { node: "app|400", deno: "app", bun: "app" },
    why:
      "A length given twice may be taken as one (RFC 9112, 6.3), a tab in front of a coding is white space. Node is strict.",
  },
  {
    of: ["coding: unknown"],
    answers: { node: "app|400", deno: "400", bun: "400" },
    why:
      "A body in such a coding has no end that a server knows (RFC 9112, 6.3): it is refused, by Node behind the head, when " +
      "an app that reads no body has answered.",
  },
  {
    of: ["coding: something before chunked", "lines: empty ones before the request"],
    answers: { node: "app", deno: "app", bun: "400" },
    why: "Servers should skip empty lines (RFC 9112, 2.2) and may refuse codings they do not have. Bun refuses both.",
  },
  {
    of: [
      "chunks: one that is broken off",
      "chunks: without an end",
      "length: far too large",
      "length: too large, and no more comes",
      "length: too large for the limit, and no more comes",
      "wire: half closed within a request",
    ],
    answers: { node: "400|* 400|413|app", deno: "app|400|413|closed", bun: "app|400|413|closed" },
    why:
      "Nobody gets a reply to half a request, but from an app that needs no body. Node says 400 when the client closes, " +
      "behind the app's reply if there was one; Bun closes; on Deno the app reads a body that breaks off, and says 400.",
  },
  {
    of: [
      "chunks: ended by LF alone",
      "chunks: spaces behind the size",
      "chunks: long extension",
      "chunks: no size",
      "chunks: size too large to count",
      "chunks: size too small",
      "chunks: trailers",
      "chunks: leading zeros and capitals",
    ],
    answers: {
      node: "app|400|413|* 400|* 413|waits 400",
      deno: "app|400|closed|waits 400|* 400",
      bun: "app|400|413|* 400|* 413",
    },
    why:
      "Chunks that are not sound are refused, by Node before the app is asked, by Bun as they come, which may be after " +
      "the app's reply, by Deno as the app reads them: one that does not read them answers. Bun refuses trailers; Deno " +
      "takes LF for the end of a line and spaces behind a size.",
  },
  {
    of: ["length: none", "length: too small"],
    answers: { node: "400|* 400|app", deno: "any", bun: "any" },
    why: "What stands behind the body is the next request, which no parser can read: it is refused, or not waited for.",
  },
  {
    of: ["wire: half closed behind a whole request"],
    apps: ["frameworks express"],
    answers: { node: "app", deno: "app|closed", bun: "app" },
    why:
      "Express writes its 404 once the request has ended; by then Deno's node:http has let a half-closed connection go.",
  },
  {
    of: ["wire: a bad request behind a good one"],
    answers: { node: "400|* 400|*", deno: "app|* 400|*", bun: "app|* 400|*" },
    why:
      "The good one is answered and the bad one refused. Node refuses it at once where the app takes its time, so that " +
      "the reply to the good one is lost.",
  },
  {
    of: ["wire: several requests at once"],
    answers: { node: "app", deno: "any", bun: "app" },
    why:
      "Deno stops answering behind a request whose body did not arrive whole in one piece, and the client has to ask " +
      "again. Its connections are sound otherwise.",
  },
  {
    of: ["lines: ended by LF alone"],
    answers: { node: "400", deno: "app", bun: "505|400" },
    why: "A parser may take LF for the end of a line (RFC 9112, 2.2); Deno does.",
  },
  {
    of: ["path: dots", "path: encoded dots"],
    answers: { node: "app", deno: "any", bun: "app" },
    why: "A URL has its dot segments taken out. On Deno a fetch handler gets the path as it came.",
  },
  {
    of: ["path: dots", "path: encoded dots", "path: odd signs", "path: back slash"],
    apps: ["bare", "h3", "itty-router"],
    answers: { node: "any", deno: "any", bun: "any" },
    why:
      "The app takes the path from the text of the URL: as it came on node:http and Deno, without dot segments and with " +
      "odd signs encoded on Bun (what is read through a URL object is encoded everywhere).",
  },
  {
    of: ["path: odd signs"],
    answers: { node: "app", deno: "any", bun: "app" },
    why:
      "Beside an escape that is not UTF-8 Hono leaves a parameter as the URL has it, in which Node's adapter and Bun have " +
      "encoded signs such as { and a quotation mark, and Deno has not.",
  },
  {
    of: ["path: back slash", "path: bytes above 127", "query: bytes above 127"],
    answers: { node: "400|app", deno: "app|400", bun: "any" },
    why:
      "Such signs have no place in a path (RFC 3986). Node's adapter refuses them, Deno takes UTF-8, Bun takes all, and " +
      "reads a back slash as a slash.",
  },
  {
    of: [
      "path: absolute form",
      "path: absolute form of another scheme",
      "path: absolute form without a sound host",
    ],
    answers: { node: "any", deno: "any", bun: "any|505" },
    why:
      "Made for proxies. Node's adapter and Deno take the path out of it where they can read it, Bun lets another scheme " +
      "be; node:http hands it on whole, and each framework has its own way with it.",
  },
  {
    of: ["path: asterisk", "path: authority form", "path: empty", "path: without its slash"],
    answers: { node: "app|400", deno: "app|400", bun: "app|400" },
    why: "No path of an app: made for OPTIONS and CONNECT. Fetch handlers cannot be given it, those on node:http can.",
  },
  {
    of: ["wire: HTTP/2"],
    answers: { node: "400", deno: "broken", bun: "400" },
    why: "Deno speaks HTTP/2 to who begins with it, and answers in it.",
  },
  {
    of: ["wire: empty lines alone", "wire: nothing", "wire: TLS"],
    answers: { node: "closed|400", deno: "400|closed", bun: "400|closed" },
    why: "No request at all: some say so, some close.",
  },
  {
    of: ["wire: a byte of the request changed"],
    answers: { node: "any|505", deno: "any|505", bun: "any|505" },
    why: "The byte may be anywhere, and so this is any of the above.",
  },
];

const HOSTS = ["host: empty", "host: no host", "host: with signs of a URL", "path: absolute form without a sound host"];

/** Faults of frameworks, for which their sample apps are not to blame. Published with the list. */
export const KNOWN_FAULTS: readonly KnownFault[] = [
  {
    apps: ["frameworks oak"],
    of: [
      "path: broken percent-encoding",
      "path: percent-encoding that is not UTF-8",
      "wire: a byte of the request changed",
    ],
    why: "oak 14.1.0 decodes the path and answers what cannot be decoded with 500 where 400 would be right.",
  },
  {
    apps: ["frameworks oak", "frameworks h3", "frameworks itty-router"],
    of: [...HOSTS, "method: CONNECT", "wire: a byte of the request changed"],
    why:
      "oak 14.1.0, h3 2.0.8 and itty-router 6.0.0 make a URL of what Deno and Bun hand on, and answer 500 where it " +
      "makes none.",
  },
  {
    apps: ["frameworks koa"],
    of: ["path: absolute form without a sound host"],
    why: "Koa 3.3.0 makes a URL of an absolute form, and answers 500 where it is none.",
  },
];
