import assert from "node:assert/strict";
import { test } from "node:test";
import { contendedText, contentionMarks } from "./contention.ts";
import { createRandom } from "../basics/random.ts";

const QUIET = {
  server_foreign_share: 0.01,
  generator_foreign_share: 0.003 as number | null,
  server_wait_share: 0.01,
  server_share: 0.9,
  steal_share: 0.01,
  frequency_change: 0.05,
  clock_step_ms: 1,
  share_window_ns: 1.5e9,
  moment_ns: 10e6,
};
type Change = Partial<typeof QUIET>;
const CONTENDED = ["contended"], QUIETLY: string[] = [];

/** What others did in a closed loop, by what it says of the load. */
const CLOSED: readonly (readonly [change: Change, codes: readonly string[], why?: string])[] = [
  [{}, QUIETLY],
  [{ server_foreign_share: 0.06 }, CONTENDED],
  [{ steal_share: 0.06 }, CONTENDED],
  [{ server_foreign_share: 0.03, steal_share: 0.03 }, CONTENDED, "both together"],
  [{ server_wait_share: 0.2 }, QUIETLY, "a full core of several threads has waits of its own"],
  [{ generator_foreign_share: null }, QUIETLY],
  [{ generator_foreign_share: 0.045 }, QUIETLY],
  [{ generator_foreign_share: 0.12, share_window_ns: 0.25e9 }, QUIETLY, "some ticks in a short window"],
  [{ moment_ns: 70e6 }, QUIETLY],
  [{ frequency_change: 0.25 }, ["clock-changed"]],
  [{ clock_step_ms: 30 }, ["clock-changed"]],
  [
    { server_foreign_share: 0.5, frequency_change: 0.3, clock_step_ms: 3_600_000 },
    ["contended", "clock-changed", "clock-changed"],
    "each reason is told",
  ],
  [{ server_foreign_share: 0.12, share_window_ns: 0.25e9 }, QUIETLY, "some ticks are no work of others"],
  [{ server_foreign_share: 0.16, share_window_ns: 0.25e9 }, CONTENDED, "with 1 % of steal"],
  [{ server_foreign_share: 0.25, share_window_ns: 0.25e9 }, CONTENDED],
  [{ server_foreign_share: 0.12, share_window_ns: 0.6e9 }, CONTENDED],
  [{ server_foreign_share: 0.035, share_window_ns: 0.7e9 }, QUIETLY],
  [{ server_foreign_share: 0.045, share_window_ns: 0.79e9 }, CONTENDED, "no jump at a length"],
];

/** The same at a rate: ends of idle time are nobody's, so the wait of the server's threads says what others did. */
const OPEN: typeof CLOSED = [
  [{ server_share: 0.57, server_foreign_share: 0.12 }, QUIETLY],
  [{ server_share: 0.57, server_foreign_share: 0.4 }, CONTENDED, "a busy loop"],
  [{ server_share: 0.9, server_foreign_share: 0.09 }, CONTENDED],
  [{ generator_foreign_share: 0.16 }, CONTENDED],
  [{ steal_share: 0.06 }, CONTENDED],
  [{ server_wait_share: 0.2 }, QUIETLY, "others had 2 % of the core, so threads of its own had the rest"],
  [{ server_wait_share: 0.2, server_share: 0.57, server_foreign_share: 0.08 }, CONTENDED],
  [{ server_wait_share: 0.06, server_foreign_share: 0.005, steal_share: 0.002 }, QUIETLY, "Bun's helper threads"],
];

test("a load says nothing when others, the hypervisor or clocks took much of it, in a closed loop and at a rate", () => {
  for (const [cases, isOpenLoop] of [[CLOSED, false], [OPEN, true]] as const) {
    for (const [change, codes, why] of cases) {
      const found = contentionMarks({ ...QUIET, ...change, isOpenLoop }).map(({ code }) => code);
      assert.deepEqual(found, codes, why ?? JSON.stringify(change));
    }
  }
});

test("a mark says who took how much of what", () => {
  const text = (change: Change, isOpenLoop = false) => contentionMarks({ ...QUIET, ...change, isOpenLoop })[0]!.text;
  const both = { server_foreign_share: 0.02, steal_share: 0.4 };
  assert.equal(text(both), "the hypervisor and others used 42.0 % of the servers' cores");
  const waited = { server_wait_share: 0.2, server_share: 0.57, server_foreign_share: 0.08 };
  assert.match(text(waited, true), /^others had the servers' core while .* waited, 9\.0 %/);
  assert.equal(text({ generator_foreign_share: 0.16 }), "others used 16.0 % of the load generator's cores");
  assert.equal(text({ moment_ns: 80e6 }), "the driver waited for its turn: reading one moment took 80 ms");
});

test("what others took of several loads is a range, of the cores they took most often, and of one its own words", () => {
  const load = (change: Partial<typeof QUIET>) => {
    const counters = { ...QUIET, steal_share: 0, ...change };
    return { counters, marks: contentionMarks(counters) };
  };
  const quiet = load({});
  assert.equal(contendedText([quiet, quiet]), null);
  const [least, most] = [load({ server_foreign_share: 0.051 }), load({ server_foreign_share: 0.49 })];
  assert.equal(contendedText([quiet, most]), "others used 49.0 % of the servers' cores");
  assert.equal(contendedText([most, quiet, least]), "others used 5.1 % to 49.0 % of the servers' cores");
  const beside = load({ generator_foreign_share: 0.8 });
  assert.equal(contendedText([beside, most, least]), "others used 5.1 % to 49.0 % of the servers' cores");
  const stolen = load({ steal_share: 0.2, server_foreign_share: 0 });
  assert.equal(contendedText([least, stolen]), "the hypervisor and others used 5.1 % to 20.0 % of the servers' cores");
  const torn = load({ moment_ns: 80e6 });
  assert.match(contendedText([torn, torn])!, /^the driver waited/);
});

test("rounding to ticks alone never voids a window, whatever its length and wherever in a tick it begins", () => {
  const random = createRandom(3);
  const TICK = 10e6;
  const read = (ns: number) => Math.floor(ns / TICK) * TICK;
  for (let n = 0; n < 20_000; n++) {
    const window = 0.05e9 + 1.5e9 * random();
    // Three sums that others add nothing to, of which what is ours is known exactly, and a steal of nothing.
    const errors = Array.from({ length: 3 }, () => {
      const used = window * random() / 3, from = TICK * 1_000 * random();
      return read(from + used) - read(from) - used;
    });
    const foreign = Math.max(0, errors.reduce((a, b) => a + b, 0)) / window;
    const seen = { ...QUIET, server_foreign_share: foreign, steal_share: 0, share_window_ns: window };
    assert.deepEqual(contentionMarks(seen), [], `${foreign} of ${window}`);
  }
});

test("what could not be read, and what earlier records do not have, speaks against nothing", () => {
  const { moment_ns: _, generator_foreign_share: __, ...earlier } = QUIET;
  assert.deepEqual(contentionMarks(earlier), []);
  const [unknown, clocks] = [{ server_foreign_share: null, steal_share: null }, { frequency_change: null }];
  assert.deepEqual(contentionMarks({ ...unknown, ...clocks, clock_step_ms: null, share_window_ns: null }), []);
});
