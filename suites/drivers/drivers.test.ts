import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { prepareFiles } from "../../bench/observe/prepare-files.ts";
import { gateFolder } from "../../tests/contended.ts";
import { patiently } from "../../tests/patience.ts";
import { besideService, serveWithService, type WithService } from "../../tests/serve-with-service.ts";
import { type Change, failuresIn } from "../../tests/suite-testing.ts";
import { isServiceHere } from "../../tests/service-here.ts";
import { inTemporaryFolder, runtime } from "../../tests/testing.ts";
import { withNull } from "../../tests/with-null.ts";
import type { At, Point } from "../suite.ts";
import { type Workload, WORKLOADS } from "./checks.ts";
import { openPool } from "./sql/open-pool.ts";
import { SQL_DRIVERS } from "./sql/registry.ts";
import type { OpenSql } from "./sql/sql-driver.ts";
import { drivers } from "./suite.ts";
import { idsOf, LOADED, numberOf, ROWS } from "./world.ts";

const pointAt = (at: At): Point => ({
  suite: "drivers",
  at: {
    ...Object.fromEntries(drivers.axes.map((axis) => [axis.name, axis.values[0]!])),
    runtime: runtime.name,
    pool: 4,
    ...at,
  },
});

/** Files by what they are made from: nothing changes them. */
const prepared = new Map<string, ReturnType<typeof prepareFiles>>();

/** A server with the service of its own; undefined where the real one is not installed. */
async function serve<T>(at: At, work: (served: WithService) => Promise<T>, change?: Change): Promise<T | undefined> {
  const point = pointAt(at);
  const spec = drivers.files!(point)!;
  const key = JSON.stringify(spec);
  if (!prepared.has(key)) prepared.set(key, prepareFiles({ dataDirectory: join(gateFolder(), "data"), specs: [spec] }));
  const directory = (await prepared.get(key)!).directoryOf(spec)!;
  return await serveWithService(drivers, point, directory, work, change);
}

const uses = (driver: string, workload: Workload) =>
  ["default", "best"].filter((use) => drivers.supports!(pointAt({ driver, workload, use })) === true);

for (const driver of Object.keys(SQL_DRIVERS)) {
  const here = drivers.supports!(pointAt({ driver })) === true;
  (here ? besideService : test.skip)(
    `${driver} gives the right rows at each workload, however it is used`,
    async () => {
      for (const workload of WORKLOADS) {
        for (const use of uses(driver, workload)) {
          await serve({ driver, workload, use }, async ({ target, counts }) => {
            const oracle = drivers.oracle(pointAt({ driver, workload, use }));
            assert.deepEqual(await failuresIn([oracle.alive, ...oracle.checks(7), oracle.sample!(9)], target), []);
            assert.equal((await counts())["unknown"], 0, "nothing is asked that the null service does not know");
          });
        }
      }
    },
  );
}

besideService("what a driver sends tells its uses apart", async () => {
  const parsed = async (use: string) =>
    await serve({ driver: "pg", use }, async ({ target, counts }) => {
      // Each connection of the pool has prepared its statement by then.
      await Promise.all(Array.from({ length: 40 }, (_, n) => target.send("GET", `/row/${n}`)));
      const before = await counts();
      for (let n = 0; n < 10; n++) await target.send("GET", `/row/${n}`);
      const after = await counts();
      return ["parse", "execute", "round_trips"].map((name) => (after[name] ?? 0) - (before[name] ?? 0));
    });
  assert.deepEqual(await parsed("default"), [10, 10, 10]);
  assert.deepEqual(await parsed("best"), [0, 10, 10]);
});

besideService("a server that makes up rows, loses one or orders them otherwise is found", async () => {
  const broken: readonly [Workload, (rows: { id: number; randomnumber: number }[]) => unknown][] = [
    ["row", (row) => ({ ...row, randomnumber: 1 })],
    ["rows", (rows) => rows.slice(1)],
    ["queries", (rows) => rows.toReversed()],
    ["updates", (rows) => rows.map((row) => ({ ...row, randomnumber: 7_919 }))],
  ];
  for (const [workload, spoil] of broken) {
    const spoilt: Change = (fetch) => async (request) => Response.json(spoil(await (await fetch(request)).json()));
    await serve({ workload }, async ({ target }) => {
      const { alive } = drivers.oracle(pointAt({ workload }));
      assert.equal((await failuresIn([alive], target)).length, 1, workload);
    }, spoilt);
  }
});

