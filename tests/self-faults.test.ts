/** What `bench self --only faults` can be asked for. */
import assert from "node:assert/strict";
import { bench, onSite, toolTest } from "./run-bench.ts";

toolTest("a fault nobody knows is refused by name", () =>
  onSite(async (site) => {
    const { code, stderr } = await bench(site, ["self", "--only", "faults", "--fault", "lock-ded"]);
    assert.equal(code, 2);
    assert.match(stderr, /unknown fault "lock-ded"[^]*did you mean "lock-dead"/);
  }));
