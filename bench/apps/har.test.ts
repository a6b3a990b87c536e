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

test("a form is sent: by its fields, by its text, or in parts", () => {
  const mimeType = "application/x-www-form-urlencoded";
  const params = [{ name: "user", value: "ann" }, { name: "pass", value: "x y&ü" }];
  const form = posts({ mimeType, params });
  assert.deepEqual([form.body, form.headers], ["user=ann&pass=x+y%26%C3%BC", { "content-type": mimeType }]);
  assert.equal(posts({ mimeType, params, text: "a=1" }).body, "a=1");
  const parts = posts({
    mimeType: 'multipart/form-data; boundary="b 1"',
    params: [{ name: 'a"', value: "1\r\n" }, { name: "f", fileName: "x.txt", contentType: "text/plain", value: "ü" }],
  });
  assert.equal(
    parts.body,
    '--b 1\r\nContent-Disposition: form-data; name="a%22"\r\n\r\n1\r\n\r\n' +
      '--b 1\r\nContent-Disposition: form-data; name="f"; filename="x.txt"\r\nContent-Type: text/plain\r\n\r\nü\r\n--b 1--\r\n',
  );
  assert.match(posts({ mimeType: "multipart/form-data", params }).headers!["content-type"]!, /; boundary=(\S+)$/);
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

test("what was not recorded whole, or cannot be sent, is refused with the entry's number", () => {
  const multipart = { mimeType: "multipart/form-data; boundary=b" };
  const wrong: readonly (readonly [RegExp, object])[] = [
    [/its body of 12 bytes is not in it/, { bodySize: 12 }],
    [/what the file "a\.png" held is not in it/, {
      postData: { ...multipart, params: [{ name: "f", fileName: "a.png" }] },
    }],
    [/its files are not in it: 5 of 900 bytes/, { bodySize: 900, postData: { ...multipart, text: "--b--" } }],
    [/it is no text: 4 of 2 bytes/, { bodySize: 2, postData: { text: "a\ufffd" } }],
    [/its end is not in it: 3 of 5000 bytes/, {
      headers: headers({ "content-length": "5000" }),
      postData: { text: "cut" },
    }],
    [/its body is no base64/, { postData: { text: "a-b", encoding: "base64" } }],
    [/its body is in "gzip"/, { postData: { text: "a", encoding: "gzip" } }],
    [/its form is sent as "text\/plain"/, {
      postData: { mimeType: "text/plain", params: [{ name: "a", value: "b" }] },
    }],
    [/header "Authorization" comes twice/, {
      headers: [...headers({ authorization: "a" }), ...headers({ Authorization: "b" })],
    }],
    [/headers\.a holds "\\n"/, { headers: headers({ a: "b\nc: d" }) }],
    [/headers\.a holds "€"/, { headers: headers({ a: "€" }) }],
    [/body is 1048577 bytes, more than 1048576/, { postData: { text: "x".repeat(1_048_577) } }],
    [/request\.headers\.0\.value/, { headers: [{ name: "a", value: null }] }],
    [/request\.method: is no method/, { method: "GE T" }],
  ];
  for (const [what, request] of wrong) {
    assert.throws(() => read(entry({}), entry(request)), (error: Error) => {
      assert.match(error.message, /^"a\.har", entry 2: /);
      assert.match(error.message, what);
      return true;
    });
  }
  assert.deepEqual(read(entry({ headers: null })).requests[0]!.path, "/");
});
