import assert from "node:assert/strict";
import { test } from "node:test";
import { valueOf } from "../core/samples.ts";
import { darwinMachine, parsePsTime } from "./darwin.ts";

test("the CPU time of ps is read with hours, days and a decimal comma", () => {
  assert.equal(parsePsTime("0:00.05"), 0.05);
  assert.equal(parsePsTime("12:34,50"), 754.5);
  assert.equal(parsePsTime("1:02:03"), 3_723);
  assert.equal(parsePsTime("2-01:02:03"), 2 * 86_400 + 3_723);
  assert.equal(parsePsTime("-"), undefined);
});

test("on macOS nothing is pinned, CPU time and memory come from ps, the rest says why it is missing", () => {
  const machine = darwinMachine((args) => args.includes("time=") ? "  1:02.50\n" : " 2048\n");
  assert.equal(machine.topology().cpus, null);
  assert.equal(valueOf(machine.sampleProcess(7))!.tickNs, 62.5e9);
  assert.equal(valueOf(machine.peakRssBytes(7)), 2048 * 1024);
  assert.ok(Object.values(machine.sampleSystem()).every((reading) => "unreadable" in reading));
});

test("a ps that fails makes a reading unreadable, in one line", () => {
  const machine = darwinMachine(() => {
    throw new Error("no such process\nmore");
  });
  assert.deepEqual(machine.sampleProcess(7), { unreadable: "ps: no such process" });
});
