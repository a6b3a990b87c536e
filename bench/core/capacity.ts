/** How people act, as whoever asks states it. */
export interface Activity {
  readonly requestsPerVisit: number;
  /** Visits a person makes in a day. */
  readonly visitsPerDay: number;
  /** Share of a day's visits in its busiest hour, 0 to 1. */
  readonly peakShare: number;
  /** Share of the rate kept free, 0 to 1: for what was not foreseen, and because a full server answers late. */
  readonly headRoom: number;
  /** Milliseconds between two requests of a person who is active. */
  readonly thinkMs: number;
}

/**
 * What a rate of requests a second is enough for, people in whole ones:
 * usable = rate × (1 − head-room), in requests a second;
 * people a day = usable × 3600 / (visits a day × share in the busiest hour × requests a visit);
 * people at once = usable × seconds between two requests of one person (Little's law, with the reply's time left out).
 */
export function capacityOf(ratePerSecond: number, activity: Activity) {
  const usablePerSecond = ratePerSecond * (1 - activity.headRoom);
  const requestsInPeakHour = activity.visitsPerDay * activity.peakShare * activity.requestsPerVisit;
  return {
    usablePerSecond,
    peoplePerDay: whole(usablePerSecond * 3_600 / requestsInPeakHour),
    peopleAtOnce: whole(usablePerSecond * activity.thinkMs / 1_000),
  };
}

/** Rounded down, unless only binary fractions keep it from being whole. */
const whole = (people: number) => Math.floor(people * (1 + 1e-12));
