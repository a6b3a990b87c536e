/**
 * Simulates families of comparisons and prints how many miss: by the rule for variances that verdicts use, and by one that
 * takes what is usual from the mean squares of a comparison's own axis. About two minutes.
 *
 *     node lab/variance-by-axis.ts [DRAWS [ROUNDS]]     10 000 families a scene, of four rounds
 */
import { createRandom, type Random } from "../bench/basics/random.ts";
import { everyTwo } from "../bench/plan/families.ts";
import { type BlockTable, compareBlocks } from "../bench/statistics/blocks.ts";
import type { MeasuredRatio } from "../bench/statistics/compare.ts";
import { studentTQuantile } from "../bench/statistics/distributions.ts";
import { familyLevel } from "../bench/statistics/verdict.ts";

const [DRAWS = 10_000, ROUNDS = 4] = process.argv.slice(2).map(Number);
/** Servers of a quick run: three runtimes with five stores each. The places of a runtime's are one after the other. */
const RUNTIMES = 3, STORES = 5, SERVERS = RUNTIMES * STORES;
const NAMES = Array.from({ length: SERVERS }, (_, n) => String(n));
const runtimeOf = (place: number) => Math.floor(place / STORES), storeOf = (place: number) => place % STORES;
/** Weight of what is usual on an axis, in degrees of freedom: the middle of what kept references of 14 rounds show, 4 to 10. */
const WEIGHT = 6;
const LOUD = 7;
/** Standard deviation of a server's log cost from round to round, for all others. */
const SD = 0.02;

const every = everyTwo([...NAMES.keys()]);
/** The comparisons of the two questions: runtimes on one store, stores on one runtime. */
const FAMILIES = [
  every.filter(([a, b]) => storeOf(a) === storeOf(b)),
  every.filter(([a, b]) => runtimeOf(a) === runtimeOf(b)),
];

/** Makes a source of rounds: log costs of the servers in standard deviations, all of the same true cost. */
type Scene = (random: Random) => () => number[];
const servers = (noise: (place: number) => number) => Array.from({ length: SERVERS }, (_, place) => noise(place));
const shared = (sd: number): Scene => (random) => () => {
  const ofRuntime = Array.from({ length: RUNTIMES }, () => sd * normal(random));
  return servers((place) => normal(random) + ofRuntime[runtimeOf(place)]!);
};
const SCENES: Readonly<Record<string, Scene>> = {
  "normal": (random) => () => servers(() => normal(random)),
  "t with 3 degrees": (random) => () =>
    servers(() => normal(random) / Math.hypot(normal(random), normal(random), normal(random))),
  "one round in ten five times as noisy": (random) => () => {
    const times = random() < 0.1 ? 5 : 1;
    return servers(() => times * normal(random));
  },
  "autocorrelation 0.3": (random) => {
    let last = servers(() => normal(random));
    return () => last = last.map((before) => 0.3 * before + Math.sqrt(1 - 0.3 ** 2) * normal(random));
  },
  "one server four times as noisy": (random) => () => servers((place) => (place === LOUD ? 4 : 1) * normal(random)),
  "runtimes share as much": shared(1),
  "runtimes share three times as much": shared(3),
  "one runtime shares three times as much": (random) => () => {
    const ofFirst = 3 * normal(random);
    return servers((place) => normal(random) + (runtimeOf(place) === 0 ? ofFirst : 0));
  },
};

