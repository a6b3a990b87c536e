/** Who asks first and who loads send the same bytes, whatever is odd about a request. */
import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
import type { RequestTemplate } from "../suites/suite.ts";
import { wrk } from "../bench/generators/wrk.ts";
import { httpClient } from "../bench/process/http-client.ts";
import { samplesOf } from "../bench/apps/samples.ts";
import { toolTest } from "./run-bench.ts";
import { startWrk } from "./started-wrk.ts";
import { until } from "./testing.ts";

const expect = [200];
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, n) => n));

const ODD: readonly RequestTemplate[] = [
  { path: "/plain", expect },
  { path: "/a/../b//c?x=1&x=2&y=%7Bid%7D&z=[]|^", expect },
  { path: "/%C3%BC%20%00", headers: { "X-Mixed-Case": "Ab  c", accept: "", "x-latin": "caf\u00e9" }, expect },
  { path: "/cookies", headers: { cookie: "a=1; b=2", host: "shop.example" }, expect },
  { method: "POST", path: "/none", expect },
  { method: "POST", path: "/text", body: '\ufeffa\r\nb\n\u0000\u00fc\u{1f600} {no} \\ "\n', expect },
  { method: "PUT", path: "/typed", headers: { "Content-Type": "text/plain" }, body: "{id}", expect },
  { method: "POST", path: "/bytes", body: { base64: everyByte.toString("base64") }, expect },
  { method: "PATCH", path: "/large", body: { base64: Buffer.alloc(300_000, everyByte).toString("base64") }, expect },
  { method: "DELETE", path: "/odd-method", body: "x", expect },
  { method: "OPTIONS", path: "/options", expect },
];

/** A server that keeps each request it is sent, whole, by its path. */
async function listening(seen: Map<string, Buffer>) {
  const server = createServer((socket) => {
    let got = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      got = Buffer.concat([got, chunk]);
      for (let end: number; (end = got.indexOf("\r\n\r\n")) >= 0;) {
        const head = got.toString("latin1", 0, end);
        const length = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
        if (got.length < length) return;
        seen.set(head.split(" ")[1]!, got.subarray(0, length));
        got = got.subarray(length);
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

toolTest("wrk sends what the oracle sends, byte for byte", async () => {
  const seen = new Map<string, Buffer>();
  const { server, url } = await listening(seen);
  const requests = { pace: { closed: 2 }, mix: ODD };
  const client = httpClient(url, 60_000);
  try {
    for (const { method, path, body, headers } of samplesOf(requests)) await client.send(method, path, body, headers);
    const asked = new Map(seen);
    assert.equal(asked.size, ODD.length);
    seen.clear();
    const { child, remove } = startWrk({ targets: [{ url, requests }] });
    await until(() => seen.size === ODD.length);
    child.kill(wrk.endSignal);
    await child.ended;
    remove();
    for (const [path, bytes] of asked) {
      assert.equal(seen.get(path)!.toString("latin1"), bytes.toString("latin1"), path);
    }
    const { body } = ODD.find(({ path }) => path === "/bytes")! as { body: { base64: string } };
    assert.ok(asked.get("/bytes")!.subarray(-256).equals(Buffer.from(body.base64, "base64")));
  } finally {
    client.close();
    server.close();
  }
});
