/** Counters of windows. It is longer than others because all its cases change one made-up window. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { boundOfCounters } from "../../judge/bound.ts";
import { softirqInCpuTime } from "./core-use.ts";
import { countersOf } from "./counters.ts";
import type { LoadSamples } from "./inner-window.ts";
import { cpuNs, cpuNsAlong, cpuNsBetween } from "./cpu-time.ts";
import { countersSchema } from "../../record/counters-schema.ts";
import {
  type CountSample,
  type CpuSample,
  type InnerSample,
  type ProcessSample,
  type Reading,
  valueOf,
} from "../../record/samples.ts";

const MS = 1e6;
const value = <T>(of: T): Reading<T> => ({ value: of });
const unreadable = (why: string) => ({ unreadable: why });

/** A process with threads of [id, ms on a CPU, ms waiting]. */
function sample(atMs: number, threads: [number, number, number?][], more: Partial<ProcessSample> = {}): ProcessSample {
  const all = threads.map(([tid, cpu, wait = 0]) => [tid, { cpuNs: cpu * MS, waitNs: wait * MS }] as const);
  const tickNs = threads.reduce((sum, [, cpu]) => sum + cpu * MS, 0);
  return { atMs, threads: new Map(all), tickNs, involuntarySwitches: 0, ...more };
}

/** A system with CPUs of [id, ms busy, ms stolen, ms in soft interrupts]. */
function system(cpus: [number, number, number, number][], count = 0, kernelMs = 0): CpuSample & CountSample {
  const all = cpus.map(([id, busy, steal, softirq]) =>
    [id, { busyNs: busy * MS, stealNs: steal * MS, softirqNs: softirq * MS }] as const
  );
  return {
    cpus: value(new Map(all)),
    kernelThreads: value(
      new Map([[11, { cpu: 1, cpuNs: kernelMs * MS }], [12, { cpu: 2, cpuNs: 100 * kernelMs * MS }]]),
    ),
    // Server and generator are among them, and somebody on the generator's CPU, on the server's and on a third.
    otherThreads: value(
      new Map(
        [[1, 1, 97], [7, 0, 40], [30, 0, 3], [31, 1, 2], [32, 2, 9]].map(([id, cpu, part]) =>
          [id!, { cpu: cpu!, cpuNs: part! * kernelMs * MS }] as const
        ),
      ),
    ),
    passiveOpens: value(count),
    listenOverflows: value(0),
    retransmits: value(2 * count),
    loopbackBytes: value(1_000 * count),
    links: unreadable("made up"),
    khz: value(new Map([[0, 3_000_000], [1, 3_000_000 + 3_000 * count]])),
    clockMs: count,
    cpusAtMs: 0,
    swappedPages: value(0),
    throttledNs: value(0),
  };
}

const inner = (server: ProcessSample, generator: ProcessSample, at: CpuSample, driverMs: number): InnerSample => ({
  servers: [value(server)],
  generator: value(generator),
  system: at,
  driverCpuNs: driverMs * MS,
  tookMs: driverMs,
  atUs: 0,
});

/** A window of one second in which the server works 970 ms, the generator's threads 400 and 500 ms. */
const SOUND: LoadSamples = {
  before: { servers: [value(sample(0, [[1, 100]], { involuntarySwitches: 5 }))], system: system([], 10) },
  after: { servers: [value(sample(1_400, [[1, 1_400]], { involuntarySwitches: 25 }))], system: system([], 60) },
  early: inner(
    sample(200, [[1, 200, 10]]),
    sample(200, [[7, 50], [8, 60]]),
    system([[0, 0, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0]]),
    3,
  ),
  part: null,
  late: inner(
    sample(1_200, [[1, 1_170, 30]]),
    sample(1_200, [[7, 450], [8, 560]]),
    system([[0, 920, 4, 50], [1, 1_000, 2, 90], [2, 999, 99, 99]], 100, 10),
    5,
  ),
  serverCpus: [1],
  loadCpus: [0],
  requests: 1_000,
};

const close = (actual: number | null, expected: number, what: string) =>
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-9, `${what}: ${actual}, expected ${expected}`);

