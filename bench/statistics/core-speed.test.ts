import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom, type Random } from "../basics/random.ts";
import { blockTableOf, normal, shareOf } from "../../tests/fixtures/simulation.ts";
import { coreSlope, pooledRounds } from "./core-speed.ts";

const MEMBERS = ["deno", "node", "bun"];
const QUESTION = { gauge: ["bun"], delta: 0.01, level: 0.95 };

/** A table whose core varies by 20 %: the second server's cost follows the core with a power of its own. */
function tableOf(random: Random, { rounds = 14, power = 1, sd = 0.01, shared = 0 } = {}) {
  return blockTableOf(
    Array.from({ length: rounds }, () => {
      const core = 0.2 * random(), common = shared * normal(random);
      const noise = () => sd * normal(random);
      return [9 + core + noise(), 9.4 + power * core + common + noise(), 9.2 + core + noise()];
    }),
    MEMBERS,
  );
}

test("a ratio that follows the core's speed is found, with its value and the costs at both ends", () => {
  const slope = coreSlope(tableOf(createRandom(1), { power: 0.5 }), "deno", "node", QUESTION);
  assert.ok(slope !== null);
  const { slow, fast } = slope;
  assert.ok(slow.ratio < fast.ratio && slow.over_ns > fast.over_ns && slow.under_ns > fast.under_ns);
  // Thirds of a core that varies evenly over 0.2 lie about 0.13 apart, and the ratio follows by half of that.
  assert.ok(Math.abs(Math.log(fast.ratio / slow.ratio) - 0.067) < 0.03, String(fast.ratio / slow.ratio));
});

test("the other way round it is the same slope, inverted", () => {
  const table = tableOf(createRandom(2), { power: 0.5 });
  const [one, other] = [coreSlope(table, "deno", "node", QUESTION)!, coreSlope(table, "node", "deno", QUESTION)!];
  assert.ok(Math.abs(one.slow.ratio * other.slow.ratio - 1) < 1e-9);
  assert.equal(one.fast.under_ns, other.fast.over_ns);
});

test("no more than one table in twenty of equal servers shows a slope, however noisy one of them is", () => {
  const random = createRandom(3);
  for (const shared of [0, 0.03]) {
    const share = shareOf(
      600,
      () => coreSlope(tableOf(random, { shared }), "deno", "node", { ...QUESTION, delta: 0 }) !== null,
    );
    assert.ok(share < 0.08, `with ${shared}: ${share}`);
  }
});

test("the same noise in the gauge and in one of the two looks like a slope: such members are no gauge", () => {
  const random = createRandom(4);
  const share = shareOf(200, () => {
    const table = tableOf(random, { shared: 0.05 });
    const rounds = table.rounds.map(({ round, costs }) => ({
      round,
      costs: [...costs, costs[1]! * (1 + 0.01 * normal(random))],
    }));
    const withTwin = { ...table, members: [...MEMBERS, "node@aa"], rounds };
    return coreSlope(withTwin, "deno", "node", { ...QUESTION, gauge: ["node@aa"] }) !== null;
  });
  assert.ok(share > 0.3, String(share));
});

test("too few rounds, no gauge, and a move below the difference that counts prove nothing", () => {
  const moving = (rounds: number) => tableOf(createRandom(5), { power: 0.5, rounds });
  assert.equal(coreSlope(moving(5), "deno", "node", QUESTION), null);
  assert.equal(coreSlope(moving(14), "deno", "node", { ...QUESTION, gauge: [] }), null);
  assert.equal(coreSlope(moving(14), "deno", "node", { ...QUESTION, delta: 0.2 }), null);
});

/** Tables of runs whose core varies by 20 % over all; a run as a whole moves each member by chance. */
function runsOf(random: Random, count: number, { rounds = 8, power = 1, apart = 0 } = {}) {
  return Array.from({ length: count }, () => {
    const core = 0.2 * random(), own = MEMBERS.map(() => apart * normal(random));
    return blockTableOf(
      Array.from({ length: rounds }, () => {
        const now = core + 0.05 * random();
        const noise = () => 0.01 * normal(random);
        return [9 + now, 9.4 + power * now, 9.2 + now].map((cost, n) => cost + own[n]! + noise());
      }),
      MEMBERS,
    );
  });
}

const pooledSlope = (tables: ReturnType<typeof runsOf>) => {
  const { table, lost } = pooledRounds(tables, MEMBERS);
  return coreSlope(table, "deno", "node", { ...QUESTION, delta: 0, lost });
};

test("what runs change as a whole shows no slope over them, however far apart they are", () => {
  const random = createRandom(11);
  const share = shareOf(600, () => pooledSlope(runsOf(random, 4, { apart: 0.1 })) !== null);
  assert.ok(share < 0.08, String(share));
  const plain = shareOf(600, () => {
    const rounds = runsOf(random, 4, { apart: 0.1 }).flatMap((table) => table.rounds);
    const table = { id: "plain", members: MEMBERS, rounds: rounds.map(({ costs }, round) => ({ round, costs })) };
    return coreSlope(table, "deno", "node", { ...QUESTION, delta: 0 }) !== null;
  });
  assert.ok(plain > 0.3, `rounds as of one run: ${plain}`);
});

test("a slope that single runs seldom prove is proven over several, with the mean ratio of all between its ends", () => {
  const random = createRandom(12);
  let [alone, together] = [0, 0];
  for (let n = 0; n < 200; n++) {
    const tables = runsOf(random, 6, { power: 0.5, apart: 0.03 });
    alone += coreSlope(tables[0]!, "deno", "node", { ...QUESTION, delta: 0 }) === null ? 0 : 1;
    const slope = pooledSlope(tables);
    if (slope === null) continue;
    together++;
    const costs = tables.flatMap(({ rounds }) => rounds.map(({ costs: [deno, node] }) => Math.log(node! / deno!)));
    const mean = Math.exp(costs.reduce((sum, one) => sum + one, 0) / costs.length);
    const [low, high] = [slope.slow.ratio, slope.fast.ratio].sort((a, b) => a - b) as [number, number];
    assert.ok(low < mean && mean < high);
  }
  assert.ok(together > 3 * alone && together > 100, `${together} over runs, ${alone} of one`);
});

test("runs that lack a member or have one round add nothing", () => {
  const [table] = runsOf(createRandom(13), 1);
  const without = { ...table!, members: ["deno", "node", "gone"] };
  const once = { ...table!, rounds: table!.rounds.slice(0, 1) };
  const { table: pooled, lost } = pooledRounds([table!, without, once], MEMBERS);
  assert.deepEqual([pooled.rounds.length, lost], [table!.rounds.length, 0]);
  assert.equal(pooledRounds(runsOf(createRandom(14), 3), MEMBERS).lost, 2);
});
