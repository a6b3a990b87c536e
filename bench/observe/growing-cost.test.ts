/** Real servers of apps whose cost grows with each request, and of one that caches: what their lives say. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { RequestPlan } from "../../suites/suite.ts";
import { here } from "../../tests/record-apps.ts";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { createRandom } from "../basics/random.ts";
import { drawnValues } from "../generators/drawn-values.ts";
import { coldCacheMark } from "../judge/cold-cache.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { growingMark, lifeOf } from "../judge/growing-cost.ts";
import { localHost } from "../pipe/local-host.ts";
import { cpuNs } from "./counters/cpu-time.ts";
import type { Member } from "../record/observation-record.ts";

const LIVES = thresholds.leastRounds.value;
/** Requests before the first batch that leave nothing behind: engines compile the server's part of a request. */
const WARM_UP = 300;
const BATCHES = 12;
const BATCH = 10;

/**
 * Each request leaves something behind and compares all that is there with each other: after a hundred requests that costs
 * thousands of times as much as after the first, whatever the machine is and does meanwhile.
 */
const APPS = {
  array: `const seen = [];
    export default ({ url }) => {
      if (url.endsWith("/warm-up")) return new Response("warm");
      seen.push({ n: seen.length });
      let same = 0;
      for (let again = 0; again < 600; again++) for (const a of seen) for (const b of seen) if (a.n === b.n) same++;
      return new Response("same " + same);
    };`,
  // A fixed amount of computing for each value that it has not seen.
  cache: `const kept = new Map();
    const compute = (id) => { let sum = 0; for (let n = 0; n < 1e5; n++) sum = (sum + n * id) | 0; return sum; };
    export default (request) => {
      if (request.url.endsWith("/warm-up")) return new Response("warm");
      const id = Number(new URL(request.url).pathname.slice(7));
      if (!kept.has(id)) kept.set(id, compute(id));
      return new Response(String(kept.get(id)));
    };`,
};

const IDS = 200_000;

/** One life of a server of an app: its CPU time for each batch of requests, the last two as its window. */
const lived = (app: keyof typeof APPS, seed: number) =>
  inTemporaryFolder(async (folder): Promise<Pick<Member, "warmup" | "parts" | "sizes">> => {
    const module = join(folder, "app.mjs");
    writeFileSync(module, APPS[app]);
    const host = localHost();
    const server = await host.serve({ spec: { kind: "app", runtime: here.label, module }, runtime: here, cpus: null });
    assert.ok("url" in server, JSON.stringify(server));
    const random = createRandom(seed);
    const client = host.client(server.url, 60_000);
    const read = async () => (await host.sample({ pids: [server.pid], what: "processes" })).processes[0]!;
    try {
      for (let n = 0; n < WARM_UP; n++) assert.equal((await client.send("GET", "/warm-up")).status, 200);
      const slices: [number, number][] = [];
      for (let batch = 0, before = await read(); batch < BATCHES; batch++) {
        for (let n = 0; n < BATCH; n++) {
          assert.equal((await client.send("GET", `/users/${Math.floor(random() * IDS)}`)).status, 200);
        }
        const after = await read();
        slices.push([BATCH, cpuNs(before, after)!]);
        before = after;
      }
      const [head, tail] = slices.splice(-2).map(([requests, cpu_ns]) => ({ requests, cpu_ns })) as [
        NonNullable<Member["parts"]>[0],
        NonNullable<Member["parts"]>[1],
      ];
      return { warmup: { slices: [slices] } as unknown as Member["warmup"], parts: [head, tail] };
    } finally {
      client.close();
      await host.stop(server);
      await host.close();
    }
  });

async function livesOf(app: keyof typeof APPS) {
  const lives = [];
  for (let n = 0; n < LIVES; n++) lives.push(await lived(app, n));
  return lives;
}

test("a cost that grows with each request is seen over the lives of its servers", async () => {
  const lives = await livesOf("array");
  const found = growingMark(lives);
  assert.equal(found?.code, "cost-grows", JSON.stringify(lives.map(lifeOf)));
  assert.ok(found.text.endsWith(`in ${LIVES} of ${LIVES} rounds; no figure exists`), found.text);
});

test("a cost that does not grow has a figure, and the state of the cache is told from the draws alone", async () => {
  const lives = await livesOf("cache");
  assert.equal(growingMark(lives), null, JSON.stringify(lives.map(lifeOf)));
  const requests: RequestPlan = {
    pace: { closed: 1 },
    mix: [{ path: "/users/{id}", expect: [200] }],
    draws: { id: { kind: "uniform", below: IDS } },
  };
  const sent = [BATCH * (BATCHES - 2), BATCH * 2].map((count, load) => ({ load, sent: [[count]], connections: 1 }));
  const drawn = drawnValues(requests, sent, { windowRequests: BATCH * 2, repeats: false, linesOf: () => 0 });
  assert.match(
    coldCacheMark([{ drawn }])!.text,
    /^most values of \{id\}, 200 000 in all, were requested at most once \(120 draws\): .* 0 % of the window's requests/,
  );
});
