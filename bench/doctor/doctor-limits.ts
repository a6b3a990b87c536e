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
} as const;
