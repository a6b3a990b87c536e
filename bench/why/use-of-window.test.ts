import assert from "node:assert/strict";
import { test } from "node:test";
import type { ServerUse, ThreadUse } from "../record/samples.ts";
import { threadKind, unsampledThreads, useOfWindow } from "./use-of-window.ts";

const thread = (name: string, cpuNs: number, userNs = cpuNs, systemNs = 0, switches = 0): ThreadUse => ({
  ...{
    name,
    process: 7,
    cpuNs,
    userNs,
    systemNs,
    waitNs: 0,
    voluntarySwitches: switches,
    involuntarySwitches: 2 * switches,
  },
});

const use = (threads: Record<number, ThreadUse>, endedNs = 0, minorFaults = 0): ServerUse => ({
  threads: new Map(Object.entries(threads).map(([id, thread]) => [Number(id), thread])),
  userNs: Object.values(threads).reduce((sum, thread) => sum + thread.userNs, endedNs),
  systemNs: Object.values(threads).reduce((sum, thread) => sum + thread.systemNs, 0),
  ...{ minorFaults, majorFaults: null, writtenBytes: null },
});

const between = (before: ServerUse, after: ServerUse, profiled = false) =>
  useOfWindow({ before, after, main: 7, profiled, requests: 1_000, windowMs: 2_000, sentBytes: 5_000 });

test("a thread's CPU time is exact, and its ticks only part it into user and system time", () => {
  const used = between(
    use({ 7: thread("deno", 5e6, 1e7, 0, 3) }),
    use({ 7: thread("deno", 45e6, 4e7, 1e7, 13) }, 0, 500),
  );
  assert.deepEqual(used.threads, { main: { user_us: 30, system_us: 10 } });
  assert.deepEqual([used.user_us, used.system_us], [30, 10]);
  assert.deepEqual([used.voluntary_switches, used.involuntary_switches], [0.01, 0.02]);
  assert.deepEqual([used.minor_faults, used.major_faults, used.sent_bytes], [0.5, null, 5]);
});

test("threads count by what they do, also those that began or ended meanwhile", () => {
  const used = between(
    use({ 7: thread("node", 0), 8: thread("node-V8Worker", 1e6) }),
    use({
      ...{ 7: thread("node", 20e6), 8: thread("node-V8Worker", 3e6), 9: thread("node-V8Worker", 4e6) },
      10: thread("libuv-worker", 5e6),
    }, 30e6),
  );
  assert.deepEqual(used.threads, {
    main: { user_us: 20, system_us: 0 },
    helpers: { user_us: 6, system_us: 0 },
    other: { user_us: 35, system_us: 0 },
  });
  assert.equal(used.user_us + used.system_us, 61);
});

test("Bun's profiler has a thread without a name, which without it is another one", () => {
  assert.equal(threadKind("thread", false, true), "profiler");
  assert.equal(threadKind("thread", false, false), "other");
  const names = ["v8:ProfEvntProc", "V8 DefaultWorke", "JSCWarmUp", "mi-scavenger", "tokio-runtime-w"];
  assert.deepEqual(names.map((name) => threadKind(name, false, true)), [
    ...["profiler", "helpers", "compiling", "garbage-collection", "other"],
  ]);
});

test("threads that no profile has are named with their time, and those that collect are not", () => {
  const window = {
    before: use({
      7: thread("bun", 0),
      8: thread("Worker", 1e6),
      9: thread("Bun Pool 0", 0),
      10: thread("Bun Pool 1", 0),
    }),
    after: use({
      ...{
        7: thread("bun", 20e6),
        8: thread("Worker", 9e6),
        9: thread("Bun Pool 0", 2e6),
        10: thread("Bun Pool 1", 3e6),
      },
      ...{ 11: thread("HeapHelper", 9e6), 12: thread("HTTP Client", 1e5) },
    }),
    ...{ main: 7, profiled: false, requests: 1_000, windowMs: 2_000, sentBytes: null },
  };
  const [worker, pool] = [{ where: 'threads "Worker"', us: 8 }, { where: 'threads "Bun Pool"', us: 5 }];
  assert.deepEqual(unsampledThreads([window, window], 1), [worker, pool]);
  assert.deepEqual(unsampledThreads([window], 2), [pool], "workers have profiles of their own");
  const { threads } = window.after, forked = new Map([...threads, [8, { ...threads.get(8)!, process: 8 }]]);
  const [child] = unsampledThreads([{ ...window, after: { ...window.after, threads: forked } }], 1);
  assert.deepEqual(child, { where: "processes that it started", us: 8 });
  const named = new Map([...threads, [8, { ...threads.get(8)!, name: "hash pool" }]]);
  const renamed = { ...window, after: { ...window.after, threads: named } };
  assert.deepEqual(unsampledThreads([renamed], 2), [pool], "an app names its workers as it likes");
  // A worker for each request has ended by then.
  const gone = { ...window, after: { ...window.after, userNs: window.after.userNs + 30e6 } };
  assert.deepEqual(unsampledThreads([gone], 1)[0], { where: "threads that ended", us: 30 });
  assert.deepEqual(unsampledThreads([gone], 2), [pool]);
});
