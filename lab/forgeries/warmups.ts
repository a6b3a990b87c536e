/** Forgeries of what a warm-up says of its end, which its slices show. */
import type { Observation, Warmup } from "../../bench/record/observation-record.ts";
import { type Change, forgeDigits, type Forger, onePlace, placesOf } from "./forgery.ts";

type Sliced = Warmup & { slices: NonNullable<Warmup["slices"]> };
type Slice = Sliced["slices"][number][number];

const eachSlice = (change: (slice: Slice, n: number, of: number) => Slice) => (warmup: Sliced) =>
  warmup.slices = warmup.slices.map((slices) => slices.map((slice, n) => change(slice, n, slices.length)));

/** The CPU time of slices, so many times what it was at first. */
const falling = (from: number) =>
  eachSlice(([requests, cpuNs], n, of) => [requests, Math.round(cpuNs * from ** (1 - n / (of - 1)))]);

const NOT_STEADY = /follow.*warmup\.(ended|steadiness|changes)/;

/** Each warm-up says that it was steady. */
const CHANGES: readonly Change<Sliced>[] = [
  ["a falling cost", NOT_STEADY, falling(9)],
  ["a rising cost", NOT_STEADY, falling(1 / 9)],
  ["judged by few slices", NOT_STEADY, (warmup) => warmup.judged_slices = 4],
  ["another change", NOT_STEADY, (warmup) => warmup.changes = [(warmup.changes[0] ?? 0) + 0.05]],
  ["a moving end", NOT_STEADY, (warmup) => warmup.steadiness = ["moving"]],
  ["too little work", NOT_STEADY, eachSlice(([requests, cpuNs]) => [requests / 99, cpuNs / 99])],
];

/** Warm-ups that did not end as they say. */
export const warmupForgeries: Forger = function* (evidence) {
  const isSteady = ({ kind, members: [first] }: Observation) =>
    kind !== "ceiling" && first!.warmup?.ended === "steady" && first!.warmup.slices !== null;
  for (const place of onePlace(evidence, placesOf(evidence, isSteady))) {
    yield* forgeDigits(evidence, place, CHANGES, ({ members }) => members[0]!.warmup as Sliced, " of a warm-up");
  }
};
