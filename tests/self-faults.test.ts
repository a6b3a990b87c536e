/** The quick part of `bench self --only faults`: each kind of fault once, injected for real into real benches. */
import assert from "node:assert/strict";
import { z } from "zod";
import { bench, benchTest, onSite, toolTest } from "./run-bench.ts";

const printed = z.object({
  measurements: z.array(
    z.object({ part: z.string(), name: z.string(), ratio: z.number().nullable(), note: z.string() }),
  ),
});

benchTest(
  "faults of each kind give what they have to give, lose no trial and leave no process",
  () =>
    onSite(async (site) => {
      const { code, stdout, stderr } = await bench(site, ["self", "--only", "faults", "--quick", "--json"]);
      const { measurements } = printed.parse(JSON.parse(stdout));
      const told = JSON.stringify(measurements) + stderr;
      const figure = (name: string) => measurements.find((each) => each.name === name)!.ratio!;
      assert.deepEqual(measurements.filter(({ name }) => name.startsWith("missed: ")), [], told);
      assert.ok(figure("faults tried") + figure("faults skipped") >= 13, told);
      assert.equal(figure("faults found"), figure("faults tried"), told);
      assert.deepEqual([figure("lost trials"), figure("orphans")], [0, 0], told);
      assert.equal(code, 0, told);
    }),
);

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
