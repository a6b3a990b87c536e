import assert from "node:assert/strict";
import { test } from "node:test";
import { gradeOf } from "./examine.ts";
import { darwinFacts, type MachineFacts } from "./machine-facts.ts";
import { askLaptop, LAPTOP } from "../../tests/fixtures/darwin-recorded.ts";
import { parseBattery, parsePowerMode, parseSwapUse } from "../machine/darwin.ts";

test("what macOS tells is read from what its programs print", () => {
  const facts = darwinFacts(askLaptop);
  const expected: Partial<Record<keyof MachineFacts, unknown>> = {
    cores: 10,
    power: { source: "battery", saving: true },
    load: { average: 0.31, pressure: null },
    memory: { totalBytes: 16 * 2 ** 30, availableBytes: 303_000 * 16_384 },
    swap: { usedBytes: 1024.5 * 2 ** 20, roomBytes: 0 },
    aslr: 2,
    ports: { first: 49152, last: 65535, held: 2 },
    backlog: 128,
    "open-files": 256,
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
  assert.deepEqual(reasons[0], {
    code: "pinning",
    effect: "withholds",
    text: "macOS cannot pin processes to cores",
  });
});

test("programs that are missing or print something else leave facts unreadable", () => {
  const missing = darwinFacts(() => {
    throw Object.assign(new Error("spawnSync sysctl ENOENT"), { code: "ENOENT" });
  });
  const garbled = darwinFacts(() => "sysctl: unknown oid 'hw.logicalcpu'\n");
  for (
    const name of ["cores", "power", "load", "memory", "ports", "virtual-machine", "open-files"] as const
  ) {
    assert.ok("unreadable" in missing[name], name);
    assert.ok("unreadable" in garbled[name], name);
  }
});

test("power is read from pmset: mains, low power mode, and machines without that mode", () => {
  assert.equal(parseBattery("Now drawing from 'AC Power'\n"), "mains");
  assert.equal(parseBattery("No battery"), undefined);
  assert.equal(parsePowerMode(LAPTOP["pmset -g"]!.replace("lowpowermode         1", "lowpowermode         0")), false);
  assert.equal(parsePowerMode(" sleep 1\n"), false);
});

test("swap is read in any unit", () => {
  assert.equal(parseSwapUse("total = 0.00M  used = 0.00M  free = 0.00M"), 0);
  assert.equal(parseSwapUse("total = 3.00G  used = 1.50G  free = 1.50G"), 1.5 * 2 ** 30);
  assert.equal(parseSwapUse("none"), undefined);
});
