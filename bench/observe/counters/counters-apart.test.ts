import assert from "node:assert/strict";
import { test } from "node:test";
import { boundOfCounters } from "../../judge/bound.ts";
import { countersOf } from "./counters.ts";
import type { LoadSamples } from "./inner-window.ts";
import { countersSchema } from "../../record/counters-schema.ts";
import type { CountSample, CpuSample, InnerSample, ProcessSample } from "../../record/samples.ts";

const MS = 1e6;
/** The generator's machine: its steady clock began an hour earlier, and CPU 1 is another CPU. */
const HOUR_MS = 3_600_000;

const process = (atMs: number, cpuMs: number): { value: ProcessSample } => ({
  value: {
    atMs,
    threads: new Map([[1, { cpuNs: cpuMs * MS, waitNs: 0 }]]),
    tickNs: cpuMs * MS,
    involuntarySwitches: 0,
  },
});

/** A system read at a moment, its CPU 1 busy for so long so far, its link used so much, so many segments sent again. */
function system(cpusAtMs: number, busyMs: number, megabytes: number, sentAgain = 0): CpuSample & CountSample {
  return {
    cpus: { value: new Map([[1, { busyNs: busyMs * MS, stealNs: 0, softirqNs: 0 }]]) },
    kernelThreads: { value: new Map() },
    otherThreads: { value: new Map([[1, { cpu: 1, cpuNs: 500 * MS }], [2, { cpu: 1, cpuNs: 0.5 * busyMs * MS }]]) },
    passiveOpens: { value: 0 },
    listenOverflows: { value: 0 },
    retransmits: { value: sentAgain },
    loopbackBytes: { value: 0 },
    links: { value: { eth0: { received: 1e6 * megabytes, sent: 5e6 * megabytes } } },
    khz: { unreadable: "not told" },
    clockMs: 0,
    cpusAtMs,
    swappedPages: { value: 0 },
    throttledNs: { value: 0 },
  };
}

/** The servers' machine is read for 1 000 ms, the generator's for 990. */
function samples(serverMs: number, megabytes: number, sentAgain = 0): LoadSamples {
  const at = (share: number): InnerSample => ({
    servers: [process(share * 1_000, share * serverMs)],
    generator: process(HOUR_MS + share * 990, share * 495),
    system: system(share * 1_000, share * (serverMs + 10), share * megabytes),
    loadSystem: system(HOUR_MS + share * 990, share * 555, 0),
    driverCpuNs: 0,
    tookMs: 3,
    atUs: 0,
  });
  return {
    before: { servers: [process(0, 0)], system: system(0, 0, 0), loadSystem: system(HOUR_MS, 0, 0) },
    after: {
      servers: [process(1_000, serverMs)],
      system: system(1_000, serverMs, megabytes, sentAgain),
      loadSystem: system(HOUR_MS + 990, 0, 0, 1),
    },
    early: at(0),
    part: null,
    late: at(1),
    serverCpus: [1],
    loadCpus: [1],
    requests: 1_000,
    link: { name: "eth0", bitsPerSecond: 1e9, roundTripUs: 80 },
  };
}

test("each side of two machines is read by its own clock and on its own CPUs", () => {
  const counters = countersSchema.parse(countersOf(samples(980, 1)));
  assert.equal(counters.server_share, 0.98);
  assert.equal(counters.generator_share, 0.5);
  assert.ok(Math.abs(counters.server_foreign_share! - 0.01) < 1e-9, `${counters.server_foreign_share}`);
  // 10 ms next to the server there, 60 ms next to the generator on the other machine.
  assert.ok(Math.abs(counters.foreign_share! - 0.07) < 1e-9, `${counters.foreign_share}`);
  // The generator is thread 1 there; thread 2 had half of what that machine was busy with.
  assert.ok(
    Math.abs(counters.generator_foreign_share! - 0.5 * 555 / 990) < 1e-9,
    `${counters.generator_foreign_share}`,
  );
  assert.equal(counters.loopback_bytes, null);
  assert.match(counters.unreadable["loopback_bytes"]!, /machine each/);
  assert.equal(counters.moment_ns, 3e6);
  assert.equal(boundOfCounters(counters), "server");
});

test("a full link is the limit where neither side is, and so is one that loses what it carries", () => {
  const bound = (serverMs: number, megabytes: number, sentAgain?: number) =>
    boundOfCounters(countersOf(samples(serverMs, megabytes, sentAgain)));
  const { link } = countersSchema.parse(countersOf(samples(400, 22, 3)));
  assert.deepEqual(link, {
    name: "eth0",
    received_bytes_per_second: 22e6,
    sent_bytes_per_second: 110e6,
    bits_per_second: 1e9,
    share: 0.88,
    round_trip_us: 80,
    retransmit_share: 0.004,
  });
  assert.equal(bound(400, 22), "network");
  assert.equal(bound(400, 2, 3), "network");
  assert.equal(bound(400, 2, -1), "neither");
  assert.equal(bound(990, 22), "server", "a busy server is asked first");
});

test("a link nobody told the speed of is the limit by its losses alone", () => {
  const made = samples(400, 500, -1);
  const unknown = { ...made, link: { ...made.link!, bitsPerSecond: null } };
  const counters = countersSchema.parse(countersOf(unknown));
  assert.equal(counters.link!.share, null);
  assert.equal(boundOfCounters(counters), "neither");
  assert.equal(countersOf({ ...made, link: undefined }).link, undefined);
});
