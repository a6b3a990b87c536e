import assert from "node:assert/strict";
import { test } from "node:test";
import { darwinMachine, parsePsTime } from "./darwin.ts";
import { askLaptop } from "../../tests/fixtures/darwin-recorded.ts";

const machine = darwinMachine(askLaptop);

test("macOS cannot pin and says so", () => {
  assert.deepEqual(machine.topology(), { cpus: null, why: "macOS cannot pin processes to cores" });
});

test("CPU time and memory of a process come from ps; waiting and switches are not told, not zero", () => {
  const sample = machine.sampleProcess(417);
  assert.ok("value" in sample);
  assert.equal(sample.value.tickNs, 62_500_000_000);
  assert.deepEqual([...sample.value.threads], [[417, { cpuNs: 62_500_000_000, waitNs: null }]]);
  assert.equal(sample.value.involuntarySwitches, null);
  assert.deepEqual(machine.peakRssBytes(417), { value: 50 * 2 ** 20 });
});

test("a process that has ended is unreadable", () => {
  assert.deepEqual(machine.sampleProcess(418), { unreadable: "ps time: no process 418" });
});

test("connections come from netstat, swap from vm_stat, and the rest is unreadable", () => {
  const system = machine.sampleCounts();
  assert.deepEqual(system.passiveOpens, { value: 3433 });
  assert.deepEqual(system.listenOverflows, { value: 7 });
  assert.deepEqual(system.retransmits, { value: 423 });
  assert.deepEqual(system.swappedPages, { value: 4600 });
  assert.ok("unreadable" in machine.sampleCpus().cpus);
  assert.ok("unreadable" in system.throttledNs);
});

test("ps times are read with days, hours and either decimal mark", () => {
  assert.equal(parsePsTime("0:00.04"), 0.04);
  assert.equal(parsePsTime("1:02:03.5"), 3723.5);
  assert.equal(parsePsTime("2-01:00:00"), 2 * 86_400 + 3_600);
  assert.equal(parsePsTime("1:02,25"), 62.25);
  assert.equal(parsePsTime("-"), undefined);
});