/** A standard normal number (Box and Muller). */
const normal = (random: Random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

type Pair = readonly [number, number];

/** Log ratio of two servers, its error, and degrees of freedom. */
interface Estimate {
  readonly mean: number;
  readonly error: number;
  readonly degrees: number;
}

interface Variance {
  readonly variance: number;
  readonly degrees: number;
}

const today = (table: BlockTable, [a, b]: Pair): Estimate =>
  (compareBlocks(table, NAMES[a]!, NAMES[b]!) as MeasuredRatio).logRatio;

/** Returns a variance of differences between servers of each family, with its degrees of freedom (Satterthwaite). */
function byAxis({ rounds }: BlockTable): Variance[] {
  const logs = rounds.map(({ costs }) => costs.map((cost) => Math.log(cost!)));
  const mean = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) / some.length;
  const ofServer = NAMES.map((_, place) => mean(logs.map((round) => round[place]!)));
  const squares = [0, 0, 0] as [number, number, number];
  for (const round of logs) {
    const off = round.map((one, place) => one - ofServer[place]!), all = mean(off);
    const of = (group: (place: number) => number, which: number) => mean(off.filter((_, at) => group(at) === which));
    const runtimes = Array.from({ length: RUNTIMES }, (_, n) => of(runtimeOf, n));
    const stores = Array.from({ length: STORES }, (_, n) => of(storeOf, n));
    squares[0] += STORES * runtimes.reduce((sum, one) => sum + (one - all) ** 2, 0);
    squares[1] += RUNTIMES * stores.reduce((sum, one) => sum + (one - all) ** 2, 0);
    squares[2] += off.reduce(
      (sum, one, at) => sum + (one - runtimes[runtimeOf(at)]! - stores[storeOf(at)]! + all) ** 2,
      0,
    );
  }
  const more = rounds.length - 1, restDegrees = (RUNTIMES - 1) * (STORES - 1) * more, rest = squares[2] / restDegrees;
  return ([[squares[0], RUNTIMES, STORES], [squares[1], STORES, RUNTIMES]] as const).map(([sum, levels, each]) => {
    const degrees = (levels - 1) * more, axis = sum / degrees / each, other = rest * (each - 1) / each;
    return {
      variance: 2 * (axis + other),
      degrees: (axis + other) ** 2 / (axis ** 2 / degrees + other ** 2 / restDegrees),
    };
  });
}

/** The rule tried: the pair's own variance, and as usual that of its axis, or today's where that is greater. */
function tried(table: BlockTable, pair: Pair, axis: Variance): Estimate {
  const { mean, error } = today(table, pair), n = table.rounds.length, [a, b] = pair;
  const own = table.rounds.reduce((sum, { costs }) => sum + (Math.log(costs[b]! / costs[a]!) - mean) ** 2, 0) / (n - 1);
  // Today's variance is the mean of the pair's own and the usual one.
  const usual = Math.max(axis.variance, 2 * n * error ** 2 - own), weight = WEIGHT / (WEIGHT + n - 1);
  const found = (1 - (1 - weight) ** 2) / axis.degrees + (1 - weight) ** 2 / (n - 1);
  return {
    mean,
    error: Math.sqrt((weight * usual + (1 - weight) * own) / n),
    degrees: Math.floor(Math.min(WEIGHT + n - 1, 1 / found)),
  };
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const half = ({ error, degrees }: Estimate, level: number) => studentTQuantile((1 + level) / 2, degrees) * error;

process.stdout.write(
  `Families that miss, and half an interval in standard deviations of a server: ${ROUNDS} rounds, ${DRAWS} draws\n\n`,
);
process.stdout.write(
  "| scene | question | miss | miss by axis | half | half by axis |\n| --- | --- | --: | --: | --: | --: |\n",
);
for (const [seed, [name, scene]] of Object.entries(SCENES).entries()) {
  const random = createRandom(seed), missed = [[0, 0], [0, 0]], halves = [[0, 0], [0, 0]];
  for (let draw = 0; draw < DRAWS; draw++) {
    const next = scene(random);
    const rounds = Array.from(
      { length: ROUNDS },
      (_, round) => ({ round, costs: next().map((off) => Math.exp(SD * off)) }),
    );
    const table: BlockTable = { id: "t", members: NAMES, rounds }, axes = byAxis(table);
    for (const [question, family] of FAMILIES.entries()) {
      const { levelEach } = familyLevel(family.length);
      for (const [rule, estimate] of [today, (...of: [BlockTable, Pair]) => tried(...of, axes[question]!)].entries()) {
        const made = family.map((pair) => estimate(table, pair));
        if (made.some((one) => Math.abs(one.mean) > half(one, levelEach))) missed[question]![rule]!++;
        halves[question]![rule]! += half(made[0]!, levelEach) / Math.SQRT2 / SD;
      }
    }
  }
  for (const [question, of] of ["runtimes", "stores"].entries()) {
    const shares = missed[question]!.map((count) => percent(count / DRAWS));
    const widths = halves[question]!.map((sum) => (sum / DRAWS).toFixed(2));
    process.stdout.write(`| ${[name, of, ...shares, ...widths].join(" | ")} |\n`);
  }
}
