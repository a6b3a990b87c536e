import type { Measurement } from "../self/measurements.ts";
import { formatUs, percent } from "../../bench/basics/units.ts";

/** A server with a known delay, its load, and the waits that follow from both. */
export interface KnownDelay {
  readonly name: string;
  /** As known-delays.lua takes it. */
  readonly words: string;
  readonly perSecond: number;
  readonly connections: number;
  readonly seconds: number;
  /** Shares of the requests, each with the shortest wait in microseconds that the schedule dictates for it. */
  readonly waits: readonly (readonly [share: number, us: number])[];
  /** True if the wait from when a request was sent is the same. */
  readonly bySent: boolean;
  /** Of a load above the capacity: the largest share of what is due that can be answered while it is due. */
  readonly mostAnswered?: number;
}

const HOLD_US = 5_000, EACH = 100;
const STOP_US = 50_000, PERIOD_US = 1_000_000;
const SERVE_US = 500, OVER = 1.1;

/** Returns the known delays. Their waits hold on any machine: a slow one only adds to them. */
export function knownDelays(): KnownDelay[] {
  // No whole number of gaps in a second, so that the gaps fall elsewhere in each stop.
  const stopped = 1_000.37, overloaded = OVER * 1e6 / SERVE_US, seconds = 2, connections = 50;
  // Request n is due after n gaps, and n of them were served before it.
  const behindUs = (n: number) => n * (SERVE_US - 1e6 / overloaded);
  const queued = (share: number) => SERVE_US + behindUs(Math.floor(share * overloaded * seconds - 1));
  // The last twentieth leaves so late, but for what the connections hold.
  const lateUs = behindUs(0.95 * overloaded * seconds) - connections * SERVE_US;
  const stop = (share: number) => (share - (1 - STOP_US / PERIOD_US)) * PERIOD_US - 1e6 / stopped;
  return [
    {
      name: `holds every ${EACH}th reply for 5 ms`,
      ...{ words: `hold=${EACH}:${HOLD_US}`, perSecond: 2_000, connections: 50, seconds: 2, bySent: true },
      waits: [[0.992, HOLD_US], [0.995, HOLD_US], [0.999, HOLD_US]],
    },
    {
      name: "stops for 50 ms each second",
      ...{ words: `stop=${PERIOD_US}:${STOP_US}`, perSecond: stopped, connections: 10, seconds: 3, bySent: false },
      waits: [0.97, 0.98, 0.99, 0.995].map((share) => [share, stop(share)] as const),
    },
    {
      name: "is given 110 % of its capacity",
      ...{ words: `serve=${SERVE_US}`, perSecond: overloaded, connections, seconds, bySent: false },
      waits: [0.5, 0.9, 0.99].map((share) => [share, queued(share)] as const),
      mostAnswered: seconds * 1e6 / (seconds * 1e6 + lateUs),
    },
  ];
}

/** A wait that a server imposes, and the evidence of one window. */
export interface MeasuredWait {
  readonly share: number;
  /** The shortest wait that the schedule dictates, in microseconds. */
  readonly expectedUs: number;
  readonly measuredUs: number;
  /** The generator's lateness at the same share, in microseconds. */
  readonly lateUs: number;
  /** The share of the window in which other processes had the core of generator or server. */
  readonly haltedShare: number;
}

/** The most by which a wait may be above the dictated one, and the part of it that may be below: clocks count whole µs. */
const GOAL = { least: 0.99, most: 1.1 } as const;

/**
 * Holds a wait against the one that the schedule dictates. One below is missed, whatever the machine did. One above is
 * not proven if the generator was late or a core was taken away for long enough, else missed.
 */
export function judgeWait(wait: MeasuredWait): Pick<Measurement, "ratio" | "goal" | "note" | "chance"> {
  const { expectedUs, measuredUs } = wait;
  const ratio = measuredUs / expectedUs;
  const why = ratio > GOAL.most ? whyNotProven(wait) : null;
  const note = `expected ${formatUs(expectedUs)}, measured ${formatUs(measuredUs)}`;
  return {
    ratio,
    goal: GOAL,
    note: why === null ? note : `${note}; not proven: ${why}`,
    ...(why !== null && { chance: 1 }),
  };
}

function whyNotProven({ share, expectedUs, lateUs, haltedShare }: MeasuredWait): string | null {
  if (lateUs > 0.1 * expectedUs) return `the generator was late (${formatUs(lateUs)} at that share)`;
  return haltedText(haltedShare, 1 - share);
}

/** Returns that others had a core for more than a tenth of a share of the time; null if they had not. */
export const haltedText = (haltedShare: number, share: number): string | null =>
  haltedShare > 0.1 * share ? `other processes had its core for ${percent(haltedShare)} of the time` : null;
