import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { Check, RequestPlan } from "../../suites/suite.ts";
import { openClient } from "../process/open-client.ts";
import { repliesAtRest } from "./replies-at-rest.ts";

const alive: Check = { name: "it answers", run: () => Promise.resolve(1) };

/** A server whose replies are large where the id ends in "00" and vary else, and how many requests of each method it got. */
async function withSkewed(work: (url: string, got: Map<string, number>) => Promise<void>): Promise<void> {
  const got = new Map<string, number>();
  const server = createServer((request, response) => {
    got.set(request.method!, (got.get(request.method!) ?? 0) + 1);
    response.end("a".repeat(request.url!.endsWith("00") ? 20_000 : 20 + Number(request.url!.at(-1))));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, got);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const plan = (method: string): RequestPlan => ({
  pace: { closed: 1 },
  mix: [{ method, path: "/{id}", expect: [200] }],
  draws: { id: { kind: "uniform", below: 99_999 } },
});

test("of a server that nobody knows many replies are looked at, and later ones widen what is known", async () => {
  await withSkewed(async (url, got) => {
    const server = { url, from: { client: openClient }, requests: plan("GET"), oracle: { alive, checks: () => [] } };
    const few = await repliesAtRest(server, 1, 10_000);
    assert.ok(few[0]!.replies <= 16, `${few[0]!.replies} replies`);
    got.clear();
    const [many] = await repliesAtRest(server, 1, 10_000, "nothing");
    assert.equal(many!.replies, got.get("GET"));
    assert.ok(many!.replies > 16, `${many!.replies} replies`);
    const [mean, error] = many!.mean_bytes!;
    assert.ok(mean > many!.bytes![0] && mean < many!.bytes![1] && error > 0 && error < many!.bytes![1]);
    const [more] = await repliesAtRest(server, 2, 10_000, [many]);
    assert.deepEqual([few[0]!.mean_bytes, more!.mean_bytes], [undefined, many!.mean_bytes]);
    assert.ok(more!.replies > many!.replies && more!.replies <= many!.replies + 16);
    assert.ok(more!.body_bytes![0] <= many!.body_bytes![0] && more!.body_bytes![1] >= many!.body_bytes![1]);
  });
});

test("requests that may leave something behind are sent few times, known or not", async () => {
  await withSkewed(async (url, got) => {
    const server = { url, from: { client: openClient }, requests: plan("POST"), oracle: { alive, checks: () => [] } };
    await repliesAtRest(server, 1, 10_000, "nothing");
    assert.ok(got.get("POST")! <= 16, `${got.get("POST")} requests`);
  });
});
