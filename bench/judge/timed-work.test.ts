import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createRandom } from "../basics/random.ts";
import { timedWork, timedWorkText } from "./timed-work.ts";

/** A line of two servers by turns of 50 ms and 100 ms that count, of which `a` answers so many requests in ramp-ups. */
const line = (rampUp: number, counted = 20_000, change: object = {}, server: object | null = null) =>
  ({
    ...{ status: "ok", marks: [] },
    load: { turn_ms: 100, lead_in_ms: 50, connections: 50 },
    members: [["a", rampUp, counted], ["b", 9_200, 20_000]].map(([name, requests, inTurns]) => ({
      cell: { point: { suite: "mills", at: { engine: name } }, label: "main" },
      ...{ server, marks: [], requests: inTurns, cpu_ns: 2e9, lead_in: { requests, cpu_ns: 1e9 } },
    })),
    ...change,
  }) as unknown as Parameters<typeof timedWork>[0][number];

const found = (...lines: readonly ReturnType<typeof line>[]) =>
  timedWork(lines).map(({ member, times }) => [member.cell.point.at["engine"], times]);

const at = (connections: number) => ({ load: { turn_ms: 100, lead_in_ms: 50, connections } });

test("a server that answers far less in ramp-ups is found, one that refills its caches there is not", () => {
  assert.deepEqual(found(line(2_000)), [["a", 5]]);
  assert.deepEqual(found(line(0)), [["a", 10_000]]);
  assert.deepEqual([9_000, 7_200, 7_000].map((rampUp) => found(line(rampUp), line(rampUp)).length), [0, 0, 1]);
  assert.deepEqual([5_300, 4_900].map((rampUp) => found(line(rampUp)).length), [0, 1], "in a first round");
});

test("a function, a server with a service or with few requests a connection in a ramp-up must answer less than half", () => {
  const servers = [[200, null], [50, { services: [], facts: {} }], [50, { facts: { calls: "sync" } }]] as const;
  for (const [connections, server] of servers) {
    const of = (rampUp: number) => found(...Array(2).fill(line(rampUp, 20_000, at(connections), server))).length;
    assert.deepEqual([of(5_300), of(4_900)], [0, 1]);
  }
});

test("with less than a reply a connection in a ramp-up, or less than five, nothing is said: others end later", () => {
  assert.deepEqual([20_030, 20_050].map((counted) => found(line(30, counted, at(501))).length), [0, 1]);
  assert.deepEqual([190, 210].map((counted) => found(line(30, counted, at(1))).length), [0, 1]);
});

/** The line of a server among others that works so many ms each so many, and its cost by turns over that alone. */
function byTurns(ms: number, everyMs: number, servers = 3) {
  const random = createRandom(1), turns = 3_000, sent: [number, number] = [0, 0];
  for (let turn = 0, place = 0, due = 0, left = 0; turn < turns; turn++) {
    // The order of turns is drawn, and no server has two in a row.
    place = Math.floor(random() * servers) || (place === servers - 1 ? 1 : 0);
    for (let at = 0, now = 150 * (servers * turn + place); at < 150; at++, now++) {
      if (left === 0 && now >= due) [due, left] = [now + everyMs, ms];
      if (left > 0) left--;
      else sent[at < 50 ? 0 : 1] += at < 50 ? 0.93 : 1;
    }
  }
  // The line's ramp-ups are 1 s, its counted turns 2 s.
  const scale = 2e4 / (100 * turns), times = sent[1] / (2 * sent[0]);
  return { line: line(scale * sent[0], scale * sent[1]), times, cost: 100 * turns * (1 - ms / everyMs) / sent[1] };
}

test("work of known share and interval is found by turns as the table of docs/experiments/turns.md says", () => {
  const rows = readFileSync(new URL("../../docs/experiments/turns.md", import.meta.url), "utf8")
    .matchAll(/^\| (\d+) ms each (\d+) ms +\| +([\d.]+)(\*?) +\| +([\d.]+) +\| +([\d.]+)(\*?) +\| +([\d.]+) +\|$/gm);
  const held = [...rows].map(([row, ms, everyMs, ...told]) => {
    const known = [3, 9].flatMap((servers) => {
      const { line, times, cost } = byTurns(Number(ms), Number(everyMs), servers);
      return [times.toFixed(2), found(line, line).length === 0 ? "" : "*", cost.toFixed(2)];
    });
    assert.deepEqual(told, known, row);
  });
  assert.equal(held.length, 10);
});

test("rounds decide by their median, void ones and those without turns not at all", () => {
  assert.deepEqual(found(line(2_000), line(9_000), line(2_500)), [["a", 4]]);
  assert.deepEqual(found(line(2_000), line(9_000), line(9_000)), []);
  assert.deepEqual(found(line(2_000, 20_000, { status: "invalid" })), []);
  assert.deepEqual(found(line(2_000, 20_000, { load: { turn_ms: 100, connections: 50 } })), []);
});

/** The line of a server that alone, at 100 µs a request, works so many ms each so many; no ramp-up of it stands out. */
const inBursts = (ms: number, everyMs: number, change: object = {}) => {
  const of = line(9_000, 20_000, change);
  const slices = Array.from({ length: 40 }, (_, n) => {
    const busy = Array.from({ length: 100 }, (_, at) => (100 * n + at + 70) % everyMs < ms).filter(Boolean).length;
    return [10 * (100 - busy), 1e8] as [number, number];
  });
  Object.assign(of.members[0]!, { warmup: { slices: [slices] } });
  return of;
};
const bursts = (...lines: readonly ReturnType<typeof line>[]) =>
  timedWork(lines).map(({ member, bursts }) => [member.cell.point.at["engine"], bursts]);

test("work in bursts as long as a turn is found by slices alone in half of the rounds, two at least, short ones not", () => {
  const twice = (ms: number) => bursts(inBursts(ms, 1_000), inBursts(ms, 1_000));
  assert.deepEqual([250, 500].map(twice), [[["a", 0.25]], [["a", 0.47]]]);
  assert.deepEqual(bursts(inBursts(500, 1_000)), [], "one round may have them by chance");
  const rounds = [0, 500, 250, 0].map((ms) => inBursts(ms, 1_000));
  assert.deepEqual([2, 3, 4].map((n) => bursts(...rounds.slice(0, n))), [[], [["a", 0.25]], []]);
  const unseen = [[190, 1_000], [40, 200], [30, 100], [0, 1_000]] as const;
  assert.deepEqual(unseen.flatMap(([ms, everyMs]) => bursts(inBursts(ms, everyMs), inBursts(ms, everyMs))), []);
  assert.match(
    timedWorkText("a", timedWork([inBursts(250, 1_000), inBursts(250, 1_000)])[0]!),
    /^bursts of work of a, alone 25 % of its CPU time, fall into too many turns or too few/,
  );
});

test("a round that bursts void shows them, one that others void does not, nor do few requests a connection", () => {
  const voidBy = (code: string) => inBursts(250, 1_000, { status: "invalid", marks: [{ code }] });
  assert.deepEqual(["timeouts", "contended"].map((code) => bursts(voidBy(code), voidBy(code)).length), [1, 0]);
  assert.deepEqual(
    [250, 251].map((connections) => {
      const of = inBursts(250, 1_000, at(connections));
      return bursts(of, of).length;
    }),
    [1, 0],
  );
});
