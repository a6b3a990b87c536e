import assert from "node:assert/strict";
import { test } from "node:test";
import { comparedHeaders, withoutPort, withoutValue } from "./compared-headers.ts";

test("headers of clock and connection are never compared, a content type in one way of writing", () => {
  const headers = {
    date: "now",
    connection: "keep-alive",
    "keep-alive": "timeout=5",
    "transfer-encoding": "chunked",
    "content-length": "3",
    "content-type": "text/html;charset=UTF-8",
    etag: "1",
  };
  assert.deepEqual(comparedHeaders(headers), { "content-type": "text/html; charset=utf-8", etag: "1" });
});

test("the type that servers give a reply whose app names none is no difference", () => {
  assert.deepEqual(comparedHeaders({ "content-type": "text/plain;charset=UTF-8" }), {});
  assert.notDeepEqual(comparedHeaders({ "content-type": "text/plain; charset=utf-16" }), {});
});

test("what compressing on the way adds is no difference", () => {
  const compressed = { "content-encoding": "gzip", etag: 'W/"1"', vary: "Origin, Accept-Encoding" };
  assert.deepEqual(comparedHeaders(compressed), comparedHeaders({ etag: '"1"', vary: "origin" }));
  assert.deepEqual(comparedHeaders({ vary: "Accept-Encoding" }), {});
  assert.notDeepEqual(comparedHeaders({ etag: 'W/"1"' }), comparedHeaders({ etag: '"1"' }));
});

test("cookies are told apart, in any order and with dates in them", () => {
  const expires = "Expires=Thu, 26 Nov 2026 08:00:00 GMT";
  const one = comparedHeaders({ "set-cookie": `b=2; Path=/; HttpOnly,a=x=1; ${expires}` });
  assert.deepEqual(one, comparedHeaders({ "set-cookie": `a=x=1; expires${expires.slice(7)}, b=2; httponly; path=/` }));
  assert.deepEqual(Object.keys(one), ["cookie:a", "cookie:b"]);
  assert.notDeepEqual(one, comparedHeaders({ "set-cookie": `b=2; Path=/,a=x=1; ${expires}` }));
  assert.deepEqual(comparedHeaders(one), one);
});

test("of a cookie that changes what it is for stays", () => {
  const cookie = "1; expires=Thu, 26 Nov 2026 08:00:00 GMT; httponly; path=/";
  assert.equal(withoutValue("cookie:sid", cookie), "{}; expires; httponly; path=/");
  assert.equal(withoutValue("expires", "now"), "{}");
});

test("a server's own port is 0 after a host and where it is called a port, and numbers stay", () => {
  const cases = [
    ["http://127.0.0.1:41234/a", "http://127.0.0.1:0/a"],
    ["http://[::1]:41234/", "http://[::1]:0/"],
    ["to=http%3A%2F%2Flocalhost%3A41234%2F", "to=http%3A%2F%2Flocalhost%3A0%2F"],
    ['{"port":41234,"id":41234}', '{"port":0,"id":41234}'],
    ["listening on port 41234", "listening on port 0"],
    ["localhost:412345", "localhost:412345"],
    ['["127.0.0.1",41234]', '["127.0.0.1",0]'],
    ['{"address":"127.0.0.1","size":41234}', '{"address":"127.0.0.1","size":41234}'],
  ];
  for (const [text, plain] of cases) assert.equal(withoutPort(text!, "http://127.0.0.1:41234"), plain);
  assert.equal(withoutPort("localhost:80", "http://localhost"), "localhost:80");
});

test("JSON is UTF-8 whether its type says so or not; another charset is a difference", () => {
  const of = (type: string) => comparedHeaders({ "content-type": type })["content-type"];
  for (const type of ["application/json", "application/problem+json"]) {
    assert.equal(of(`${type};charset=UTF-8`), type);
    assert.equal(of(`${type}; charset=latin1`), `${type}; charset=latin1`);
  }
});
