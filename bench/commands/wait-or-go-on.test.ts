import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { mark } from "../record/mark.ts";
import type { Observation } from "../record/observation-record.ts";
import { until } from "../../tests/testing.ts";
import { disturbedText, waitOrGoOn } from "./wait-or-go-on.ts";

const voided = [{ marks: [mark("contended", "others used 9.0 % of it")], counters: null }] as unknown as Observation[];
const busy = [{ pid: 77, name: "cc1plus", share: 0.97 }];

/** Somebody at a keyboard, or nobody, and the lines of progress. */
function asking(somebody: boolean, patienceMs?: number) {
  const keyboard = new PassThrough();
  const lines: string[] = [], waits: string[] = [];
  const stop = Promise.withResolvers<void>();
  const progress = {
    write: (text: string) => void lines.push(text),
    preparing: (text: string) => void waits.push(text),
  };
  const { disturbed, busy: last } = waitOrGoOn({
    ...{ keyboard: () => somebody ? keyboard as unknown as NodeJS.ReadStream : null, progress, cpus: null },
    ...{ stop: stop.promise, ...(patienceMs === undefined ? {} : { patienceMs }) },
  });
  return { keyboard, lines, waits, last, stop: stop.resolve, disturbed: () => disturbed(voided, busy) };
}

test("where nobody can be asked the run goes on, and says so once", async () => {
  const { disturbed, lines, last } = asking(false);
  assert.equal(last(), null);
  await disturbed();
  await disturbed();
  assert.equal(lines.length, 1);
  assert.match(
    lines[0]!,
    /^in 1 observation in a row others had the machine: .*cc1plus \(process 77, 97 % of a CPU\); the run goes on$/,
  );
  assert.match(last()!, /cc1plus \(process 77/);
});

test("whoever answers g or Enter is not asked again, and nor is whoever does not answer or stops the run", async () => {
  const ways: [ReturnType<typeof asking>, (one: ReturnType<typeof asking>) => void][] = [
    [asking(true), ({ keyboard }) => keyboard.write("g\n")],
    [asking(true), ({ keyboard }) => keyboard.write("\n")],
    [asking(true), ({ keyboard }) => keyboard.end()],
    [asking(true), ({ stop }) => stop()],
    [asking(true, 1), () => {}],
  ];
  for (const [one, answer] of ways) {
    const first = one.disturbed();
    answer(one);
    await first;
    await one.disturbed();
    assert.equal(one.lines.filter((line) => line.startsWith("wait or go on?")).length, 1);
    assert.deepEqual(one.waits, []);
  }
});

test("whoever answers w waits, until Enter at the latest, and is asked again", async () => {
  const { keyboard, disturbed, lines, waits } = asking(true);
  const waited = disturbed();
  keyboard.write("w\n");
  await until(() => waits.length > 0);
  keyboard.write("\n");
  await waited;
  const again = disturbed();
  keyboard.write("g\n");
  await again;
  assert.equal(lines.filter((line) => line.startsWith("wait or go on?")).length, 2);
});

const counters = (share: number) => ({
  ...{ server_foreign_share: share, generator_foreign_share: 0, steal_share: 0, frequency_change: 0 },
  ...{ clock_step_ms: 0, share_window_ns: 1e9, moment_ns: 0 },
});
const contended = [0.4, 0.05001, 0.49].map((share) => ({
  counters: counters(share),
  marks: [mark("contended", "the first one's figure")],
}));

test("who has the machine is named with process and share, and what they took is a range", () => {
  const busy = [
    { pid: 4121, name: "cc1plus", share: 0.972 },
    { pid: 5, name: "node", share: 0.2 },
    { pid: 6, name: "sh", share: 0.1 },
    { pid: 7, name: "ld", share: 0.09 },
  ];
  assert.equal(
    disturbedText(contended, busy),
    "in 3 observations in a row others had the machine: others used 5.0 % to 49.0 % of the servers' cores; " +
      "the busiest: cc1plus (process 4121, 97 % of a CPU), node (process 5, 20 % of a CPU) and sh (process 6, 10 % of a CPU)",
  );
});

test("where nobody is seen to do so much, that is said", () => {
  const reported = disturbedText(contended, [{ pid: 4121, name: "cron", share: 0.01 }]);
  assert.match(reported, /; who they are cannot be seen from here$/);
});
