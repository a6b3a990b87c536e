/** Every limit an observation is judged by, with its reason. Statistics have a table of their own in `statistics/`. */
export const THRESHOLDS = {
  /** Busy share of the server's cores from which the server was the limit; the rest is ticks, idle gaps of batching and the edge of the window. */
  serverBoundShare: 0.97,
  /** Busy share of the busiest generator thread from which the generator was the limit: epoll turns leave it a little below 1. */
  generatorBoundShare: 0.95,
  /** Share of the ceiling above which a rate may be the generator's more than the server's. */
  nearCeiling: 0.9,
  /** Time the hypervisor may take of a core before rates are no longer this machine's. */
  stealShare: 0.005,
  /** Time others may use of the pinned cores; /proc/stat counts in ticks, good to about 0.5 % over a second. */
  foreignShare: 0.01,
  /** Time a server thread may wait for a CPU; on one core a runtime's own helper threads cause a little. */
  waitShare: 0.01,
  /** Spread of rates over rounds from which a single rate says little (pyperf warns at 10 %). */
  cv: 0.05,
  /** How far the last third of a window may be from the first, and a pair's ratio from that of its first third. */
  steadiness: 0.03,
  /** Requests in a third of a window below which it says nothing: they are counted 64 at a time. */
  steadinessMinRequests: 1_280,
  /**
   * Little's law holds within this on quiet runs (measured 0.5 to 1.3 %: a connection waits a little in wrk between reply
   * and request). Above it rate and latencies cannot both be true; below it the generator kept connections waiting.
   */
  littlesLawGap: 0.02,
  /** Fewer requests a connection than this, and those in flight at the end weigh too much to assert Little's law. */
  littlesLawMinRequestsPerConnection: 100,
  /** Servers together compare what a full core does: below this the servers waited for something else than the CPU. */
  togetherCoreShare: 0.85,
  /** Requests a connection each of several servers must answer: those in flight at the end are uncertain by one each. */
  togetherMinRequestsPerConnection: 20,
  /** Further samples the oracle asks for at most, and how long it takes for them: some servers are slow. */
  oracleMaxSamples: 56,
  oracleBudgetMs: 250,
  /** A server that has not said it is ready by then has failed; a 10M map takes about a minute on a slow machine. */
  readyTimeoutMs: 180_000,
  /**
   * When a reply counts as missing: after this, or after so many times what a queue of every connection took at the speed
   * of the slowest reply the oracle saw, and never later than the most.
   */
  replyTimeoutMs: 10_000,
  replyQueues: 4,
  mostReplyTimeoutMs: 120_000,
  /** How long a server may take to stop before it is killed. */
  stopTimeoutMs: 5_000,
} as const;
