import assert from "node:assert/strict";
import { test } from "node:test";
import { laterWorkMark } from "../judge/later-work.ts";
import type { Later, Member, Observation } from "../record/observation-record.ts";
import { longIdleOf, noteIdleUse } from "./idle-use.ts";
import { noteLaterWork } from "./later-work.ts";
import type { Running } from "./running.ts";

const CELL = { point: { suite: "own", at: { app: "timer" } }, label: "main" };
const LIMITS = { laterMostMs: 1_000, restMostMs: 400, idleMostMs: 800 };

/** A server by a clock of its own that uses so many ms of CPU time in each stretch of 100 ms, from the first on. */
function scripted(usedMs: (stretch: number) => number, made: readonly Partial<Observation>[] = []) {
  let [read, cpuNs] = [0, 0];
  const sample = () => {
    const value = { atMs: 100 * read, threads: new Map([[1, { cpuNs, waitNs: 0 }]]), tickNs: 0 };
    cpuNs += 1e6 * usedMs(read++);
    return Promise.resolve({ processes: [{ value }], sizes: [{ bytes: 2 ** 20, descriptors: 10 }] });
  };
  const member = { cell: CELL, cpu_ns: 1e9, requests: 10_000 } as unknown as Member;
  const each = { member, server: { pid: 7 }, idle: null, startedBytes: null } as unknown as Running;
  return { each, site: { hosts: { server: { sample } }, plan: {}, made } as never };
}

/** Its observation: idle, then a window whose work is not read, then after the last reply. */
async function observed(usedMs: (stretch: number) => number, made: readonly Member[] = []): Promise<Member> {
  const { each, site } = scripted(usedMs, made.map((member) => ({ members: [member] })));
  await noteIdleUse(each, site, LIMITS);
  await noteLaterWork([each], site, 50, LIMITS);
  return each.member;
}

/** A timer of 40 ms each 200 ms, which the first stretch does not have. */
const timer = (stretch: number) => stretch % 2 === 0 ? 0 : 40;

test("a timer slower than a stretch is told from later work by a long idle watch, at the next start in the run", async () => {
  const first = await observed(timer);
  assert.deepEqual([first.later!.idle_share, first.later!.idle], [0, undefined]);
  const found = laterWorkMark([{ ...first, cpu_ns: 1e8 }]);
  assert.match(found!.text, /^at least .*: work outlives the reply, or a timer goes on$/);
  const second = await observed(timer, [first]);
  assert.deepEqual([second.later!.idle_share, second.later!.idle!.ms], [0.2, 800]);
  assert.equal(laterWorkMark([{ ...first, cpu_ns: 1e8 }, second]), null, "the first one is judged by it, too");
  const third = await observed(() => 0, [first, second]);
  assert.deepEqual(third.later!.idle, second.later!.idle, "once in a run");
});

test("work that outlives the reply is found though its server was watched for long, and no timer is named", async () => {
  // Whatever is watched idle ends with these stretches.
  const queue = (idle: number) => (stretch: number) => stretch < idle ? 0 : 90;
  const first = await observed(queue(1)), second = await observed(queue(8), [first]);
  assert.deepEqual([second.later!.idle_share, second.later!.idle!.ms], [0, 800]);
  const found = laterWorkMark([first, second]);
  assert.match(found!.text, /^at least .*: work outlives the reply$/);
  const both = await observed((stretch) => stretch < 8 ? timer(stretch) : 90, [first]);
  assert.match(laterWorkMark([first, both])!.text, /: work outlives the reply$/);
});

test("servers that rest are watched briefly, and those of other cells say nothing", async () => {
  const rests = await observed(() => 0);
  const other = { ...await observed(timer), cell: { ...CELL, label: "other" } } as Member;
  for (const made of [[rests], [other]]) assert.equal((await observed(() => 0, made)).later!.idle, undefined);
});

test("what a server does as it starts is not its idle use; bursts count for what they go beyond the mean", () => {
  const of = (...usedMs: number[]) => longIdleOf(usedMs.map((ms) => ({ ms: 100, cpuNs: 1e6 * ms, waitNs: 0 })));
  assert.deepEqual(of(90, 90, 90, 90, 0, 0, 0, 0), { idle_share: 0, idle: { ms: 800, beyond_ns: 0 } });
  const burst: Pick<Later, "idle_share" | "idle"> = of(0, 0, 0, 0, 0, 100, 100, 0);
  assert.deepEqual(burst, { idle_share: 0.5, idle: { ms: 800, beyond_ns: 1e8 } });
  assert.deepEqual(of(30, 30, 30, 30), { idle_share: 0.3, idle: { ms: 400, beyond_ns: 0 } });
});
