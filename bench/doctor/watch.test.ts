import assert from "node:assert/strict";
import { test } from "node:test";
import { machineFacts } from "./machine-facts.ts";
import { watchMachine } from "./watch.ts";

test("the canary runs on this runtime, on the CPU asked for, and is not among the busy", async () => {
  const cpu = machineFacts().topology.cpus?.[0]?.id ?? null;
  const { canary, watchedMs, busy } = await watchMachine(cpu);
  assert.ok("value" in canary, JSON.stringify(canary));
  assert.equal(canary.value.cpu, cpu);
  assert.equal(canary.value.wallMs.length, canary.value.cpuMs.length);
  assert.ok(canary.value.wallMs.length > 0 && canary.value.wallMs.every((ms) => ms > 0));
  assert.ok(watchedMs > 0);
  assert.ok("value" in busy);
  assert.ok(busy.value.every(({ pid }) => pid !== process.pid));
});
