/** Servers of one ensemble, some of which fail: those are told by name, and the others are compared. */
import assert from "node:assert/strict";
import type { Mark } from "../../bench/record/outcome-schema.ts";
import { undisturbed } from "../contended.ts";
import { assertNobodyLeft, factsOf, FEW, tryServer } from "../faulty-servers.ts";
import { toolTest } from "../run-bench.ts";

/** Faults that show before servers are loaded together, each of them one of six servers'. */
const BEFORE: readonly (readonly [behaviour: string, code: Mark["code"]])[] = [
  ["start-throws", "server-failed-to-start"],
  ["wrong-byte-sometimes", "wrong-answer"],
  ["load-exits-9", "server-crashed"],
  ["load-spins", "server-hung"],
];

toolTest("of six together, those that do not start, crash, hang or err are left out, two compared", async () => {
  const behaviours = BEFORE.map(([behaviour]) => behaviour);
  const record = await tryServer({ behaviours, servers: 6, connections: FEW, replyMs: 1_500 });
  const left = record.members.slice(0, BEFORE.length), others = record.members.slice(BEFORE.length);
  assert.deepEqual(
    left.map(({ marks }) => marks.map(({ code }) => code)),
    BEFORE.map(([, code]) => [code]),
    factsOf(record),
  );
  for (const member of left) {
    assert.deepEqual([member.requests, member.cpu_ns_per_request], [null, null], factsOf(record));
  }
  assertNobodyLeft();
  undisturbed([record]);
  assert.equal(record.load!.threads, 2, factsOf(record));
  for (const { marks, oracle, cpu_ns, requests, cpu_ns_per_request } of others) {
    assert.deepEqual(marks, [], factsOf(record));
    assert.ok(oracle!.before > 20 && oracle!.after > 20, factsOf(record));
    assert.ok(Math.abs(cpu_ns_per_request! / (cpu_ns! / requests!) - 1) < 1e-9, factsOf(record));
  }
  const [a, b] = others.map(({ cpu_ns_per_request }) => cpu_ns_per_request!) as [number, number];
  assert.ok(a / b > 0.5 && a / b < 2, `the same server twice costs ${a} and ${b} ns`);
});
