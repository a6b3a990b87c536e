import assert from "node:assert/strict";
import { test } from "node:test";
import type { Later, Member } from "../record/observation-record.ts";
import { idleShareOf, isIdle, laterShareOf, laterWorkMark, mostWatchedMs } from "./later-work.ts";

const SECOND_NS = 1e9;
type Worked = Pick<Member, "later" | "cpu_ns" | "requests">;
const member = (later: Partial<Later> | null, cpu_ns: number | null = SECOND_NS): Worked => ({
  cpu_ns,
  requests: 1_000,
  ...(later === null
    ? {}
    : { later: { cpu_ns: 0, ms: 200, rested: true, idle_share: 0, in_flight: 0, bytes: [null, null], ...later } }),
});

test("a server rests once two stretches on end are as quiet as it was when nobody had asked it", () => {
  const stretches = [90, 50, 2, 40, 2, 1].map((ms) => ({ ms: 100, cpuNs: ms * 1e6, waitNs: 0 }));
  const restedAfter = (idle: number) => stretches.findIndex((_, n) => isIdle(stretches.slice(0, n + 1), idle));
  assert.equal(restedAfter(0), 5);
  assert.equal(restedAfter(0.4), 3);
  assert.equal(restedAfter(0.5), 2);
  assert.equal(isIdle(stretches.slice(0, 1), 1), false, "one stretch is no rest");
  assert.equal(isIdle([4, 5].map(() => ({ ms: 100, cpuNs: 1e6, waitNs: 20e6 })), 0), false, "others have its core");
  assert.equal(idleShareOf(stretches), 0.01);
});

test("what a server does when nobody asks is no later work, nor is a heap that is collected", () => {
  assert.equal(laterShareOf(member({ cpu_ns: SECOND_NS })), 1);
  assert.equal(laterShareOf(member({ cpu_ns: SECOND_NS, ms: 2_000, idle_share: 0.5 })), 0);
  assert.equal(laterShareOf(member({ cpu_ns: 49e6 }, 10e6)), 0, "too little to be told");
  assert.equal(laterShareOf(member({ cpu_ns: SECOND_NS / 4, in_flight: 250 })), 0, "requests that had no reply yet");
  assert.equal(laterShareOf(member({ cpu_ns: SECOND_NS, in_flight: 250 })), 0.75);
  assert.equal(laterShareOf(member(null)), null);
  assert.equal(laterShareOf(member({}, null)), null);
  assert.equal(laterWorkMark([member({ cpu_ns: 60e6 })]), null);
});

test("a server that works on is watched longer, one that never rests and does little is not", () => {
  assert.equal(mostWatchedMs(0.11), 10_000);
  assert.deepEqual([null, 0, 0.1].map((share) => mostWatchedMs(share)), [2_000, 2_000, 2_000]);
});

test("work that outlives the reply withholds verdicts and says how much it was; lines of earlier versions say nothing", () => {
  const busy = member({ cpu_ns: 18 * SECOND_NS, ms: 20_000 });
  const found = laterWorkMark([busy, busy, member({})])!;
  assert.deepEqual([found.code, found.effect], ["later-work", "withholds"]);
  assert.equal(
    found.text,
    "18 times as much CPU was used after the replies as before them, in 3 observations: work outlives the reply",
  );
  const endless = member({ cpu_ns: 0.9 * SECOND_NS, ms: 2_000, rested: false });
  assert.match(
    laterWorkMark([endless])!.text,
    /^at least 90\.0 % as much CPU .*, and it had not come to rest after 2\.0 s: work outlives the reply, or a timer goes on$/,
  );
  assert.equal(laterWorkMark([busy, member({}), member({})]), null, "most observations decide");
  assert.equal(laterWorkMark([member(null), member(null)]), null);
  const heap = member({ cpu_ns: SECOND_NS, bytes: [300 * 2 ** 20, 100 * 2 ** 20] });
  assert.match(laterWorkMark([heap])!.text, /gave 200 MiB back/);
});
