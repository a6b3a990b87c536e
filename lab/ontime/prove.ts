import { nullServer } from "../../bench/generators/wrk.ts";
import { answeredShare, isRateReached } from "../../bench/judge/open-loop.ts";
import { formatRate, formatUs, percent } from "../../bench/basics/units.ts";
import type { Measurement } from "../self/measurements.ts";
import { rateOnce, type SelfSite } from "../self/self-site.ts";
import type { LoadResult } from "../../bench/generators/generator.ts";
import { countOf } from "../../bench/statistics/latency-histogram.ts";
import { loadOnTime, measureWaits, withServer } from "./load-ontime.ts";
import { haltedText, judgeWait, type KnownDelay, knownDelays } from "./known-waits.ts";

const CONNECTIONS = 50;
/** Shares of the null server's capacity. */
const SHARES = [0.01, 0.25, 0.5, 0.75, 0.9];
const SECONDS = 3;
/** A request leaves on time within so many microseconds, and so many of all have to. */
const ON_TIME_US = 50, MOST_LATE = 0.01;
/** The share of its core that the driver may use while it waits. */
const DRIVER_AWAKE = 0.02;

const part = "ontime";

/**
 * Measures whether the generator that keeps rates sends on time and returns waits as they are: its lateness against a
 * server that does nothing, then the waits at servers whose delays are known.
 */
export async function measureOntime(site: SelfSite): Promise<Measurement[]> {
  const measurements = await measureLateness(site);
  for (const delay of knownDelays()) {
    if (site.interrupts.stopped()) break;
    site.say(`ontime: a server ${delay.name}`);
    measurements.push(...await measureDelay(site, delay));
  }
  return measurements;
}

async function measureLateness(site: SelfSite): Promise<Measurement[]> {
  const { program } = site.equipment.serversWrk;
  return await withServer(site, nullServer(program), async (url) => {
    const closed = { pace: { closed: CONNECTIONS }, mix: [{ path: "/", expect: [200] }] };
    const [capacity, withWrk] = await awakeDuring(() => rateOnce(site, url, closed, false));
    const measurements: Measurement[] = [];
    const driver: number[] = [];
    for (const share of SHARES) {
      if (site.interrupts.stopped()) break;
      site.say(`ontime: ${percent(share)} of the null server's ${formatRate(capacity)} req/s`);
      const load = { perSecond: Math.round(share * capacity), connections: 4 * CONNECTIONS, seconds: SECONDS };
      const [result, awake] = await awakeDuring(() => loadOnTime(site, url, load));
      driver.push(awake);
      measurements.push({
        part,
        name: `${percent(share)} of the null server's capacity: requests that left within ${ON_TIME_US} µs`,
        ...judgeLateness(result),
      });
    }
    const awake = driver.length === 0 ? null : Math.max(...driver);
    const name = "the driver's own CPU time while it ran, a share of one core";
    const note = `it sleeps, as with wrk: ${percent(withWrk)}`;
    return [...measurements, { part, name, ratio: awake, goal: { most: DRIVER_AWAKE }, note }];
  });
}

/** Returns the result of a function, and the share of a core that this process used until it was there. */
async function awakeDuring<T>(run: () => Promise<T>): Promise<[T, number]> {
  const [cpu, started] = [process.cpuUsage(), performance.now()];
  const result = await run();
  const { user, system } = process.cpuUsage(cpu);
  return [result, (user + system) / 1e3 / (performance.now() - started)];
}

/** Returns the share of requests that left on time, and whether that is the generator's doing. */
export function judgeLateness(
  { late = [], haltedShare = 0, workedShare = 0 }: Pick<LoadResult, "late" | "haltedShare" | "workedShare">,
): Pick<Measurement, "ratio" | "goal" | "note" | "chance"> {
  const inTime = countOf(late.filter(([us]) => us < ON_TIME_US));
  const ratio = inTime / countOf(late);
  const why = ratio < 1 - MOST_LATE ? haltedText(haltedShare, MOST_LATE) : null;
  return {
    ratio,
    goal: { least: 1 - MOST_LATE },
    note: `worked for ${percent(workedShare)} of the time${why === null ? "" : `; not proven: ${why}`}`,
    ...(why !== null && { chance: 1 }),
  };
}

async function measureDelay(site: SelfSite, delay: KnownDelay): Promise<Measurement[]> {
  const { due, sent, result } = await measureWaits(site, delay);
  const clocks = [["due", due], ["sent", sent]] as const;
  const waits = clocks.filter(([clock]) => clock === "due" || delay.bySent).flatMap(([clock, all]) =>
    all.map((wait, n): Measurement => {
      const judged = judgeWait(wait);
      // A clock that starts when a request is sent does not see the wait for a connection: coordinated omission.
      const hidden = delay.bySent ? "" : ` (from when it was sent ${formatUs(sent[n]!.measuredUs)})`;
      const name = `a server that ${delay.name}: p${+(100 * wait.share).toFixed(1)} from ${clock}`;
      return { part, name, ...judged, note: judged.note + hidden };
    })
  );
  return [...waits, ...judgeOverload(delay, result)];
}

/** Returns the answered share of a load above the capacity: never above what a server can do, and marked. */
export function judgeOverload({ name, perSecond, mostAnswered }: KnownDelay, result: LoadResult): Measurement[] {
  if (mostAnswered === undefined) return [];
  const load = {
    requests: result.requests,
    requests_per_second: result.requests / (result.durationUs / 1e6),
    offered_per_second: perSecond,
  };
  const share = answeredShare(load);
  return [{
    part,
    name: `a server that ${name}: answered share`,
    ratio: isRateReached(load) ? null : share,
    goal: { most: Number((1.01 * mostAnswered).toFixed(3)) },
    note: `${isRateReached(load) ? "counts as a rate that was kept" : "its figures are withheld"}; expected at most ${
      percent(mostAnswered)
    }, measured ${percent(share!)}`,
  }];
}
