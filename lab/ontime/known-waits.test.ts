import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOf } from "../self/measurements.ts";
import { findProgram } from "../../bench/machine/programs.ts";
import { localHost } from "../../bench/pipe/local-host.ts";
import { judgeWait, knownDelays, type MeasuredWait } from "./known-waits.ts";
import { measureWaits } from "./load-ontime.ts";
import { judgeLateness, judgeOverload } from "./prove.ts";

const outcome = (judged: ReturnType<typeof judgeWait>) => outcomeOf({ part: "ontime", name: "", ...judged });

test("a wait below the dictated one is missed on any machine, one above it where nothing explains it", () => {
  const wait: MeasuredWait = { share: 0.99, expectedUs: 5_000, measuredUs: 5_100, lateUs: 3, haltedShare: 0 };
  const judged = (changed: Partial<MeasuredWait>) => outcome(judgeWait({ ...wait, ...changed }));
  assert.equal(judged({}), "reached");
  assert.equal(judged({ measuredUs: 4_940 }), "missed");
  assert.equal(judged({ measuredUs: 4_940, lateUs: 9_000, haltedShare: 0.5 }), "missed");
  assert.equal(judged({ measuredUs: 6_000 }), "missed");
  assert.equal(judged({ measuredUs: 6_000, lateUs: 501 }), "unclear");
  assert.equal(judged({ measuredUs: 6_000, lateUs: 500, haltedShare: 0.001 }), "missed");
  assert.equal(
    judged({ measuredUs: 6_000, haltedShare: 0.0011 }),
    "unclear",
    "others had a core for a tenth of a percent",
  );
  assert.equal(
    judgeWait({ ...wait, lateUs: 501 }).note,
    "expected 5.00ms, measured 5.10ms",
    "lateness excuses, no more",
  );
  const { note } = judgeWait({ ...wait, measuredUs: 6_000, lateUs: 600 });
  assert.match(note, /not proven: the generator was late \(600µs at that share\)$/);
});

test("a generator is on time if 99 % of requests leave within 50 µs, and others' work is not its fault", () => {
  const late = (inTime: number) => [[0, inTime - 1], [49, 1], [50, 100 - inTime]] as const;
  assert.equal(outcome(judgeLateness({ late: late(99), haltedShare: 0 })), "reached");
  assert.equal(outcome(judgeLateness({ late: late(98), haltedShare: 0 })), "missed");
  assert.equal(outcome(judgeLateness({ late: late(98), haltedShare: 0.001 })), "missed");
  assert.equal(outcome(judgeLateness({ late: late(98), haltedShare: 0.0011 })), "unclear");
});

test("waits that follow from the delays are those of the schedules", () => {
  const [hold, stop, over] = knownDelays();
  assert.deepEqual(hold!.waits.map(([, us]) => us), [5_000, 5_000, 5_000]);
  // Of each second's requests 5 % wait for up to 50 ms, evenly; one gap is a millisecond.
  assert.deepEqual(stop!.waits.map(([share, us]) => [share, Math.round(us / 1e3)]), [
    ...[[0.97, 19], [0.98, 29], [0.99, 39], [0.995, 44]],
  ]);
  // A request is served in 500 µs and due each 454.5 µs: each waits 45.5 µs longer than the one before.
  const [, us] = over!.waits[0]!;
  assert.ok(Math.abs(us - (500 + 2_199 * (500 - 5_000 / 11))) < 1e-6, String(us));
  assert.ok(over!.mostAnswered! > 1 / 1.1 && over!.mostAnswered! < 0.93);
});

const wrk = findProgram("wrk");
const luaTest = wrk === undefined ? test.skip : test;

for (const delay of knownDelays()) {
  luaTest(`no wait is below the dictated one at a server that ${delay.name}`, async () => {
    const program = { program: wrk! };
    const equipment = {
      ...{ hosts: { load: localHost() }, placement: { serverCpus: null, loadCpus: null }, priority: { nice: null } },
      ...{ wrk: program, serversWrk: program },
    };
    const { due, sent, result } = await measureWaits({ equipment, interrupts: { onStart: () => {} } }, delay);
    for (const wait of [...due, ...delay.bySent ? sent : []]) {
      assert.ok(judgeWait(wait).ratio! >= 0.99, JSON.stringify(wait));
      // Above it only as far as something explains it.
      assert.ok(
        wait.measuredUs <= 1.1 * wait.expectedUs || wait.lateUs > 0 || wait.haltedShare > 0,
        JSON.stringify(wait),
      );
    }
    // A clock that starts when a request leaves does not see the wait for a connection.
    if (!delay.bySent) assert.ok(sent[0]!.measuredUs < due[0]!.measuredUs);
    const [over] = judgeOverload(delay, result);
    if (delay.mostAnswered !== undefined) assert.equal(outcomeOf(over!), "reached", JSON.stringify(over));
  });
}
