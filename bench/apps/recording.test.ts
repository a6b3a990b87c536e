import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { type GivenOption, record } from "../../tests/record-apps.ts";
import type { BenchError } from "../basics/errors.ts";
import { howStarted } from "./try-to-start.ts";

test("a recording is asked as it was, and its statuses are those that count", async () => {
  const shop = `export default { async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/login") return new Response(new URLSearchParams(await request.text()).get("user"));
    if (pathname === "/gone") return new Response("none", { status: 404 });
    return new Response(null, { status: 302, headers: { location: "/login" } });
  } };`;
  type Visit = readonly [path: string, status: number, postData?: object];
  const visits = (...all: readonly Visit[]) => {
    const sent = all.map(([path, status, postData]) => ({
      request: { method: postData === undefined ? "GET" : "POST", url: `http://localhost:1${path}`, postData },
      response: { status },
    }));
    const other = { request: { method: "GET", url: "https://cdn.example/a.js" }, response: { status: 200 } };
    return JSON.stringify({ log: { entries: [other, ...sent] } });
  };
  const mimeType = "application/x-www-form-urlencoded";
  const files = {
    "shop.js": shop,
    "login.har": visits(
      ["/login", 200, { mimeType, text: "user=ann" }],
      ["/login", 200, { mimeType, text: btoa("user=ann"), encoding: "base64" }],
      ["/gone", 404],
    ),
    "session.har": visits(["/account", 200]),
  };
  const asking = (file: string, ...more: GivenOption[]) => (folder: string): GivenOption[] => [
    ["app", `shop=${join(folder, "shop.js")}`],
    ["requests", join(folder, file)],
    ...more,
  ];
  await record(files, asking("login.har"), ({ requests, samples }, told) => {
    assert.deepEqual(requests.map(({ weight, expect }) => [weight, expect]), [[2, [200]], [1, [404]]]);
    assert.equal(samples[0]!.reply!.body, "ann");
    assert.match(told[0]!, /^left out of ".*": 1 to other hosts \(cdn\.example × 1\), not to localhost:1$/);
    assert.match(told[1]!, /: answers; GET \/gone with 404$/);
  });
  await assert.rejects(record(files, asking("session.har"), () => {}), (error: BenchError) => {
    assert.match(error.message, /^GET \/account on shop on \w+: recorded 200, answers 302 to \/login$/);
    assert.match(error.hint!, /--expect 302/);
    return true;
  });
  await record(files, asking("session.har", ["expect", "302"]), (_, told) => {
    assert.match(told[1]!, /: answers; GET \/account with 302 to \/login$/);
  });
});

test("words on a start name addresses that others may reach", () => {
  const started = { need: undefined, fixed: [], process: { open: ["0.0.0.0", "10.0.0.1"] } };
  assert.equal(
    howStarted(started),
    ", listens on 0.0.0.0 and 10.0.0.1, where others may reach it: have it listen on process.env.HOST",
  );
  assert.equal(howStarted({ ...started, process: {} as never }), "");
});
