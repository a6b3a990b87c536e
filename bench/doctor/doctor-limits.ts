const MIB = 2 ** 20, GIB = 2 ** 30;

/** All limits of the doctor and of the grade. Shares are fractions: 0.01 is 1 %. */
export const DOCTOR_LIMITS = {
  stealSinceBoot: 0.001, // A dedicated machine shows none; a trial is flagged at five times that.
  stealWatched: 0.005, // The share at which a trial is flagged.
  loadAverage: 0.5, // More than a resting system needs. A run that just ended also shows.
  pressure: 0.05, // A resting system stays below 1 %; at 5 % something waits in every second of a trial.
  busyShare: 0.02, // Clock ticks of 10 ms resolve 1 % of the second watched.
  canaryCv: 0.02, // Up to here a --thorough run finds a true difference of 5 % between solo trials.
  leastCanaryRepeats: 10, // With fewer the variation itself is known to no better than a quarter.
  clockRange: 0.05, // A clock that may fall by less than 5 % hides less than trials are flagged for.
  memoryCosts: 2 * GIB, // A million records in memory take about 400 MB in a runtime, and files are read from cache.
  memoryBlocks: 512 * MIB, // A runtime with a million records and the load generator do not fit.
  swapUsed: 64 * MIB, // A few idle pages swapped out long ago are usual; with more a trial may wait for disk.
  portsCost: 5_000, // Each trial leaves about 100 ports in TIME_WAIT for a minute: room for 50 trials of 1 s.
  portsBlock: 200, // Fewer than the connections of two trials.
  listenBacklog: 128, // 50 connections open in one burst, and a retry doubles them.
  filesCost: 1_024, // Connections, files and what a runtime opens come to about 200; --connections adds.
  filesBlock: 256, // 50 connections at both ends and the runtime's files do not fit safely.
  freeCosts: 4 * GIB, // The files of the default suite take about 1 GB, its largest ten times that.
  freeBlocks: GIB, // The default sizes do not fit.
  resultsFreeBlocks: 64 * MIB, // A run writes a few MB, and a run that cannot write loses its trials.
} as const;
