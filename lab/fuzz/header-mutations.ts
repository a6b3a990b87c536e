/** Mutations of the header lines of a request. */
import { ALONE, KEPT, type Manner, type Mutation, oneOf, type Tools } from "./exchange.ts";
import { byteString, headerLines, headOf, type PlainRequest, requestLine, written } from "./plain-request.ts";

/** With one more header line of the choices. */
function withLine(choices: readonly string[], manner: Manner = ALONE): Mutation {
  return withLines((_, tools) => [oneOf(choices, tools)], manner);
}

/** With some more header lines. */
function withLines(make: (request: PlainRequest, tools: Tools) => readonly string[], manner: Manner = ALONE): Mutation {
  return (request, tools) => ({
    method: request.method,
    bytes: headOf([requestLine(request), ...headerLines(request), ...make(request, tools)]) + (request.body ?? ""),
    manner,
  });
}

/** With other lines in place of the one Host. */
function asHost(choices: readonly (readonly string[])[]): Mutation {
  return (request, tools) => ({
    method: request.method,
    bytes: headOf([requestLine(request), ...oneOf(choices, tools), ...headerLines(request).slice(1)]) +
      (request.body ?? ""),
    manner: ALONE,
  });
}

/** The whole request with other ends of lines. */
function endedBy(end: string): Mutation {
  return (request) => ({
    method: request.method,
    bytes: [requestLine(request), ...headerLines(request), "", ""].join(end) + (request.body ?? ""),
    manner: ALONE,
  });
}

/** Replaces the content type. */
function asType(choices: readonly string[]): Mutation {
  return (request, tools) => {
    if (request.body === null) return undefined;
    const others = request.headers.filter(([name]) => name.toLowerCase() !== "content-type");
    const type = oneOf(choices, tools);
    const headers = type === "" ? others : [...others, ["Content-Type", type] as const];
    return { method: request.method, bytes: written({ ...request, headers }), manner: KEPT };
  };
}

const many = (count: number) => Array.from({ length: count }, (_, n) => `X-Many-${n}: ${n}`);

