import assert from "node:assert/strict";
import { test } from "node:test";
import { countersOf } from "./counters.ts";
import type { LoadSamples } from "./inner-window.ts";
import type { ProcessSample } from "../../record/samples.ts";

test("what a system does not tell of a process is null with a reason, not zero", () => {
  const sample = (atMs: number): { value: ProcessSample } => ({
    value: { atMs, threads: new Map([[1, { cpuNs: atMs * 1e6, waitNs: null }]]), tickNs: 0, involuntarySwitches: null },
  });
  const hidden = { unreadable: "not told" };
  const system = {
    cpus: hidden,
    kernelThreads: hidden,
    otherThreads: hidden,
    passiveOpens: hidden,
    listenOverflows: hidden,
    retransmits: hidden,
    loopbackBytes: hidden,
    links: hidden,
    khz: hidden,
    clockMs: 0,
    cpusAtMs: 0,
    swappedPages: hidden,
    throttledNs: hidden,
  };
  const samples: LoadSamples = {
    before: { servers: [sample(0)], system },
    after: { servers: [sample(1_000)], system },
    early: { servers: [sample(100)], generator: sample(100), system, driverCpuNs: 0, tookMs: 1, atUs: 0 },
    part: null,
    late: { servers: [sample(900)], generator: sample(900), system, driverCpuNs: 0, tookMs: 1, atUs: 0 },
    serverCpus: null,
    loadCpus: null,
    requests: 10,
  };
  const counters = countersOf(samples);
  assert.equal(counters.server_share, 1);
  for (const name of ["server_wait_share", "involuntary_switches"] as const) {
    assert.equal(counters[name], null);
    assert.equal(counters.unreadable[name], "this system does not tell it");
  }
});
