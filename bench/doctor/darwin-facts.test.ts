import assert from "node:assert/strict";
import { test } from "node:test";
import { gradeOf } from "./examine.ts";
import { darwinFacts, type MachineFacts } from "./machine-facts.ts";
import { askLaptop } from "../../tests/fixtures/darwin-recorded.ts";

test("what macOS tells is read from what its programs print", () => {
  const facts = darwinFacts(askLaptop);
  const expected: Partial<Record<keyof MachineFacts, unknown>> = {
    load: { average: 0.31, pressure: null },
    "virtual-machine": null,
    container: null,
    quota: null,
  };
  for (const [name, value] of Object.entries(expected)) {
    assert.deepEqual(facts[name as keyof MachineFacts], { value }, name);
  }
});

test("what macOS does not tell is unreadable with a reason, and the grade is advisory", () => {
  const facts = darwinFacts(askLaptop);
  for (const name of ["smt", "governor", "boost", "steal"] as const) {
    const reading = facts[name];
    assert.ok("unreadable" in reading && /^macOS /.test(reading.unreadable), name);
  }
  const { grade, reasons } = gradeOf(facts);
  assert.equal(grade, "advisory");
  assert.deepEqual(reasons[0], { code: "pinning", effect: "withholds", text: "macOS cannot pin processes to cores" });
});

test("programs that are missing or print something else leave facts unreadable", () => {
  const missing = darwinFacts(() => {
    throw Object.assign(new Error("spawnSync sysctl ENOENT"), { code: "ENOENT" });
  });
  const garbled = darwinFacts(() => "sysctl: unknown oid 'hw.logicalcpu'\n");
  for (
    const name of ["load", "virtual-machine"] as const
  ) {
    assert.ok("unreadable" in missing[name], name);
    assert.ok("unreadable" in garbled[name], name);
  }
});
