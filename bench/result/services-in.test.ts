import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { environmentDifferences } from "./environment-differences.ts";
import { servicesIn } from "./services-in.ts";

const beside = (...versions: readonly string[]) =>
  versions.map((version) => ({
    members: [{ server: { services: [{ name: "db", version, facts: { fsync: "on" }, cpus: null, startup_ms: 1 }] } }],
  })) as unknown as Parameters<typeof servicesIn>[0];

test("a service of another version, or with other settings, differs between two runs", () => {
  assert.deepEqual(servicesIn(beside("15", "15", "16")), { db: { version: "15 and 16", fsync: "on" } });
  const { run } = makeFixture({ sizes: [10_000], stores: ["map"], rounds: 2 });
  const told = environmentDifferences({ run, lines: beside("15") }, { run, lines: beside("16") });
  assert.deepEqual(told, ['service: db.version: "15" -> "16"']);
  assert.deepEqual(environmentDifferences({ run, lines: beside("15") }, { run, lines: beside("15") }), []);
});
