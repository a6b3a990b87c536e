const MIB = 2 ** 20, GIB = 2 ** 30;

/** Every limit of the doctor and of the grade. Shares are fractions: 0.01 is 1 %. */
export const LIMITS = {
  /** A machine of one's own shows none; a trial is flagged at 0.005, so a fifth of that already means neighbours. */
  stealSinceBoot: 0.001,
  /** The share at which a trial is flagged. */
  stealWatched: 0.005,
  /** Half a CPU for a minute is more than a resting system needs. A run that just ended also shows, so wait. */
  loadAverage: 0.5,
  /** A resting system stays below 1 %; at 5 % something waits in every second of a trial. */
  pressure: 0.05,
  /** Clock ticks of 10 ms resolve 1 % of the second watched; a trial is flagged at 1 % foreign CPU time. */
  busyShare: 0.02,
  /** At a variation of 2 % a --thorough run finds a true difference of 5 %; beyond it solo trials resolve less. */
  canaryCv: 0.02,
  /** With fewer the variation itself is known to no better than a quarter. */
  leastCanaryRepeats: 10,
  /** A clock that may fall by less than 5 % hides less than trials are flagged for. */
  clockRange: 0.05,
  /** A million records in memory take about 400 MB in a runtime, and files are read from cache. */
  memoryCosts: 2 * GIB,
  /** A runtime with a million records and the load generator do not fit. */
  memoryBlocks: 512 * MIB,
  /** A few idle pages swapped out long ago are usual; with more a trial may wait for disk. */
  swapUsed: 64 * MIB,
  /** Each trial leaves about 100 ports in TIME_WAIT for a minute: room for 50 trials of 1 s. */
  portsCost: 5_000,
  /** Fewer than the connections of two trials. */
  portsBlock: 200,
  /** 50 connections open in one burst, and a retry doubles them. */
  listenBacklog: 128,
  /** Connections, files and what a runtime opens come to about 200; --connections adds. */
  filesCost: 1_024,
  /** 50 connections at both ends and a runtime's own files do not fit safely. */
  filesBlock: 256,
  /** The files of the default suite take about 1 GB, its largest ten times that. */
  freeCosts: 4 * GIB,
  /** The default sizes do not fit. */
  freeBlocks: GIB,
  /** A run writes a few MB, and a run that cannot write loses its trials. */
  resultsFreeBlocks: 64 * MIB,
} as const;
