import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { nullServiceCommand } from "../../servers/null/null-service.ts";
import type { ServiceSpec } from "../../suites/suite.ts";
import { isServiceHere } from "../../tests/service-here.ts";
import { until } from "../../tests/testing.ts";
import { findProgram } from "../machine/programs.ts";
import { hostsHere } from "./equip.ts";
import { leftOpen, readServices, startServices, stopServices } from "./services.ts";

const fileOf = (name: string) => fileURLToPath(new URL(`../../servers/services/${name}.ts`, import.meta.url));
const SERVICES: Readonly<Record<string, readonly [here: boolean, command: readonly string[]]>> = {
  "null-postgres": [
    existsSync("/proc/net/tcp") && findProgram("wrk") !== undefined,
    nullServiceCommand({ protocol: "postgres", wrk: "{wrk}", host: "{host}" }),
  ],
  postgres: [isServiceHere("postgres"), ["{node}", fileOf("postgres")]],
  redis: [isServiceHere("redis"), ["{node}", fileOf("redis")]],
};

for (const [name, [here, command]] of Object.entries(SERVICES)) {
  const serviceTest = here ? test : test.skip;
  serviceTest(`connections a server opens at ${name} and leaves open are counted, also after its end`, async () => {
    const hosts = hostsHere();
    const spec: ServiceSpec = { kind: "service", name, command };
    const services = await startServices([spec], {
      hosts,
      serviceCpus: null,
      priority: { nice: null, why: "" },
      servicesWrk: findProgram("wrk"),
      onStart() {},
    });
    try {
      const [{ server, connections }] = services as [typeof services[number]];
      const open = () => connect(server.service.port, "127.0.0.1").on("error", () => {});
      const first = open();
      await until(async () => await connections() === 1);
      const readings = await readServices(services, { hosts });
      const more = [open(), open(), open()];
      await until(async () => await connections() === 4);
      await until(async () => (await readings(7))[0]!.connections?.after === 4);
      assert.equal((await readings(7))[0]!.connections!.before, 1);
      first.destroy();
      await until(async () => await connections() === 3);
      assert.deepEqual(await leftOpen(services, 2), [3]);
      for (const socket of more) socket.destroy();
      assert.deepEqual(await leftOpen(services), [0]);
    } finally {
      await stopServices(services, { hosts });
    }
  });
}
