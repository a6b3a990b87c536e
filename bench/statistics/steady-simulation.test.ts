/** What `steady` promises of warm-ups, held against made-up ones: it is asked after every slice until it says flat. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom, type Random } from "../basics/random.ts";
import { normal } from "../../tests/fixtures/simulation.ts";
import { median } from "./median.ts";
import type { Slice } from "../record/observation-record.ts";
import { steady } from "./steady.ts";

/** CPU microseconds a request after so many thousand requests, between them in a straight line of logarithms. */
type Curve = readonly (readonly [thousands: number, costUs: number])[];

/** Measured second by second on one core of a Skylake: Node 112, 82, 44, 40; Deno 31, 24, 25; Bun 38, 32. */
const CURVES = {
  node: [[0, 150], [5, 112], [15, 82], [25, 48], [42, 42.5], [65, 40]],
  // 1.8 s on one level, then a fall by 45 % within a tenth of a second.
  cliff: [[0, 112], [16, 112], [17, 62], [24, 60], [30, 42], [45, 40]],
  deno: [[0, 45], [10, 33], [25, 27], [45, 24.3], [60, 24]],
  bun: [[0, 60], [5, 42], [20, 34], [45, 32]],
  flat: [[0, 30]],
} satisfies Record<string, Curve>;

interface Scene {
  readonly curve: Curve;
  /** Speed of the machine: 2 is twice as fast. */
  readonly speed: number;
  /** Share of a core the server has. */
  readonly share: number;
  /** Standard deviation of the log cost of a slice. */
  readonly noise: number;
  /** Share of slices that hold a garbage collection and cost 30 % more. */
  readonly spikes: number;
  /** How far the machine's speed swings, common to all it does. */
  readonly drift: number;
  /** Requests before which no warm-up ends. */
  readonly least: number;
}

const SLICE_S = 0.1;
const MOST_CPU_S = 20;

function costAt(curve: Curve, requests: number): number {
  const next = curve.findIndex(([thousands]) => 1_000 * thousands > requests);
  if (next < 0) return curve.at(-1)![1];
  const [[from, before], [to, after]] = [curve[next - 1]!, curve[next]!];
  const passed = (requests / 1_000 - from) / (to - from);
  return before ** (1 - passed) * after ** passed;
}

/** One warm-up: after how many slices it ended, null when never, and how much dearer than at last the server was then. */
function warmUp({ curve, speed, share, noise, spikes, drift, least }: Scene, random: Random) {
  const slices: Slice[] = [];
  const phase = 2 * Math.PI * random(), period = 2 + 18 * random();
  const cpuNs = SLICE_S * share * 1e9;
  let requests = 0;
  while (slices.length * SLICE_S * share < MOST_CPU_S) {
    const swing = drift * Math.sin(phase + 2 * Math.PI * slices.length * SLICE_S / period);
    const spike = random() < spikes ? 1.3 : 1;
    const costNs = 1e3 * costAt(curve, requests) / speed * spike * Math.exp(swing + noise * normal(random));
    slices.push({ requests: cpuNs / costNs, cpu_ns: cpuNs });
    requests += cpuNs / costNs;
    if (requests >= least && steady(slices).kind === "flat") {
      return { slices: slices.length, over: costAt(curve, requests) / costAt(curve, 1e9) - 1 };
    }
  }
  return { slices: null, over: 0 };
}

/** The share of warm-ups that end while the server is still more than 5 % dearer than it will be. */
function tooEarly(runs: number, scene: (run: number) => Scene, random: Random): number {
  let count = 0;
  for (let run = 0; run < runs; run++) if (warmUp(scene(run), random).over > 0.05) count++;
  return count / runs;
}

const SPEEDS = [0.5, 1, 2];
const rough = { spikes: 0.04, drift: 0.1 };

test("with the least work asked for, at most 5 % of warm-ups end while the server is over 5 % too dear", () => {
  const seed = 3001;
  const random = createRandom(seed);
  const least = 40_000;
  for (const [name, curve] of Object.entries(CURVES)) {
    for (const [noise, share, runs] of [[0.03, 1, 30], [0.05, 1, 30], [0.1, 1, 15], [0.05, 1 / 12, 6]] as const) {
      const wrong = tooEarly(
        runs,
        (run) => ({ ...rough, curve, speed: SPEEDS[run % 3]!, share, noise, least }),
        random,
      );
      assert.ok(wrong <= 0.05, `seed ${seed}, ${name}, noise ${noise}, ${share} of a core: ${wrong}`);
    }
  }
});

test("curves without a plateau seldom end too early even when no least work is asked for", () => {
  const seed = 3002;
  const random = createRandom(seed);
  let wrong = 0;
  for (const curve of [CURVES.node, CURVES.deno, CURVES.bun]) {
    wrong += tooEarly(
      60,
      (run) => ({ ...rough, curve, speed: SPEEDS[run % 3]!, share: 1, noise: 0.05, least: 0 }),
      random,
    );
  }
  assert.ok(wrong / 3 <= 0.1, `seed ${seed}: ${wrong / 3}`);
});

test("a plateau before a cliff cannot be seen, which is what the least work is for", () => {
  const seed = 3003;
  const random = createRandom(seed);
  const onPlateau = { ...rough, curve: CURVES.cliff, speed: 1, share: 1, noise: 0.05 };
  assert.ok(tooEarly(60, () => ({ ...onPlateau, least: 0 }), random) > 0.2, `seed ${seed}`);
  assert.ok(tooEarly(60, () => ({ ...onPlateau, least: 20_000 }), random) <= 0.05, `seed ${seed}`);
});

test("a flat server whose slices vary by 5 % is through within 1.2 s in the median, and one that varies by 3 % sooner", () => {
  const seed = 3004;
  const random = createRandom(seed);
  const slicesAt = (noise: number) =>
    median(Array.from({ length: 200 }, () => {
      const scene = { curve: CURVES.flat, speed: 1, share: 1, noise, spikes: 0, drift: 0, least: 0 };
      return warmUp(scene, random).slices ?? 1_000;
    }));
  const [usual, calm] = [slicesAt(0.05), slicesAt(0.03)];
  assert.ok(SLICE_S * usual <= 1.2 && calm <= usual, `seed ${seed}: ${usual} and ${calm} slices`);
});
