import assert from "node:assert/strict";
import { test } from "node:test";
import { contendedText, contentionMarks } from "./contention.ts";
import { createRandom } from "../basics/random.ts";
import { mark } from "../record/mark.ts";

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
const codes = (change: Partial<typeof QUIET>) => contentionMarks({ ...QUIET, ...change }).map(({ code }) => code);

test("a load says nothing when others or the hypervisor took more than a twentieth of its servers' cores", () => {
  assert.deepEqual(codes({}), []);
  assert.deepEqual(codes({ server_foreign_share: 0.06 }), ["contended"]);
  assert.deepEqual(codes({ steal_share: 0.06 }), ["contended"]);
  assert.deepEqual(codes({ server_foreign_share: 0.03, steal_share: 0.03 }), ["contended"], "both together");
  const [taken] = contentionMarks({ ...QUIET, server_foreign_share: 0.02, steal_share: 0.4 });
  assert.equal(taken!.text, "the hypervisor and others used 42.0 % of the servers' cores");
});

test("at a rate the wait of the server's threads says what others did: ends of idle time are nobody's", () => {
  const open = (change: Partial<typeof QUIET>) => contentionMarks({ ...QUIET, ...change, isOpenLoop: true });
  const half = { server_share: 0.57 };
  assert.deepEqual(open({ ...half, server_foreign_share: 0.12 }), []);
  assert.deepEqual(open({ ...half, server_foreign_share: 0.4 }).map(({ code }) => code), ["contended"], "a busy loop");
  assert.deepEqual(open({ server_share: 0.9, server_foreign_share: 0.09 }).map(({ code }) => code), ["contended"]);
  assert.match(open({ server_wait_share: 0.2 })[0]!.text, /^others had the servers' core while .* waited, 20\.0 %/);
  assert.deepEqual(open({ generator_foreign_share: 0.16 }).map(({ code }) => code), ["contended"]);
  assert.deepEqual(open({ steal_share: 0.06 }).map(({ code }) => code), ["contended"]);
  assert.deepEqual(codes({ server_wait_share: 0.2 }), [], "a full core of several threads has waits of its own");
});

test("nor does it when others took as much of the load generator's cores", () => {
  const { generator_foreign_share: _, ...earlier } = QUIET;
  assert.deepEqual(contentionMarks(earlier), [], "records of before do not tell it");
  assert.deepEqual(codes({ generator_foreign_share: null }), []);
  assert.deepEqual(codes({ generator_foreign_share: 0.045 }), []);
  assert.deepEqual(
    codes({ generator_foreign_share: 0.12, share_window_ns: 0.25e9 }),
    [],
    "some ticks in a short window",
  );
  assert.deepEqual(contentionMarks({ ...QUIET, generator_foreign_share: 0.16 }), [
    mark("contended", "others used 16.0 % of the load generator's cores"),
  ]);
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

test("a driver that had to wait between the readings of one moment knows no shares", () => {
  assert.deepEqual(codes({ moment_ns: 70e6 }), []);
  const [torn] = contentionMarks({ ...QUIET, moment_ns: 80e6 });
  assert.deepEqual(torn, mark("contended", "the driver waited for its turn: reading one moment took 80 ms"));
  const { moment_ns: _, ...earlier } = QUIET;
  assert.deepEqual(contentionMarks(earlier), [], "records of before do not tell it");
});

test("a load whose clocks changed says nothing either, and each reason is told", () => {
  assert.deepEqual(codes({ frequency_change: 0.25 }), ["clock-changed"]);
  assert.deepEqual(codes({ clock_step_ms: 30 }), ["clock-changed"]);
  assert.deepEqual(codes({ server_foreign_share: 0.5, frequency_change: 0.3, clock_step_ms: 3_600_000 }), [
    "contended",
    "clock-changed",
    "clock-changed",
  ]);
});

test("in a window of a few ticks of the clock cores are accounted by, some ticks are no work of others", () => {
  assert.deepEqual(codes({ server_foreign_share: 0.12, share_window_ns: 0.25e9 }), []);
  assert.deepEqual(codes({ server_foreign_share: 0.16, share_window_ns: 0.25e9 }), ["contended"], "with 1 % of steal");
  assert.deepEqual(
    codes({ server_foreign_share: 0.045, share_window_ns: 0.79e9 }),
    ["contended"],
    "no jump at a length",
  );
  assert.deepEqual(codes({ server_foreign_share: 0.035, share_window_ns: 0.7e9 }), []);
  assert.deepEqual(codes({ server_foreign_share: 0.25, share_window_ns: 0.25e9 }), ["contended"]);
  assert.deepEqual(codes({ server_foreign_share: 0.12, share_window_ns: 0.6e9 }), ["contended"]);
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

test("what could not be read speaks against nothing", () => {
  assert.deepEqual(
    contentionMarks({
      server_foreign_share: null,
      steal_share: null,
      frequency_change: null,
      clock_step_ms: null,
      share_window_ns: null,
    }),
    [],
  );
});
