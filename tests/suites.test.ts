/** Suites that write, load a library or run a server of their own, through the whole driver with their audits. */
import assert from "node:assert/strict";
import { z } from "zod";
import { cellCard } from "../bench/core/result/cell-card.ts";
import { exitOf, undisturbed } from "./contended.ts";
import { benchTest, onSite, shortRun } from "./run-bench.ts";

const SHORT = ["--rounds", "1", "--duration", "1s", "--warmup", "1s", "--alone"];

/** Suite and the options that make it one cell and its twin. */
const CELLS: readonly (readonly string[])[] = [
  ["users", "--runtime", "deno", "--store", "sqlite", "--size", "1k", "--workload", "mixed-50-50"],
  ["users", "--runtime", "bun", "--store", "sqlite", "--size", "1k", "--workload", "contended", "--busy-timeout", "0"],
  ["users", "--runtime", "node", "--store", "sqlite", "--size", "1k", "--engine", "library"],
  ["sqlite", "--runtime", "node", "--workload", "batch", "--profile", "tuned"],
  ["frameworks", "--runtime", "bun", "--framework", "elysia"],
  ["kv", "--runtime", "node", "--server", "hono", "--workload", "mixed-90-10"],
];

for (const cell of CELLS) {
  benchTest(`bench run ${cell.join(" ")} gives a sound cell`, async () => {
    await onSite(async (site) => {
      const ended = await shortRun(site, [...cell, ...SHORT]);
      assert.ok(ended.stdout.startsWith("{"), ended.stderr);
      const cards = z.array(cellCard).parse(JSON.parse(ended.stdout).cells);
      assert.equal(cards.length, 2);
      assert.equal(ended.code, exitOf(cards), ended.stderr);
      for (const { name, requests_per_second, socket_errors, timeouts } of undisturbed(cards)) {
        assert.deepEqual([socket_errors, timeouts], [0, 0], name);
        assert.ok(requests_per_second! > 0, name);
      }
    });
  });
}
