/** Clients of null services that have no driver: what they ask for, and why they end early. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rawClientCommand } from "../servers/null/null-service.ts";
import { tableText } from "../servers/null/rows.ts";
import { inTemporaryFolder, ranToEnd } from "./testing.ts";
import { countsOf, hasWrk, withNull } from "./with-null.ts";

const nullTest = hasWrk ? test : test.skip;

function writeWorld(folder: string): Record<string, string> {
  const world = join(folder, "world.tsv");
  const rows = Array.from({ length: 200 }, (_, n) => [n + 1, (n * 7_919) % 10_000 + 1]);
  writeFileSync(world, tableText({ id: "int4", randomnumber: "int4" }, rows));
  return { world };
}

nullTest(
  "a client without a driver asks both for a row and a value, each connection once the last answer is there",
  async () => {
    await inTemporaryFolder(async (folder) => {
      for (const [protocol, asks] of [["postgres", ["B", "E"]], ["redis", ["GET"]]] as const) {
        const tables = protocol === "postgres" ? writeWorld(folder) : {};
        await withNull({ protocol, tables }, async (ready) => {
          const [file, ...args] = rawClientCommand(protocol, "wrk");
          const words = args.map((word) => word.replace("{port}", String(ready.port)));
          const { stdout, stderr } = await ranToEnd(file!, words);
          const { asked } = JSON.parse(stdout || `"${stderr}"`);
          const { kinds, round_trips, bytes_out, unknown } = await countsOf(
            ready,
            protocol === "redis" ? "0" : protocol,
          );
          // Each of ten connections asked once to see how long an answer is, and had one under way at the end.
          for (const kind of asks) {
            assert.ok(kinds[kind]! >= asked + 10 && kinds[kind]! <= asked + 20, `${kind}: ${stdout}`);
          }
          assert.ok(asked > 0 && round_trips >= asked && bytes_out > asked * (protocol === "redis" ? 100 : 40));
          assert.equal(unknown, 0);
        });
      }
    });
  },
);

nullTest("a client without a driver says why it ends early", async () => {
  const [file, ...args] = rawClientCommand("redis", "wrk");
  const { code, stderr } = await ranToEnd(file!, args.map((word) => word.replace("{port}", "1")));
  assert.equal(code, 1);
  assert.match(stderr, /^null service: connecting to port 1 failed with error \d+\n$/);
});
