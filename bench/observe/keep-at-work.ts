import type { HostProcess } from "../pipe/host.ts";
import { AT_WORK_EVERY_MS, AT_WORK_MS, AT_WORK_REST_MS } from "../plan/lengths.ts";
import { takeTurns } from "./turns.ts";

/** The part of a process that can be stopped and continued. */
type Stoppable = Pick<HostProcess, "kill">;

/** A load on servers that wait. */
export interface WaitingLoad {
  /** Resolves at its end, also after a failure. */
  readonly over: Promise<unknown>;
  /** Ends the load, and records the number of requests sent. */
  end(): Promise<void>;
}

/** Servers that are stopped while another one warms up. */
interface KeptAtWork {
  /**
   * Does something with one server, which now and then stands still for a moment in which those that wait have a turn each.
   * Afterwards it goes on, and they stand still. They have a last turn where they would rest too long otherwise until the
   * next one is at work: they are taken to wait as long for it as they have at most before.
   *
   * @param work receives a function that is true while its server is stopped
   */
  during<T>(active: Stoppable, work: (still: () => boolean) => Promise<T>): Promise<T>;
}

/** Time for a generator to start and connect; the kernel accepts for stopped servers. */
const CONNECT_MS = 250;

/**
 * Keeps servers at work that wait until others are warm: those of an ensemble wait for a minute.
 *
 * Under load no server rests that long, and runtimes take it for rest whether a server is idle or stopped. V8 gives most of
 * its young generation back after eight seconds, and so collects garbage several times as often when the load goes on.
 * docs/experiments/waiting.md has what was measured.
 *
 * @param servers those that wait now
 * @param begin puts a load on all of them
 */
export function keepAtWork(
  servers: () => readonly Stoppable[],
  begin: () => Promise<WaitingLoad>,
  { everyMs = AT_WORK_EVERY_MS, restMs = AT_WORK_REST_MS, connectMs = CONNECT_MS, nowMs = () => performance.now() } =
    {},
): KeptAtWork {
  let workedMs = nowMs(), leftMs = workedMs, betweenMs = 0;
  return {
    async during(active, work) {
      betweenMs = Math.max(betweenMs, nowMs() - leftMs);
      let still = false, done = false, hurry = () => {};
      const sleep = (ms: number) =>
        new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          hurry = () => (clearTimeout(timer), resolve());
        });
      let load: WaitingLoad | null = null;
      const turn = async () => {
        if (load === null) {
          load = await begin();
          await sleep(connectMs);
        }
        still = true;
        try {
          await active.kill("SIGSTOP");
          await takeTurns(servers(), AT_WORK_MS, 1, load.over, 0).cycle();
        } finally {
          await active.kill("SIGCONT");
          still = false;
        }
        workedMs = nowMs();
      };
      const keep = async () => {
        while (!done && servers().length > 0) {
          await sleep(Math.max(0, workedMs + everyMs - nowMs()));
          if (!done) await turn();
        }
        if (servers().length > 0 && nowMs() - workedMs + betweenMs > restMs) await turn();
      };
      const kept = keep();
      // Only the caller below handles a failure.
      kept.catch(() => {});
      try {
        return await work(() => still);
      } finally {
        done = true;
        hurry();
        await kept;
        await (load as WaitingLoad | null)?.end();
        leftMs = nowMs();
      }
    },
  };
}
