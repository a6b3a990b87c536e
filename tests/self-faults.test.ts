/** What `bench self --only faults` can be asked for. */
import assert from "node:assert/strict";
import { bench, onSite, toolTest } from "./run-bench.ts";

toolTest("the catalogue has at least a hundred faults, each named once", () =>
  onSite(async (site) => {
    const { code, stdout, stderr } = await bench(site, ["self", "--only", "faults", "--list"]);
    assert.equal(code, 0, stderr);
    const names = stdout.trimEnd().split("\n").map((line) => line.split(" ")[0]!);
    assert.ok(names.length >= 100, `${names.length}`);
    assert.equal(new Set(names).size, names.length);
    const { stdout: some } = await bench(site, ["self", "--only", "faults", "--fault", "locks,wrk-dies", "--list"]);
    assert.ok(some.includes("wrk-dies ") && some.includes("lock-dead ") && !some.includes("load-spins "), some);
  }));

toolTest("a fault nobody knows is refused by name", () =>
  onSite(async (site) => {
    const { code, stderr } = await bench(site, ["self", "--only", "faults", "--fault", "lock-ded"]);
    assert.equal(code, 2);
    assert.match(stderr, /unknown fault "lock-ded"[^]*did you mean "lock-dead"/);
  }));
