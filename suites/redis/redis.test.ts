import assert from "node:assert/strict";
import { test } from "node:test";
import { Redis } from "ioredis";
import { besideService, serveWithService, type WithService } from "../../tests/serve-with-service.ts";
import { isServiceHere } from "../../tests/service-here.ts";
import { type Change, failuresIn } from "../../tests/suite-testing.ts";
import { runtime } from "../../tests/testing.ts";
import { rawClient, withNull } from "../../tests/with-null.ts";
import type { At, Point } from "../suite.ts";
import type { OpenRedis } from "./clients/redis-client.ts";
import { REDIS_CLIENTS } from "./clients/registry.ts";
import { keyAt, KEYS, keysOf, LOADED, valueOf, WORKLOADS } from "./keys.ts";
import { redis } from "./suite.ts";

const pointAt = (at: At): Point => ({
  suite: "redis",
  at: { ...Object.fromEntries(redis.axes.map((axis) => [axis.name, axis.values[0]!])), runtime: runtime.name, ...at },
});

/** A server with the service of its own; undefined where the real one is not installed. */
const serve = <T>(
  at: At,
  work: (served: WithService) => Promise<T>,
  change?: Change,
) => serveWithService(redis, pointAt(at), null, work, change);

for (const driver of Object.keys(REDIS_CLIENTS)) {
  const here = redis.supports!(pointAt({ driver })) === true;
  (here ? besideService : test.skip)(
    `${driver} gives the right values, of the null Redis and of a real one`,
    async () => {
      for (const service of ["null", "real"]) {
        for (const workload of WORKLOADS) {
          const at = { driver, workload, service };
          await serve(at, async ({ target, counts }) => {
            const oracle = redis.oracle(pointAt(at));
            assert.deepEqual(await failuresIn([oracle.alive, ...oracle.checks(7), oracle.sample!(9)], target), []);
            if (service === "null") assert.equal((await counts())["unknown"], 0);
          });
        }
      }
    },
  );
}

besideService("a Redis that goes away is missed by its drivers, and ends no process that uses them", async () => {
  const names = Object.keys(REDIS_CLIENTS).filter((driver) => redis.supports!(pointAt({ driver })) === true);
  const { clients, gone } = await withNull({ protocol: "redis" }, async ({ port }) => {
    const clients = await Promise.all(names.map(async (name) => {
      const { open }: { open: OpenRedis } = await import(`./clients/${name}.ts`);
      return await open({ host: "127.0.0.1", port, password: "null" });
    }));
    const values = await Promise.all(clients.map((client) => client.get(keyAt(1))));
    assert.deepEqual(new Set(values), new Set([valueOf(keyAt(1))]));
    return { clients, gone: (await rawClient(port)).closed };
  });
  // Each connects again and again from then on, until it is closed.
  await gone;
  await Promise.all(clients.map((client) => client.close()));
});

besideService("twenty values are got in one round trip, or in twenty", async () => {
  const trips = (driver: string) =>
    serve({ driver, workload: "pipeline" }, async ({ target, counts }) => {
      await target.send("GET", "/pipeline/1");
      const before = await counts();
      await target.send("GET", "/pipeline/2");
      const after = await counts();
      assert.equal(after["get"]! - before["get"]!, 20);
      return after["round_trips"]! - before["round_trips"]!;
    });
  assert.equal(await trips("ioredis"), 1);
  assert.equal(await trips("redis"), 1);
});

besideService("a server with values of its own, or too few, is found", async () => {
  for (const [workload, spoilt] of [["get", "key:8000"], ["set", "OK"], ["pipeline", "[]"]] as const) {
    await serve({ workload }, async ({ target }) => {
      const { alive } = redis.oracle(pointAt({ workload }));
      assert.equal((await failuresIn([alive], target)).length, 1, workload);
    }, () => () => new Response(spoilt));
  }
});

for (const driver of Object.keys(REDIS_CLIENTS)) {
  const real = { driver, workload: "set", service: "real" };
  const here = isServiceHere("redis") && redis.supports!(pointAt(real)) === true;
  (here ? besideService : test.skip)(
    `keys that a real Redis lost, or never was asked to write by ${driver}, are found`,
    async () => {
      await serve(real, async ({ target, port, env }) => {
        const oracle = redis.oracle(pointAt(real));
        assert.deepEqual(await failuresIn([oracle.alive, ...oracle.checks(7)], target), []);
        for (let n = 0; n < 12; n++) await target.send("POST", `/set/${KEYS + n}`);
        const audit = (sent: number, connections = 0) =>
          oracle.audit!([{ load: 0, sent: [[sent]], connections }]).run(target);
        assert.deepEqual((await audit(12)).facts, { keys_written: 12 });
        await audit(14, 2);
        await assert.rejects(audit(14, 1), /keys written: 12; requests sent: 14, for which 13 to 14 are right/);
        const client = new Redis({ host: "127.0.0.1", port, password: env["REDIS_PASSWORD"]! });
        await client.del(Array.from({ length: 12 }, (_, n) => keyAt(KEYS + n)));
        await client.quit();
      });
    },
  );
}

test("loads and checks ask for keys of their own", () => {
  for (const n of [0, LOADED - 1, LOADED, KEYS - 1]) {
    const numbers = keysOf(n).map((key) => Number(key.slice(4)));
    assert.equal(new Set(numbers).size, 20);
    assert.ok(numbers.every((one) => n < LOADED ? one < LOADED : one >= LOADED && one < KEYS), `${n}: ${numbers}`);
  }
  assert.match(String(redis.supports!(pointAt({ driver: "bun-redis", runtime: "deno" }))), /part of bun/);
});
