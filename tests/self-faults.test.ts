/** What `bench self --only faults` can be asked for. */
import assert from "node:assert/strict";
import { bench, siteTest } from "./run-bench.ts";

siteTest("a fault nobody knows is refused by name", async (site) => {
  const { code, stderr } = await bench(site, ["self", "--only", "faults", "--fault", "lock-ded"]);
  assert.equal(code, 2);
  assert.match(stderr, /unknown fault "lock-ded"[^]*did you mean "lock-dead"/);
});