test("counters are differences over the window, shares of one CPU over its inner part", () => {
  const counters = countersOf(SOUND);
  close(counters.server_cpu_ns, 1_300 * MS, "server_cpu_ns");
  close(counters.server_cpu_ns_per_request, 1.3 * MS, "per request");
  close(counters.cpu_window_ns!, 1_400 * MS, "from the first reading to the last");
  close(counters.share_window_ns, 1_000 * MS, "window");
  close(counters.server_share, 0.97, "server_share");
  close(counters.generator_share, 0.5, "generator_share is the busiest thread's");
  close(counters.driver_share, 0.002, "driver_share");
  close(counters.server_wait_share, 0.02, "server_wait_share");
  close(counters.steal_share, 0.004, "steal_share is the worst pinned CPU's");
  close(counters.softirq_share, 0.09, "softirq_share");
  close(counters.core_share, 1, "core_share is all that ran on the server's CPU");
  close(counters.foreign_share, 0.04, "foreign_share leaves out CPU 2, our own 1.87 s and the kernel's 0.01 s");
  close(counters.server_kernel_share, 0.01, "server_kernel_share");
  assert.equal(counters.involuntary_switches, 20);
  close(counters.server_foreign_share, 0.0173, "server_foreign_share is what others did on the server's CPU");
  close(counters.generator_foreign_share!, 0.03, "generator_foreign_share is what others' threads used of its CPU");
  close(counters.server_thread_share, 0.97, "server_thread_share");
  close(counters.frequency_change, 0.1, "frequency_change of the server's CPU");
  assert.equal(counters.softirq_in_cpu_time, true);
  assert.equal(counters.loopback_bytes, 50_000);
  assert.equal(counters.clock_step_ms, 50);
  assert.equal(counters.connections_opened, 50);
  assert.equal(counters.retransmits, 100);
  assert.deepEqual(counters.unreadable, {});
});

test("several servers count together, and their threads' waits each for itself", () => {
  const second = (cpuMs: number, waitMs: number, switches: number) =>
    value(sample(0, [[9, cpuMs, waitMs]], { involuntarySwitches: switches }));
  const two: LoadSamples = {
    ...SOUND,
    before: { ...SOUND.before, servers: [...SOUND.before.servers, second(0, 0, 1)] },
    after: { ...SOUND.after, servers: [...SOUND.after.servers, second(200, 0, 4)] },
    early: { ...SOUND.early!, servers: [...SOUND.early!.servers, second(10, 0, 0)] },
    late: { ...SOUND.late!, servers: [...SOUND.late!.servers, second(20, 300, 0)] },
  };
  const counters = countersOf(two);
  close(counters.server_cpu_ns, 1_500 * MS, "server_cpu_ns");
  close(counters.server_share, 0.98, "server_share");
  close(counters.server_wait_share, 0.3, "the longest wait of any thread");
  assert.equal(counters.involuntary_switches, 23);
});

test("a thread that ended takes its time along, so the process's own total is asked", () => {
  const from = sample(0, [[1, 100], [2, 300]], { tickNs: 400 * MS });
  assert.equal(cpuNsBetween(from, sample(1, [[1, 200]], { tickNs: 900 * MS })), 500 * MS);
  // A thread that began and ended in between shows in the total alone; less than three ticks are the total's rounding.
  assert.equal(cpuNsBetween(from, sample(1, [[1, 200], [2, 300]], { tickNs: 900 * MS })), 500 * MS);
  assert.equal(cpuNsBetween(from, sample(1, [[1, 200], [2, 300]], { tickNs: 520 * MS })), 100 * MS);
});

test("a thread that came later counts whole for the process, but not as the busiest of the generator", () => {
  assert.equal(cpuNsBetween(sample(0, [[1, 100]]), sample(1, [[1, 150], [2, 70]])), 120 * MS);
  const late = { ...SOUND.late!, generator: value(sample(1_200, [[7, 450], [9, 5_000]])) };
  close(countersOf({ ...SOUND, late }).generator_share, 0.4, "generator_share");
});

