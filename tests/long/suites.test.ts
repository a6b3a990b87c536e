/** Suites that write, load a library or run a server of their own, through the whole driver with their audits. */
import assert from "node:assert/strict";
import { z } from "zod";
import { MAIN } from "../../bench/record/cell.ts";
import { cellCard } from "../../bench/record/card.ts";
import { exitOf, undisturbed } from "../contended.ts";
import { shortRun, siteTest } from "../run-bench.ts";

const SHORT = ["--rounds", "1", "--duration", "1s", "--warmup", "1s", "--alone"];

/** Options of one suite, and values of the cells that are measured of those they give. */
const RUNS: readonly {
  readonly args: readonly string[];
  readonly cells: readonly Readonly<Record<string, string | number>>[];
}[] = [
  {
    args: [
      ...["users", "--runtime", "node,deno,bun", "--store", "sqlite", "--size", "1k"],
      ...["--workload", "read,mixed-50-50,contended", "--engine", "native,library", "--busy-timeout", "0,5000"],
    ],
    cells: [
      { runtime: "deno", workload: "mixed-50-50", engine: "native", busyTimeout: 5_000 },
      { runtime: "bun", workload: "contended", engine: "native", busyTimeout: 0 },
      { runtime: "node", workload: "read", engine: "library", busyTimeout: 5_000 },
    ],
  },
  { args: ["sqlite", "--runtime", "node", "--workload", "batch", "--profile", "tuned"], cells: [{}] },
  { args: ["frameworks", "--runtime", "bun", "--framework", "elysia"], cells: [{}] },
  { args: ["kv", "--runtime", "node", "--server", "hono", "--workload", "mixed-90-10"], cells: [{}] },
  { args: ["websocket", "--runtime", "node", "--implementation", "hono", "--workload", "echo-16"], cells: [{}] },
  { args: ["websocket", "--runtime", "bun", "--implementation", "publish", "--workload", "room"], cells: [{}] },
];

for (const { args, cells } of RUNS) {
  const what = cells.length === 1 ? "a sound cell" : `${cells.length} sound cells`;
  siteTest(`bench run ${args.join(" ")} gives ${what}`, async (site) => {
    const ended = await shortRun(site, [...args, ...SHORT], ({ label, point }) =>
      label === MAIN &&
      cells.some((at) => Object.entries(at).every(([axis, value]) => point.at[axis] === value)));
    assert.ok(ended.stdout.startsWith("{"), ended.stderr);
    const cards = z.array(cellCard).parse(JSON.parse(ended.stdout).cells);
    assert.equal(cards.length, cells.length);
    assert.equal(ended.code, exitOf(cards), ended.stderr);
    for (const { name, requests_per_second, socket_errors, timeouts } of undisturbed(cards)) {
      assert.deepEqual([socket_errors, timeouts], [0, 0], name);
      assert.ok(requests_per_second! > 0, name);
    }
  });
}
