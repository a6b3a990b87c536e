/** Recordings: requests that are sent byte for byte, left out with a line, or refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyBytes } from "../basics/body-bytes.ts";
import { requestsOfHar } from "./har.ts";

const HOST = "http://localhost:3000";
const headers = (given: Readonly<Record<string, string>>) =>
  Object.entries(given).map(([name, value]) => ({ name, value }));
const entry = (request: object, response: object | null = { status: 200 }, more: object = {}) => ({
  request: { method: "GET", url: `${HOST}/`, headers: [], ...request },
  response,
  ...more,
});
const read = (...entries: readonly unknown[]) => requestsOfHar(JSON.stringify({ log: { entries } }), "a.har");
const posts = (postData: object, request: object = {}) =>
  read(entry({ method: "POST", url: `${HOST}/post`, postData, ...request })).requests[0]!;

test("a form is sent by its text, with the type that the recording has", () => {
  const mimeType = "application/x-www-form-urlencoded";
  const form = posts({ mimeType, text: "a=1", params: [{ name: "a", value: "1" }] });
  assert.deepEqual([form.body, form.headers], ["a=1", { "content-type": mimeType }]);
});

test("a body in base64 is its bytes, and one written a byte a character as well", () => {
  const bytes = Buffer.of(0x89, 0x50, 0, 0xff);
  for (const key of ["encoding", "_encoding"]) {
    const { body } = posts({ mimeType: "image/png", text: bytes.toString("base64"), [key]: "base64" });
    assert.ok(bodyBytes(body!).equals(bytes), key);
    assert.equal(posts({ mimeType: "text/plain", text: "dXNlcj1hbm4=", [key]: "base64" }).body, "user=ann");
  }
  const { body } = posts({ mimeType: "image/png", text: bytes.toString("latin1") }, { bodySize: 4 });
  assert.ok(bodyBytes(body!).equals(bytes));
  assert.equal(posts({ text: "\ufeffa\r\nb\0ü" }, { bodySize: 10 }).body, "\ufeffa\r\nb\0ü");
});

test("headers go out as recorded, cookies together, but those of the connection", () => {
  const [first] = read(entry({
    headers: [
      ...headers({ ":authority": "x", "Host": "shop", "Connection": "close", "Content-Length": "0" }),
      ...headers({ "Accept-Encoding": "gzip, br", "Sec-Fetch-Site": "same-origin", "Cookie": "a=1", "x-tag": "1" }),
      ...headers({ "cookie": "b=2", "X-Tag": "2", "If-None-Match": '"e"' }),
    ],
  }, { status: 304 })).requests;
  assert.deepEqual(first!.headers, {
    "Accept-Encoding": "gzip, br",
    "Sec-Fetch-Site": "same-origin",
    "Cookie": "a=1; b=2",
    "x-tag": "1, 2",
  });
  const apart = read(entry({ cookies: headers({ a: "1", b: "2" }) })).requests[0]!;
  assert.deepEqual(apart.headers, { cookie: "a=1; b=2" });
});

test("a path goes out as it was sent, encoded where it was not", () => {
  const path = (url: string) => read(entry({ url: `${HOST}${url}` })).requests[0]!.path;
  assert.equal(path("/a/../b//c?x=1&x=2|^#top"), "/a/../b//c?x=1&x=2|^");
  assert.equal(path("/ü x?q={id}"), "/%C3%BC%20x?q=%7Bid%7D");
  assert.equal(path("?q"), "/?q");
});

test("the commonest host of this machine is taken, else the commonest, and what is left out is counted", () => {
  const at = (host: string) => entry({ url: `http://${host}/` });
  const { requests, leftOut } = read(
    at("id.example"),
    at("cdn.example"),
    at("cdn.example"),
    at("localhost:3000"),
    entry({ headers: headers({ "if-none-match": "x", "expect": "100-continue" }) }),
    entry({}, { status: 0 }),
    entry({}, null),
    entry({}, { status: 200 }, { _fromCache: "disk" }),
    entry({ url: "data:text/plain,a" }),
    entry({ url: "ws://localhost:3000/" }),
    entry({ method: "HEAD" }),
    entry({ method: "CONNECT" }),
    entry({ url: null }),
    entry({ url: "/" }),
    {},
    null,
  );
  assert.deepEqual(requests.map(({ path, weight }) => [path, weight]), [["/", 2]]);
  assert.deepEqual(leftOut, [
    'left out of "a.har": 3 to other hosts (cdn.example × 2, id.example × 1), not to localhost:3000',
    'left out of "a.har": 2 that failed, were aborted or pending',
    'left out of "a.har": 1 answered from the browser\'s cache',
    'left out of "a.har": 1 at data: addresses',
    'left out of "a.har": 1 at ws: addresses',
    'left out of "a.har": 1 that ask with HEAD, whose replies wrk cannot read',
    'left out of "a.har": 1 that ask for a tunnel (CONNECT)',
    'left out of "a.har": 3 without a request, an address or a reply that can be read',
    'left out of "a.har": 1 whose address is none',
    'left out of "a.har": headers: if-none-match × 1, expect × 1',
  ]);
  const remote = read(at("id.example"), at("shop.example"), at("shop.example"));
  assert.match(
    remote.leftOut[0]!,
    /^left out of "a\.har": 1 to other hosts \(id\.example × 1\), not to shop\.example$/,
  );
});

test("equal requests have all statuses they were answered with, a 304 to a conditional one as the whole", () => {
  const conditional = { headers: headers({ "if-none-match": "x" }) };
  const { requests } = read(entry({}, { status: 404 }), entry({}), entry(conditional, { status: 304 }), entry({}, {}));
  assert.deepEqual(requests, [{ method: "GET", path: "/", weight: 4, recorded: [200, 404] }]);
});

test("what was not recorded whole, or cannot be sent, is left out with the reason", () => {
  const cut = /whose body it does not hold whole/;
  const multipart = "multipart/form-data; boundary=b";
  const wrong: readonly (readonly [RegExp, object])[] = [
    [cut, { bodySize: 12 }],
    [cut, { postData: { mimeType: multipart, params: [{ name: "f", fileName: "a.png" }] } }],
    [cut, { bodySize: 3, postData: { mimeType: multipart, text: "--b--" } }],
    [cut, { bodySize: 2, postData: { text: "a\ufffd" } }],
    [cut, { headers: headers({ "content-length": "5000" }), postData: { text: "cut" } }],
    [cut, { postData: { text: "a-b", encoding: "base64" } }],
    [cut, { postData: { text: "a", encoding: "gzip" } }],
    [/whose header "Authorization" comes twice/, {
      headers: [...headers({ authorization: "a" }), ...headers({ Authorization: "b" })],
    }],
    [/headers\.a holds "\\n"/, { headers: headers({ a: "b\nc: d" }) }],
    [/headers\.a holds "€"/, { headers: headers({ a: "€" }) }],
    [/body is 1048577 bytes, more than 1048576/, { postData: { text: "x".repeat(1_048_577) } }],
    [/1 without a request/, { headers: [{ name: "a", value: null }] }],
    [/method "GE T" is no HTTP method|method "GE T"/, { method: "GE T" }],
  ];
  for (const [what, request] of wrong) {
    const { requests, leftOut } = read(entry({}), entry(request));
    assert.equal(requests.length, 1);
    assert.match(leftOut.join("\n"), what);
    assert.throws(() => read(entry(request)), /^.*"a\.har" has no requests: 1 w/);
  }
  assert.deepEqual(read(entry({ headers: null })).requests[0]!.path, "/");
});