test("parts of a window are never more than the whole, also where ticks tell of a thread that ended", () => {
  const [begin, part, end] = [
    value(sample(0, [[1, 100], [2, 50]], { tickNs: 150 * MS })),
    value(sample(1, [[1, 150]], { tickNs: 220 * MS })),
    value(sample(2, [[1, 250]], { tickNs: 310 * MS })),
  ];
  const parts = cpuNs(begin, part)! + cpuNs(part, end)!;
  assert.ok(parts > cpuNs(begin, end)!, "the second part's threads tell more than its ticks");
  assert.equal(cpuNsAlong([begin, part, end]), parts);
  assert.equal(cpuNsAlong([begin, end]), cpuNs(begin, end));
  assert.equal(cpuNsAlong([begin, unreadable("gone"), end]), null);

  const system = SOUND.early!.system;
  const at = (servers: Reading<ProcessSample>): InnerSample => ({ ...SOUND.early!, servers: [servers], system });
  const early = at(begin);
  const late = { ...at(end), generator: SOUND.late!.generator };
  const counters = countersOf({ ...SOUND, early, part: at(part), late });
  close(counters.server_share! * counters.share_window_ns!, parts, "the share is that of the parts");
  assert.equal(
    counters.server_cpu_ns,
    cpuNsAlong([SOUND.before.servers[0]!, begin, part, end, SOUND.after.servers[0]!]),
    "and so is the time",
  );
});

test("whatever cannot be read is null, and each null says why", () => {
  const gone = unreadable("ENOENT");
  const blind = { ...SOUND.early!, servers: [gone], generator: gone, system: { ...SOUND.early!.system, cpus: gone } };
  const cases: [string, Partial<LoadSamples>][] = [
    ["a load that ended too soon", { early: null, late: null }],
    ["no late sample", { late: null }],
    ["nothing in the window", { early: blind }],
    ["only the server", { early: { ...SOUND.early!, servers: [gone] } }],
    ["only the generator", { late: { ...SOUND.late!, generator: gone } }],
    ["only the CPUs", { late: { ...SOUND.late!, system: { ...SOUND.late!.system, cpus: gone } } }],
    ["the server before", { before: { ...SOUND.before, servers: [gone] } }],
    ["a counter of the system", {
      after: { ...SOUND.after, system: { ...SOUND.after.system, retransmits: gone, throttledNs: gone } },
    }],
    ["no pinning", { serverCpus: null, loadCpus: null }],
    ["no requests", { requests: 0 }],
  ];
  for (const [what, change] of cases) {
    const counters = countersSchema.parse(countersOf({ ...SOUND, ...change }));
    const { unreadable: reasons, ...figures } = counters;
    const nulls = Object.entries(figures).filter(([, figure]) => figure === null).map(([name]) => name);
    assert.ok(nulls.length > 0, what);
    assert.deepEqual(Object.keys(reasons).sort(), nulls.sort(), what);
    assert.ok(Object.values(reasons).every((reason) => reason !== ""), what);
  }
});

test("what a system does not tell of a process is null with a reason, not zero", () => {
  const untold = (atMs: number) => {
    const threads = new Map([[1, { cpuNs: atMs * MS, waitNs: null }]]);
    return [value({ ...sample(atMs, []), threads, involuntarySwitches: null })];
  };
  const counters = countersOf({
    ...SOUND,
    before: { ...SOUND.before, servers: untold(0) },
    after: { ...SOUND.after, servers: untold(1_400) },
    early: { ...SOUND.early!, servers: untold(200) },
    late: { ...SOUND.late!, servers: untold(1_200) },
  });
  assert.equal(counters.server_share, 1);
  for (const name of ["server_wait_share", "involuntary_switches"] as const) {
    assert.deepEqual([counters[name], counters.unreadable[name]], [null, "this system does not tell it"]);
  }
});

test("what can still be read is kept beside what cannot", () => {
  const counters = countersOf({ ...SOUND, early: null, late: null });
  close(counters.server_cpu_ns_per_request, 1.3 * MS, "per request");
  assert.equal(counters.server_share, null);
  assert.match(counters.unreadable["server_share"]!, /ended before/);
  assert.equal(
    countersOf({ ...SOUND, serverCpus: null, loadCpus: null }).unreadable["steal_share"],
    "processes are not pinned",
  );
  const unpinned = countersOf({ ...SOUND, serverCpus: null, loadCpus: null }).unreadable;
  assert.equal(unpinned["server_foreign_share"], "processes are not pinned");
});