/** Mutations of header lines, by name. */
export const HEADER_MUTATIONS: Readonly<Record<string, Mutation>> = {
  "host: none": asHost([[]]),
  "host: twice": asHost([["Host: localhost", "Host: localhost"], ["Host: a", "Host: b"]]),
  "host: empty": asHost([["Host:"], ["Host: "]]),
  "host: odd but sound": asHost([["Host: EXAMPLE.org:8080"], ["Host: 127.0.0.1"], ["Host: [::1]:80"], ["hOsT: a"]]),
  "host: with signs of a URL": asHost([["Host: a/b"], ["Host: a?b"], ["Host: a#b"], ["Host: user@a"], ["Host: a\\b"]]),
  "host: no host": asHost([
    ["Host: a b"],
    ["Host: [::1"],
    ["Host: a:99999"],
    ["Host: a:b"],
    ["Host: http://a"],
    ["Host: <>"],
    ["Host: %00"],
    [`Host: ${byteString("é")}`],
    ["Host: ^"],
  ]),
  "header: sound and unknown": withLine(
    ["X-A: b", "x-a:b", "X-A:", "X-A:   b   ", "X-A:\tb\t", "!#$%&'*+.^_`|~: a"],
    KEPT,
  ),
  "header: same name twice": withLines(() => ["X-A: 1", "X-A: 2", "x-a: 3"], KEPT),
  "header: name of a property": withLine(["__proto__: a", "constructor: a", "toString: a", "hasOwnProperty: a"], KEPT),
  "header: cookies": withLine([
    "Cookie: a=b; c",
    "Cookie: =; ;;=",
    "Cookie: __proto__=1",
    `Cookie: ${"a=b; ".repeat(300)}`,
  ], KEPT),
  "header: conditions and ranges": withLine([
    "Range: bytes=0-1",
    "Range: bytes=5-1",
    "If-None-Match: *",
    'If-None-Match: "a", W/"b"',
    "If-Modified-Since: yesterday",
    "If-Match: *",
  ], KEPT),
  "header: what is accepted": withLine([
    "Accept: */*;q=x",
    "Accept: a",
    "Accept-Encoding: gzip, br",
    "Accept-Charset: utf-7",
    "TE: trailers",
  ], KEPT),
  "header: of a proxy": withLine([
    "X-Forwarded-For: 1.2.3.4",
    "X-Forwarded-Proto: javascript",
    "X-Forwarded-Host: a b",
    "Forwarded: for=x",
    "X-HTTP-Method-Override: DELETE",
    "Via: 1.1 a",
    "Max-Forwards: 0",
  ], KEPT),
  "header: from elsewhere": withLine(
    ["Origin: null", "Origin: http://a b", "Referer: ::", "Authorization: Basic %%%"],
    KEPT,
  ),
  "header: space before the colon": withLine(["X-A : b", "X-A\t: b"]),
  "header: folded": withLine(["X-A: b\r\n c", "X-A: b\r\n\tc", "X-A:\r\n b"]),
  "header: folded first line": (request) => ({
    method: request.method,
    bytes: headOf([requestLine(request), " X-A: b", ...headerLines(request)]) + (request.body ?? ""),
    manner: ALONE,
  }),
  "header: no colon": withLine(["X-A", "X-A b", "=", "GET / HTTP/1.1"]),
  "header: empty name": withLine([": a", ":"]),
  "header: name with signs": withLine(["X@A: b", "X A: b", "X(A): b", '"X": b', "X/A: b", "{}: b", "X=A: b"]),
  "header: name with bytes above 127": withLine([byteString("X-é: b"), "X-\xff: b"]),
  "header: control characters in the name": withLine(["X\x01A: b", "X\x00A: b", "X\x7fA: b"]),
  "header: control characters in the value": withLine(["X-A: \x01", "X-A: a\x7fb", "X-A: a\x1bb", "X-A: a\x0bb"]),
  "header: NUL in the value": withLine(["X-A: \x00", "X-A: a\x00b"]),
  "header: bytes above 127 in the value": withLine([byteString("X-A: é無🐻"), "X-A: \xff", "X-A: \x80"]),
  "header: carriage return in the value": withLine(["X-A: a\rb", "X-A: \r", "X-A: a\r\r"]),
  "header: long": withLines((_, tools) => [`X-Long: ${"l".repeat(oneOf([1_000, 4_000, 7_000], tools))}`], KEPT),
  "header: longer than servers take": withLines((_, tools) => [
    `X-Long: ${"l".repeat(oneOf([70_000, 300_000], tools))}`,
  ]),
  "header: long name": withLines((_, tools) => [`${"N".repeat(oneOf([300, 5_000], tools))}: a`]),
  "header: fifty of them": withLines(() => many(50), KEPT),
  "header: hundreds of them": withLines((_, tools) => many(oneOf([99, 150, 300], tools))),
  "header: thousands of them": withLines((_, tools) => many(oneOf([2_100, 5_000], tools))),
  "lines: ended by LF alone": endedBy("\n"),
  "lines: ended by CR alone": endedBy("\r"),
  "lines: one ended by LF alone": withLine(["X-A: b\nX-B: c"]),
  "lines: empty ones before the request": (request, tools) => ({
    method: request.method,
    bytes: oneOf(["\r\n", "\r\n\r\n", "\n"], tools) + written(request),
    manner: ALONE,
  }),
  "type: another sound one": asType([
    "text/plain",
    "application/json; charset=utf-8",
    "text/html",
    "multipart/form-data",
  ]),
  "type: none": asType([""]),
  "type: rubbish": asType([
    "/",
    "json",
    ";;",
    "a/b/c",
    "application/json; charset=nonsense",
    "multipart/form-data; boundary=",
  ]),
  "coding of the content: not what it says": withLine([
    "Content-Encoding: gzip",
    "Content-Encoding: br",
    "Content-Encoding: x",
  ], KEPT),
  "expect: 100-continue": withLine(["Expect: 100-continue", "expect: 100-Continue"]),
  "expect: something else": withLine(["Expect: 200-ok", "Expect: rubbish", "Expect:"]),
  "connection: close": withLine(["Connection: close", "connection: CLOSE", "Connection: a, close"]),
  "connection: keep-alive": withLine([
    "Connection: keep-alive",
    "Keep-Alive: timeout=0, max=0",
    "Proxy-Connection: close",
  ], KEPT),
  "connection: rubbish": withLine([
    "Connection:",
    "Connection: ,,",
    "Connection: host",
    "Connection: x y",
    "Connection: @",
  ]),
  "upgrade: WebSocket": withLines((_, tools) => [
    "Connection: Upgrade",
    "Upgrade: websocket",
    ...oneOf([["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="], []], tools),
  ]),
  "upgrade: HTTP/2": withLines(
    () => ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"],
  ),
  "upgrade: something else": withLines((_, tools) => ["Connection: upgrade", oneOf(["Upgrade: x", "Upgrade:"], tools)]),
};
