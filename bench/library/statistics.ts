/**
 * The statistics of Levelfield by themselves: `levelfield/statistics`. Pure functions of numbers, no clock, no process, no
 * file. Ratios are speeds of a over speeds of b; levels and shares lie between 0 and 1.
 */
export { type BlockTable, compareBlocks } from "../core/statistics/blocks.ts";
export {
  type Better,
  compare as compareRounds,
  compareUnpaired,
  type Comparison,
  type MeasuredComparison,
  type RoundPair,
  type UnmeasuredComparison,
} from "../core/statistics/compare.ts";
export { type Estimate, ratioInterval } from "../core/statistics/estimate.ts";
export type { Compared, Evidence } from "../core/statistics/evidence.ts";
export { median, type MedianInterval, medianInterval } from "../core/statistics/median.ts";
export { type NoiseFloor, noiseFloor } from "../core/statistics/noise-floor.ts";
export { type RoundsNeeded, roundsNeeded, smallestDetectable } from "../core/statistics/power.ts";
export { estimateScaling, type ScalePoint, type ScalingEstimate } from "../core/statistics/scaling.ts";
export { type FamilyLevel, familyLevel } from "../core/statistics/simultaneous.ts";
export { type Interval, type Sample, sampleOf, tInterval } from "../core/statistics/t-interval.ts";
export { type Trend, trend } from "../core/statistics/trend.ts";
export { type Variation, variation } from "../core/statistics/variation.ts";
export { type Contest, type Floor, type JudgedFamily, judgeFamily, type Verdict } from "../core/statistics/verdict.ts";
