/**
 * The statistics of Levelfield by themselves: `levelfield/statistics`. Pure functions of numbers, no clock, no process, no
 * file. Ratios are speeds of `over` over speeds of `under`; levels and shares lie between 0 and 1.
 */
export { type BlockTable, compareBlocks } from "../statistics/blocks.ts";
export {
  type Better,
  compareRounds,
  compareUnpaired,
  type MeasuredRatio,
  type RatioEstimate,
  type RoundPair,
  type UnmeasuredRatio,
} from "../statistics/compare.ts";
export { type AtCoreSpeed, type CoreSlope, coreSlope, type SlopeQuestion } from "../statistics/core-speed.ts";
export { type Estimate, ratioInterval } from "../statistics/estimate.ts";
export type { Compared, Evidence } from "../statistics/evidence.ts";
export { type Lack, lossText } from "../statistics/lacks.ts";
export { compareMedians } from "../statistics/median-ratio.ts";
export { median, type MedianInterval, medianInterval } from "../statistics/median.ts";
export { type NoiseFloor, noiseFloor } from "../statistics/noise-floor.ts";
export { type RoundsNeeded, roundsNeeded, smallestDetectable } from "../statistics/power.ts";
export { estimateScaling, type ScalePoint, type ScalingEstimate } from "../statistics/scaling.ts";
export { type FamilyLevel, familyLevel } from "../statistics/verdict.ts";
export { type Interval, type Sample, sampleOf, tInterval } from "../statistics/t-interval.ts";
export { type Trend, trend } from "../statistics/trend.ts";
export { type Variation, variation } from "../statistics/variation.ts";
export { type ComparisonInput, type Floor, judgeFamily } from "../statistics/verdict.ts";
export { inverse } from "../record/inverse.ts";
export type { Comparison } from "../record/comparison.ts";
