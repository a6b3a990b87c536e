/** Every limit an observation is judged by, with its reason. Statistics have a separate table in `statistics/`. */
export const THRESHOLDS = {
  /** Busy share of the server's cores from which the server was the limit; the rest is ticks, idle gaps, the window's edges. */
  serverBoundShare: 0.97,
  /** Busy share of the busiest generator thread from which the generator was the limit: epoll turns leave it a little below 1. */
  generatorBoundShare: 0.95,
  /**
   * Share of a link's speed from which it was the limit. Interfaces count frames without what goes between them: 98 % is all
   * there is for whole frames, four fifths for the short ones of small replies.
   */
  networkBoundShare: 0.8,
  /** TCP retransmissions per request from which losses were the limit: one costs 200 ms of a connection's time. */
  networkRetransmitShare: 0.001,
  /** Share of the connections that must still send at the end of a closed loop: it has as many in flight all the time. */
  leastKeptShare: 0.6,
  /** Share of the ceiling above which a rate may be the generator's more than the server's. */
  nearCeiling: 0.9,
  /** Time the hypervisor may take of a core before rates are no longer this machine's. */
  stealShare: 0.005,
  /** Time others may use of the pinned cores; /proc/stat counts in ticks, good to about 0.5 % over a second. */
  foreignShare: 0.01,
  /**
   * Time others and the hypervisor may take of the servers' cores before an observation is void: a busy loop at ordinary
   * priority takes 30 to 36 % and moves a ratio by 4 to 10 %; at raised priority it moves none. The same of the generator's
   * cores, where one that takes 5 % moved a ratio by 4 % and one that takes 10 % by 8 %, at raised priority.
   */
  contendedShare: 0.05,
  /** Share of the time a server leaves at a rate that the ends of its idle time may cost the kernel: see contentionMarks. */
  idleEndsShare: 0.5,
  /** Change of the cores' clock rate inside a window from which it is void: its parts were measured on two machines. */
  frequencyChange: 0.2,
  /** Steps of the wall clock against the steady one: slewing by NTP moves it by half a millisecond a second at most. */
  clockStepMs: 20,
  /** CPU time of a request no server can do with: its two system calls alone take longer. */
  leastCpuNsPerRequest: 500,
  /**
   * CPU time of a call below which it is none: ten cycles of 3 GHz, of which the loop itself takes most. An engine that
   * leaves a call's work out gets there; so does a function that does nothing. A look-up in a `Map` takes 4 ns and more.
   */
  leastCpuNsPerCall: 3,
  /**
   * Warm-up, for one server alone. V8 compiles by the number of calls: Node needs some 40 000 requests whatever the machine
   * (measured: at 40 to 100 µs each, 3 to 4 s). Five seconds of CPU time stand for them, but never for the first 17 000: what
   * runs once a request is compiled for good at its 16 384th (measured: Node's scans of 230 µs on one CPU and of 290 on another
   * cost half as much again for some 500 requests from 16 000 on, and some 10 µs less afterwards). Where a single request takes
   * half a millisecond and more, these would take 8 s and are a few percent of it; the loops inside it are what is compiled, and
   * two seconds will do (measured: a file scan for each request settles within one).
   */
  warmupLeastRequests: 40_000,
  warmupFewestRequests: 17_000,
  warmupLeastCpuMs: 5_000,
  warmupSlowRequestNs: 500_000,
  warmupSlowCpuMs: 2_000,
  /**
   * CPU time of a warm-up of function calls, of which a second holds millions. In 60 kept warm-ups on three runtimes a call cost
   * 1.02 to 1.04 times as much in the first tenth of a second as in the last second, 1.00 from the half second on.
   */
  warmupCallsCpuMs: 1_000,
  /**
   * Times the least after which a warm-up ends that is not shown to be flat: where its cost is seen to change, and where noise
   * hides if it does; the latter counts requests until its window. In 944 warm-ups that went on to the 100 000th request, a request from the 60 000th on cost 1.009, 0.997
   * and 0.995 times (Node, Deno, Bun) what it did from the 80 000th on, standard errors 0.8 %; docs/experiments/warm-up.md.
   */
  warmupMostWork: 2.5,
  warmupUnseenWork: 1.5,
  /** The longest it may take, whatever was done. */
  warmupMostMs: 12_000,
  /**
   * A server rests when it used no more than its idle share and this much of a core in two stretches on end. That is waited for
   * so long at most, and up to `laterMostMs` where what it used so far is work that outlives the reply. Before its next load it
   * is watched for `idleMostMs`, the longest that others of an ensemble stand still.
   */
  restShare: 0.03,
  restStretchMs: 100,
  restStretches: 2,
  restMostMs: 2_000,
  laterMostMs: 10_000,
  idleMostMs: 5_000,
  /**
   * CPU time after the last reply, over that of the window, from which work outlives the reply. Below it a heap is collected
   * and what was compiled is finished (docs/methodology.md has what suites measured); and never less than this many ms.
   */
  laterShare: 0.1,
  laterLeastMs: 50,
  /**
   * Memory a window adds to a server that grows with each request, and that rest does not give back, from which it has not done
   * with them: so many bytes and such a share of what it held. A window in which a request adds more than so many times what
   * it did in the warm-up took a step of the heap.
   */
  keptLeastBytes: 64 * 2 ** 20,
  keptShare: 0.25,
  keptSteeper: 2,
  /**
   * Busy shares of server and services together below which the server waited for more than it computed: two that take turns,
   * over one connection, make 1.
   */
  waitedShare: 0.5,
  /** Connections a window may add at a service unsaid: a pool of ten may fill up late. */
  lateConnections: 10,
  /** Memory that must stay free with all servers of an observation running, as a share of all. */
  freeMemoryShare: 0.1,
  /** Time a server thread may wait for a CPU; on one core a runtime's helper threads cause a little. */
  waitShare: 0.01,
  /** Spread of rates over rounds from which a single rate says little (pyperf warns at 10 %). */
  cv: 0.05,
  /** Distance of the last third of a window from the first, and of a pair's ratio from that of its first third. */
  steadiness: 0.03,
  /**
   * Requests in a part of a window below which it says nothing: alone they are counted 64 at a time, together the replies
   * of a slow server come in bursts of as many as it has connections.
   */
  steadinessMinRequests: 1_280,
  /**
   * Little's law holds within this on quiet runs (measured 0.5 to 1.3 %: a connection waits a little in wrk between reply
   * and request). Above it rate and latencies cannot both be true; below it the generator kept connections waiting.
   */
  littlesLawGap: 0.02,
  /**
   * Share of their time that connections may wait for a generator, by Little's law. wrk reads all replies that came, then sends:
   * at its limit a connection waits half of its time for that (the most of 1520 loads of kept runs is 0.498).
   */
  littlesLawMostWaits: 0.52,
  /**
   * Replies of each connection that a window should hold, so that those in flight at its end are at most a tenth. For slow
   * servers a window grows to at most six times its plan, and to at most 30 s.
   */
  windowReplies: 10,
  windowMostTimes: 6,
  windowMostMs: 30_000,
  /** Replies of each connection in a window below which those in flight at its end may be more than a fifth of all. */
  leastRepliesEach: 5,
  /** Fewer requests a connection than this, and those in flight at the end weigh too much to assert Little's law. */
  littlesLawMinRequestsPerConnection: 100,
  /** Distance of the ratio of two servers together from that of their costs alone, above which they crowd each other. */
  crowded: 0.05,
  /**
   * The same where there are too few rounds for an interval, as in quick runs. A cost alone varies by a third from one
   * moment to the next on a shared machine, so two of them do not differ by this much by chance.
   */
  crowdedInFewRounds: 1,
  /**
   * Cost of a request in ramp-ups over that in counted turns from which work that time triggers falls there: 14 of 50 ms. In
   * kept runs it is 1.31 at most, in one round 1.33, of servers without a service whose ramp-ups hold so many requests a
   * connection; of others 1.73 and 1.92 (docs/experiments/turns.md). Known only with so many requests to a ramp-up, and in
   * all: single slow ones fall on either side of its end.
   */
  rampUpTimes: 1.4,
  rampUpRequestsEach: 4,
  rampUpTimesUnsure: 2,
  rampUpRequests: 5,
  rampUpRequestsInAll: 100,
  /**
   * Share of CPU time in slices that cost so many times the usual, alone in the later half of a warm-up, from which work in
   * bursts is not counted right by turns, in half of the rounds and two at least. In kept runs 0.174 at most, and 0.25 in one
   * round: collected heaps.
   */
  burstTimes: 2,
  burstShare: 0.2,
  burstSlices: 8,
  /** Busy share of a shared core below which servers waited for something other than the CPU. */
  togetherCoreShare: 0.85,
  /** Busy share of server and generator alone, below which a server waits: no server of a kept run is below it. */
  waitingShare: 0.5,
  /** Requests a connection each of several servers must answer: of those in flight at the end a few may be answered or not. */
  togetherMinRequestsPerConnection: 5,
  /**
   * Share of all bytes by which replies under load may differ from those of the idle server, besides those in flight.
   * Chunks add lines, and busy servers cut long bodies at other places.
   */
  replyBytesShare: 0.001,
  chunkBytes: 64,
  chunkShare: 0.05,
  /** Replies sampled under load from which all being wrong says that none is right. */
  leastSampled: 3,
  /** The most additional samples of the oracle, and the most time for them: some servers are slow. */
  oracleMaxSamples: 56,
  oracleBudgetMs: 250,
  /** Time limit for a server to become ready; a 10M map takes about a minute on a slow machine. */
  readyTimeoutMs: 180_000,
  /**
   * Share of a window's requests that repeat a value requested before, below which a cache by these values is called cold: with
   * equal chances half of all values were then requested at most once.
   */
  warmCacheShare: 0.8,
  /**
   * Time after which a reply counts as missing: this, or so many times the wait in a queue of all connections at the
   * speed of the slowest reply that the oracle saw, and never more than the most.
   */
  replyTimeoutMs: 10_000,
  replyQueues: 4,
  mostReplyTimeoutMs: 120_000,
  /** Time that a server may take to stop before it is killed. */
  stopTimeoutMs: 5_000,
  /** The largest gap, as a share, between the sum of a request's layers and its CPU time without the profiler. */
  explainedGapShare: 0.1,
  /** The profiler costs 4 to 22 % of a request here: beyond it the two servers differ in something else, too. */
  explainedProfilerShare: 0.25,
  /**
   * Samples of JavaScript in a pass below which its layers are rough: a layer of a tenth has some 30 of 300, known to a
   * fifth.
   */
  explainedSamples: 300,
  /** Share of a window that samples of every moment must come to. */
  explainedSeenShare: 0.7,
} as const;
