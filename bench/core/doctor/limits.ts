import type { Threshold } from "../../statistics/thresholds.ts";

const MIB = 2 ** 20, GIB = 2 ** 30;

/** Every limit of the doctor and of the grade, with its reason. Shares are fractions: 0.01 is 1 %. */
export const LIMITS = {
  stealSinceBoot: {
    value: 0.001,
    why: "a machine of one's own shows none; a trial is flagged at 0.005, so a fifth of that already means neighbours",
  },
  stealWatched: { value: 0.005, why: "the share at which a trial is flagged" },
  loadAverage: {
    value: 0.5,
    why: "half a CPU busy for a minute is more than a resting system needs; a run that just ended also shows, so wait",
  },
  pressure: { value: 0.05, why: "a resting system stays below 1 %; at 5 % something waits in every second of a trial" },
  busyShare: {
    value: 0.02,
    why: "clock ticks of 10 ms resolve 1 % of the second watched; a trial is flagged at 1 % foreign CPU time",
  },
  canaryCv: {
    value: 0.02,
    why: "at a variation of 2 % a --thorough run finds a true difference of 5 %; beyond it solo trials resolve less",
  },
  leastCanaryRepeats: { value: 10, why: "with fewer the variation itself is known to no better than a quarter" },
  clockRange: { value: 0.05, why: "a clock that may fall by less than 5 % hides less than trials are flagged for" },
  memoryCosts: {
    value: 2 * GIB,
    why: "a million records in memory take about 400 MB in a runtime, and files are read from cache",
  },
  memoryBlocks: { value: 512 * MIB, why: "a runtime with a million records and the load generator do not fit" },
  swapUsed: {
    value: 64 * MIB,
    why: "a few idle pages swapped out long ago are usual; more and a trial may wait for disk",
  },
  portsCost: {
    value: 5_000,
    why: "each trial leaves about 100 ports in TIME_WAIT for a minute: room for 50 trials of 1 s",
  },
  portsBlock: { value: 200, why: "fewer than the connections of two trials" },
  listenBacklog: { value: 128, why: "50 connections open in one burst, and a retry doubles them" },
  filesCost: {
    value: 1_024,
    why: "connections, files and what a runtime opens come to about 200; --connections adds",
  },
  filesBlock: { value: 256, why: "50 connections at both ends and a runtime's own files do not fit safely" },
  freeCosts: {
    value: 4 * GIB,
    why: "the files of the default suite take about 1 GB, its largest ten times that",
  },
  freeBlocks: { value: GIB, why: "the default sizes do not fit" },
  resultsFreeBlocks: { value: 64 * MIB, why: "a run writes a few MB, and a run that cannot write loses its trials" },
} satisfies Readonly<Record<string, Threshold>>;
