/** The quick part of `bench self --only faults`: each kind of fault once, injected for real into real benches. */
import assert from "node:assert/strict";
import { z } from "zod";
import { bench, siteTest } from "../run-bench.ts";

const printed = z.object({
  measurements: z.array(
    z.object({ part: z.string(), name: z.string(), ratio: z.number().nullable(), note: z.string() }),
  ),
});

siteTest("faults of each kind give what they have to give, lose no trial and leave no process", async (site) => {
  const { code, stdout, stderr } = await bench(site, ["self", "--only", "faults", "--quick", "--json"]);
  const { measurements } = printed.parse(JSON.parse(stdout));
  const told = JSON.stringify(measurements) + stderr;
  const figure = (name: string) => measurements.find((each) => each.name === name)!.ratio!;
  assert.deepEqual(measurements.filter(({ name }) => name.startsWith("missed: ")), [], told);
  assert.ok(figure("faults tried") + figure("faults skipped") >= 13, told);
  assert.equal(figure("faults found"), figure("faults tried"), told);
  assert.deepEqual([figure("lost trials"), figure("orphans")], [0, 0], told);
  assert.equal(code, 0, told);
});
