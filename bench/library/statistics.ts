/**
 * The statistics of Levelfield by themselves: `levelfield/statistics`. Pure functions of numbers, no clock, no process, no
 * file. Ratios are speeds of a over speeds of b; levels and shares lie between 0 and 1.
 */
export { type BlockTable, compareBlocks } from "../statistics/blocks.ts";
export {
  type Better,
  compare as compareRounds,
  compareUnpaired,
  type Comparison,
  type MeasuredComparison,
  type RoundPair,
  type UnmeasuredComparison,
} from "../statistics/compare.ts";
export { type Estimate, ratioInterval } from "../statistics/estimate.ts";
export type { Compared, Evidence } from "../statistics/evidence.ts";
export { median, type MedianInterval, medianInterval } from "../statistics/median.ts";
export { type NoiseFloor, noiseFloor } from "../statistics/noise-floor.ts";
export { type RoundsNeeded, roundsNeeded, smallestDetectable } from "../statistics/power.ts";
export { estimateScaling, type ScalePoint, type ScalingEstimate } from "../statistics/scaling.ts";
export { type FamilyLevel, familyLevel } from "../statistics/simultaneous.ts";
export { type Interval, type Sample, sampleOf, tInterval } from "../statistics/t-interval.ts";
export { type Trend, trend } from "../statistics/trend.ts";
export { type Variation, variation } from "../statistics/variation.ts";
export { type Contest, type Floor, type JudgedFamily, judgeFamily, type Verdict } from "../statistics/verdict.ts";
