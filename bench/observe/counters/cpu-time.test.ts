import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProcessSample, Reading } from "../../record/samples.ts";
import { cpuNs, cpuNsByWorker } from "./cpu-time.ts";

const MS = 1e6;

/** A sample of processes, each with milliseconds of its threads by id, and of threads that have ended. */
function sample(processes: Record<number, Record<number | "ended", number>>): Reading<ProcessSample> {
  const told = Object.entries(processes).map(([pid, { ended, ...threads }]) => {
    const known = Object.entries(threads).map(([tid, ms]) => [Number(tid), { cpuNs: ms * MS, waitNs: 0 }] as const);
    const tickNs = known.reduce((sum, [, { cpuNs }]) => sum + cpuNs, (ended ?? 0) * MS);
    return { pid: Number(pid), known, tickNs };
  });
  return {
    value: {
      atMs: 0,
      threads: new Map(told.flatMap(({ known }) => known)),
      tickNs: told.reduce((sum, one) => sum + one.tickNs, 0),
      processes: new Map(told.map(({ pid, known, tickNs }) => [pid, { tickNs, tids: known.map(([tid]) => tid) }])),
      involuntarySwitches: null,
    },
  };
}

const starter = (ms: number) => ({ 1: { 1: ms, ended: 0 } });
const worker = (pid: number) => ({ pid, tid: pid });

test("a worker that is a process has the time of all its threads, and the process that starts it is beside it", () => {
  const from = sample({ ...starter(50), 2: { 2: 100, 20: 10, ended: 0 }, 3: { 3: 100, ended: 0 } });
  const to = sample({ ...starter(57), 2: { 2: 400, 20: 30, ended: 0 }, 3: { 3: 250, 30: 5, ended: 0 } });
  const { each, besideNs } = cpuNsByWorker(from, to, [worker(2), worker(3)], "processes");
  assert.deepEqual([...each, besideNs], [320 * MS, 155 * MS, 7 * MS]);
  assert.equal(320 * MS + 155 * MS + 7 * MS, cpuNs(from, to));
});

test("a thread that ended counts for the worker it belonged to", () => {
  const from = sample({ ...starter(50), 2: { 2: 100, 20: 40, ended: 0 }, 3: { 3: 100, ended: 0 } });
  const to = sample({ ...starter(50), 2: { 2: 300, ended: 140 }, 3: { 3: 150, ended: 0 } });
  const { each, besideNs } = cpuNsByWorker(from, to, [worker(2), worker(3)], "processes");
  assert.deepEqual([...each, besideNs], [300 * MS, 50 * MS, 0]);
});

test("a worker that is a thread has its own time, and threads that serve all are beside it", () => {
  const from = sample({ ...starter(50), 2: { 2: 100, 20: 10, 21: 5, ended: 0 } });
  const to = sample({ ...starter(51), 2: { 2: 400, 20: 110, 21: 35, ended: 60 } });
  const { each, besideNs } = cpuNsByWorker(from, to, [{ pid: 2, tid: 2 }, { pid: 2, tid: 20 }], "threads");
  assert.deepEqual([...each, besideNs], [300 * MS, 100 * MS, (30 + 60 + 1) * MS]);
});

test("what is beside workers is not known where one has ended, or where processes are not told apart", () => {
  const two = [worker(2), worker(3)];
  const from = sample({ ...starter(50), 2: { 2: 100, ended: 0 }, 3: { 3: 100, ended: 0 } });
  const ended = cpuNsByWorker(from, sample({ ...starter(50), 2: { 2: 300, ended: 0 } }), two, "processes");
  assert.deepEqual(ended, { each: [200 * MS, null], besideNs: null });
  const { processes: _, ...together } = (from as { value: ProcessSample }).value;
  const untold = { each: [null, null], besideNs: null };
  assert.deepEqual(cpuNsByWorker(from, { value: together }, two, "processes"), untold);
  assert.deepEqual(cpuNsByWorker({ unreadable: "gone" }, from, two, "processes"), untold);
});