besideService(
  "a PostgreSQL that goes away fails the queries of its drivers, idle or not, and nothing else",
  async () => {
    await inTemporaryFolder(async (folder) => {
      const world = join(folder, "world");
      writeFileSync(world, "id int4\trandomnumber int4\twrites int4\n1\t7\t0\n");
      const names = Object.keys(SQL_DRIVERS).filter((driver) =>
        drivers.supports!(pointAt({ driver })) === true && SQL_DRIVERS[driver]!.generated === undefined
      );
      const { clients, taken, pool, ended } = await withNull(
        { protocol: "postgres", tables: { world } },
        async ({ port }) => {
          const options = { host: "127.0.0.1", port, pool: 2, use: "default" } as const;
          const clients = await Promise.all(names.map(async (name) => {
            const { open }: { open: OpenSql } = await import(`./sql/${name}.ts`);
            const client = await open(options, null);
            assert.equal((await client.one(1)).randomnumber, 7, name);
            return client;
          }));
          const pool = openPool(options);
          const taken = await pool.connect();
          const ended = new Promise<void>((resolve) => taken.once("end", resolve));
          return { clients, pool, taken, ended };
        },
      );
      await patiently(ended, { what: "a connection to end" });
      taken.release();
      for (const [n, client] of clients.entries()) {
        await assert.rejects(async () => await client.one(1), Error, names[n]!);
        await client.close();
      }
      await pool.end();
    });
  },
);

(isServiceHere("postgres") ? besideService : test.skip)(
  "a real PostgreSQL lets all drivers in, and rows it lost or never was asked to write are found after the load",
  async () => {
    const real = { driver: "pg", workload: "updates", service: "real" };
    await serve(real, async ({ target, port }) => {
      await allAreLetIn(port);
      const oracle = drivers.oracle(pointAt(real));
      assert.deepEqual(await failuresIn([oracle.alive, ...oracle.checks(7)], target), []);
      for (let n = 0; n < 12; n++) await target.send("POST", `/updates/${n}`);
      const audit = (sent: number, connections = 0) =>
        oracle.audit!([{ load: 0, sent: [[sent]], connections }]).run(target);
      assert.deepEqual((await audit(12)).facts, { rows_written: 60 });
      await audit(14, 2);
      await assert.rejects(audit(14, 1), /rows written: 60; requests sent: 14, for which 65 to 70 are right/);
      await assert.rejects(audit(11), /rows written: 60;/);
    });
  },
);

/** Sees that each driver finds the password by itself. */
async function allAreLetIn(port: number): Promise<void> {
  for (const driver of Object.keys(SQL_DRIVERS)) {
    if (drivers.supports!(pointAt({ driver })) !== true || SQL_DRIVERS[driver]!.generated !== undefined) continue;
    const { open }: { open: OpenSql } = await import(`./sql/${driver}.ts`);
    const client = await open({ host: "127.0.0.1", port, pool: 1, use: "default" }, null);
    assert.equal((await client.one(5)).randomnumber, numberOf(5), driver);
    await client.close();
  }
}

test("requests of loads and those of checks ask for rows of their own, in order and all different", () => {
  for (const n of [0, 17, LOADED - 1, LOADED, ROWS - 1]) {
    const ids = idsOf(n, 20);
    assert.equal(new Set(ids).size, 20);
    assert.deepEqual(ids, ids.toSorted((a, b) => a - b));
    assert.ok(ids.every((id) => n < LOADED ? id >= 1 && id <= LOADED : id > LOADED && id <= ROWS), `${n}: ${ids}`);
  }
});

test("each driver stands in a file of its name, and points say why they cannot be", () => {
  for (const name of Object.keys(SQL_DRIVERS)) {
    assert.ok(existsSync(new URL(`./sql/${name}.ts`, pathToFileURL(join(import.meta.dirname!, "x")))), name);
  }
  assert.match(String(drivers.supports!(pointAt({ driver: "bun-sql", runtime: "node" }))), /part of bun/);
  assert.match(String(drivers.supports!(pointAt({ driver: "kysely", use: "best" }))), /its default/);
  const together = drivers.together!([pointAt({}), pointAt({ service: "real" })]);
  assert.match(String(together), /is waited for/);
});