test("soft interrupts are apart from CPU time only where just they are missing, on both sides", () => {
  const side = (busyNs: number, ownNs: number, softirqNs: number) => ({ busyNs, ownNs, softirqNs });
  const charged = side(1_000, 998, 300), apart = side(1_000, 700, 300), little = side(1_000, 960, 40);
  assert.equal(softirqInCpuTime([apart, apart]), false);
  assert.equal(softirqInCpuTime([charged, charged]), true);
  assert.equal(softirqInCpuTime([charged, apart]), true, "a kernel does one or the other");
  // Somebody else on the servers' core, as much as the soft interrupts by chance: the generator's side tells.
  assert.equal(softirqInCpuTime([side(1_000, 690, 300), charged]), true);
  assert.equal(
    softirqInCpuTime([side(1_000, 500, 300), apart]),
    true,
    "others besides: nothing is certain, so nothing is added",
  );
  assert.equal(softirqInCpuTime([apart, little]), null);
  assert.equal(softirqInCpuTime([apart, null]), null);
});

test("where a kernel keeps soft interrupts apart, a server's own count as its work and nobody else's", () => {
  const late = inner(
    sample(1_200, [[1, 900]]),
    sample(1_200, [[7, 650]]),
    system([[0, 1_000, 0, 400], [1, 1_000, 0, 300]]),
    5,
  );
  const early = inner(sample(200, [[1, 200]]), sample(200, [[7, 50]]), system([[0, 0, 0, 0], [1, 0, 0, 0]]), 3);
  const counters = countersOf({ ...SOUND, early, late });
  assert.equal(counters.softirq_in_cpu_time, false);
  close(counters.server_share, 1, "0.7 s of its own and 0.3 s of soft interrupts");
  close(counters.server_foreign_share, 0, "nobody else was there");
  close(counters.foreign_share, 0, "nor on the generator's CPU");
  assert.equal(boundOfCounters(counters), "server");
});

test("a server of one thread on two CPUs is busy by half of them, and still the limit", () => {
  const counters = countersOf({ ...SOUND, serverCpus: [1, 2] });
  close(counters.server_share, 0.485, "server_share");
  close(counters.server_thread_share, 0.97, "server_thread_share");
  assert.equal(boundOfCounters(counters), "server");
});

test("services are nobody's neighbours on the generator's core, and their share of it is told", () => {
  // The thread on the generator's CPU that would be another's is a service's.
  const service = (ms: number) => value(sample(ms === 0 ? 0 : 1_000, [[30, ms]]));
  const counters = countersOf({
    ...SOUND,
    early: { ...SOUND.early!, services: [service(0)] },
    late: { ...SOUND.late!, services: [service(30)] },
    serviceCpus: [0],
  });
  close(counters.service_share!, 0.03, "service_share");
  close(counters.load_core_share!, 0.93, "load_core_share: the generator's 0.9 s and the service's");
  close(counters.generator_foreign_share!, 0, "generator_foreign_share");
  close(counters.foreign_share, 0.01, "foreign_share");
  const apart = countersOf({
    ...SOUND,
    early: { ...SOUND.early!, services: [service(0)] },
    late: { ...SOUND.late!, services: [service(30)] },
    serviceCpus: [3],
  });
  assert.equal(apart.load_core_share, undefined, "on a CPU of its own");
  const roomy = countersOf({
    ...SOUND,
    early: { ...SOUND.early!, services: [service(0)] },
    late: { ...SOUND.late!, services: [service(970)] },
    serviceCpus: [3, 4],
  });
  close(roomy.service_share!, 0.97, "a service of one thread is busy on two CPUs when that is");
  close(apart.foreign_share, 0.04, "what runs elsewhere is none of these CPUs' work");
  const elsewhere = countersOf({
    ...SOUND,
    early: { ...SOUND.early!, services: [service(0)] },
    late: { ...SOUND.late!, services: [service(30)] },
    serviceCpus: [0],
    servicesOn: { servers: false, load: false },
  });
  close(elsewhere.service_share!, 0.03, "service_share");
  assert.equal(elsewhere.load_core_share, undefined, "another machine's CPU of the same number");
  close(elsewhere.foreign_share, 0.04, "as above");
});

test("the time that the servers' CPU was idle for a disk is a share of its own, where the system counts it", () => {
  const waiting = (ms: number, of: InnerSample): InnerSample => ({
    ...of,
    system: {
      ...of.system,
      cpus: value(new Map([...valueOf(of.system.cpus)!].map(([cpu, times]) => [cpu, { ...times, diskNs: ms * MS }]))),
    },
  });
  const counted = countersOf({ ...SOUND, early: waiting(100, SOUND.early!), late: waiting(400, SOUND.late!) });
  close(counted.disk_share!, 0.3, "300 ms of one second");
  assert.equal(countersOf(SOUND).disk_share, undefined);
});
