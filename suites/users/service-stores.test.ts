import assert from "node:assert/strict";
import { test } from "node:test";
import { CHECKED_SEED, CHECKED_SIZE } from "../../stores/user/context.ts";
import { prepareDataset, prepareStore } from "../../stores/prepared/prepare.ts";
import { SERVICE_STORES } from "../../stores/registry.ts";
import { isServiceHere } from "../../tests/service-here.ts";
import { withStoreServices } from "../../tests/store-services.ts";
import { failuresIn, madeRequests, serveApp } from "../../tests/suite-testing.ts";
import { inTemporaryFolder, runtime } from "../../tests/testing.ts";
import type { AppServer, At, Point } from "../suite.ts";
import { users } from "./suite.ts";

const DEFAULTS = Object.fromEntries(users.axes.map((axis) => [axis.name, axis.values[0]!]));

const pointAt = (at: At): Point => ({
  suite: "users",
  at: { ...DEFAULTS, runtime: runtime.name, size: CHECKED_SIZE, dataSeed: CHECKED_SEED, ...at },
});

for (const [store, { service: name }] of Object.entries(SERVICE_STORES)) {
  const linuxTest = isServiceHere(name) ? test : test.skip;
  linuxTest(`the app over ${store} passes its oracle, and its audit finds what was lost`, async () => {
    await inTemporaryFolder(async (dataDirectory) => {
      const point = pointAt({ store, workload: "write" });
      const request = { dataDirectory, seed: CHECKED_SEED, size: CHECKED_SIZE };
      const { directory } = await prepareStore(request, await prepareDataset(request), store);
      await withStoreServices(store, async (optionsOf) => {
        const { service } = await optionsOf(directory);
        const { host, port, password } = service!;
        const server = users.server(point, directory, { [name]: { host, port } }) as AppServer;
        assert.deepEqual([server.options!["port"], server.state], [port, "shared"]);
        const env = { [name === "redis" ? "REDIS_PASSWORD" : "PGPASSWORD"]: password! };
        await serveApp({ ...server, env }, async ({ target }) => {
          const oracle = users.oracle(point);
          assert.deepEqual(await failuresIn([oracle.alive, ...oracle.checks(3), oracle.sample!(4)], target), []);
          const sent = madeRequests(users.requests(point), 20);
          for (const { method, path, body, headers } of sent) {
            assert.equal((await target.send(method, path, body, headers)).status, 201);
          }
          const audit = (count: number) => oracle.audit!([{ load: 0, sent: [[count]], connections: 0 }]).run(target);
          assert.equal((await audit(20)).facts!["certainly_created"], 20);
          await assert.rejects(audit(21), /status 404/);
        });
      });
    });
  });
}
