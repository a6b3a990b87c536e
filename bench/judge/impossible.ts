/**
 * Quantities of a load, a server or a line, and the most each can be by the other figures of the line. The table is held when
 * a line is measured, and again when it is verified. Its bounds are accounts that balance, or physics with a slack that is
 * read from the line. Unknown figures break no row.
 */
import { mark, type MarkCode } from "../record/mark.ts";
import type { Member, Observation } from "../record/observation-record.ts";
import type { Loaded } from "../record/load-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { compactUs, countOf, meanUs, percentileUs } from "../statistics/latency-histogram.ts";
import { sum } from "../statistics/variation.ts";
import { THRESHOLDS } from "./thresholds.ts";
import { quantilesUs } from "../record/latency-schema.ts";

type Row<T> = readonly [says: string, quantity: (of: T) => number, most: (of: T) => number, code?: MarkCode];

/** Returns a mark for each row of a table that is broken. */
export function brokenRows<T>(rows: readonly Row<T>[], of: T): Mark[] {
  const text = (value: number) => String(Number(value.toPrecision(12)));
  return rows.flatMap(([says, quantity, most, code = "claim-contradicted"]) => {
    const [value, limit] = [quantity(of), most(of)];
    return value > limit ? [mark(code, `${says}: ${text(value)}, at most ${text(limit)} is possible`)] : [];
  });
}

/** A measured load, and the facts its figures are compared with. */
export interface LoadFigures extends Pick<Loaded, "latency" | "sent" | "counters"> {
  readonly load: NonNullable<Loaded["load"]>;
  readonly servers: number;
  /** No connection broke, and no reply came too late. */
  readonly isClean: boolean;
  /** The number of CPUs that shares of the servers are of. */
  readonly cpus: number;
  /** True if servers could run on no other CPUs. */
  readonly isPinned: boolean;
}

type ReadLoad = LoadFigures & { readonly counters: NonNullable<Loaded["counters"]> };

const known = (value: number | null | undefined): number => value ?? NaN;
const sentIn = ({ load: { sent_per_template: sent } }: LoadFigures) => sent.length === 0 ? NaN : sum(sent);
const connectionsOf = ({ load, servers }: LoadFigures) => load.connections * servers;
const histogramOf = ({ latency }: LoadFigures) => latency?.histogram ?? [];

/** Returns the largest distance of a named percentile from the histogram's, in µs. */
function percentilesApart(figures: LoadFigures): number {
  const histogram = histogramOf(figures);
  if (histogram.length === 0) return NaN;
  const latency = figures.latency!;
  const apart = quantilesUs((share, key) =>
    Math.abs(compactUs(latency[key] ?? Infinity) - percentileUs(histogram, share))
  );
  return Math.max(...Object.values(apart));
}

/** Returns the largest excess of a quantile from when requests were sent over the same from when they were due, in µs. */
function sentAboveDue({ latency, sent }: LoadFigures): number {
  return Math.max(...Object.values(quantilesUs((_, key) => known(sent?.[key]) - known(latency?.[key]))));
}

/**
 * Latencies missing from a histogram that holds one for each request in time, or too many in it. In a
 * closed loop of HTTP a late reply is a request without one; at a rate it is none, and a late message has one.
 */
function latenciesApart(figures: LoadFigures): number {
  const { load: { requests, errors, messages, offered_per_second: offered }, latency } = figures;
  if (requests === 0 || latency === null) return NaN;
  const late = offered === undefined && messages === undefined ? errors.timeout ?? 0 : 0;
  return Math.abs(countOf(histogramOf(figures)) - requests + late);
}

const none = () => 0;

/** Counts are exact, whatever disturbed the machine. */
export const COUNT_ROWS: readonly Row<LoadFigures>[] = [
  [
    "requests are off the messages that came",
    ({ load }) => load.messages === undefined ? NaN : Math.abs(load.requests - load.messages.received),
    none,
  ],
  ["more requests were answered than sent", ({ load }) => load.requests, sentIn],
  [
    "more requests are unanswered than there are connections",
    (figures) => figures.isClean ? sentIn(figures) - figures.load.requests : NaN,
    connectionsOf,
  ],
  [
    "more connections had no reply than there are",
    ({ load: { by_connection: by } }) => by === undefined ? NaN : by.unanswered + by.stuck,
    connectionsOf,
  ],
  ["more requests stand in time slots than were sent", ({ load }) => sum(load.sent_per_slot), sentIn],
  [
    "replies have more bytes than the wire carried",
    ({ load }) => known(load.reply_bytes),
    ({ counters }) => known(counters?.loopback_bytes),
  ],
  [
    "more replies were counted than the servers' CPU time allows system calls for",
    // One system call may take several messages.
    ({ load }) => load.calls || load.messages ? NaN : load.requests,
    ({ counters }) => known(counters?.server_cpu_ns) / THRESHOLDS.leastCpuNsPerRequest,
  ],
  ["the histogram is off the number of requests", latenciesApart, none, "histogram-broken"],
  ["a percentile is off the histogram's, in µs", percentilesApart, none, "histogram-broken"],
  ["a latency from when requests were sent is above that from when they were due, in µs", sentAboveDue, none],
  [
    "the mean latency is off the histogram's, in µs",
    (figures) =>
      histogramOf(figures).length === 0
        ? NaN
        : Math.abs(meanUs(histogramOf(figures)) - known(figures.latency!.mean_us)),
    // A histogram of three digits has a mean that is right to half a percent.
    ({ latency }) => 0.006 * known(latency?.mean_us),
    "histogram-broken",
  ],
  [
    // Little's law. Too few requests may be in flight: connections waited for the generator to send again.
    "rate × mean latency is above the number of connections",
    ({ load, latency }) => load.requests / load.duration_us * known(latency?.mean_us),
    (figures) =>
      figures.load.offered_per_second !== undefined || (figures.load.messages?.members ?? 1) > 1 ||
        figures.load.requests < connectionsOf(figures) * THRESHOLDS.littlesLawMinRequestsPerConnection
        ? Infinity
        : connectionsOf(figures) * (figures.load.messages?.in_flight ?? 1) * (1 + THRESHOLDS.littlesLawGap),
    "littles-law-broken",
  ],
];

const momentOf = ({ counters, load }: ReadLoad) => momentNs(counters, load.duration_us);
const momentShare = (read: ReadLoad) => momentOf(read) / known(read.counters.share_window_ns);
/** Shares of servers on a separate host are of a window by its clock, which is read at other moments. */
const clocksNs = (read: ReadLoad) => read.counters.link === undefined ? 0 : read.cpus * momentOf(read);
const lastedNs = ({ load }: ReadLoad) => 1e3 * load.duration_us;

const ofOneCpu = (name: Extract<keyof ReadLoad["counters"], `${string}_share`>): Row<ReadLoad> => [
  `${name} is above all of a CPU`,
  ({ counters }) => known(counters[name]),
  (read) => 1 + momentShare(read),
];

/** Rows on readings of one load, which lie apart in time, by more if something disturbed it. */
export const READING_ROWS: readonly Row<ReadLoad>[] = [
  ...(["server_thread_share", "server_wait_share", "generator_share"] as const).map(ofOneCpu),
  ...(["core_share", "softirq_share"] as const).map(ofOneCpu),
  [
    "the servers were busier than their cores",
    ({ counters, isPinned }) => isPinned ? known(counters.server_share) : NaN,
    (read) => known(read.counters.core_share) + momentShare(read),
  ],
  [
    "the servers' cores were busy and waited for disks for longer than there was",
    ({ counters }) => known(counters.core_share) + known(counters.disk_share ?? null),
    (read) => 1 + momentShare(read),
  ],
  [
    "the servers used more CPU time than there was, in ns",
    ({ counters, isPinned }) => isPinned ? known(counters.server_cpu_ns) : NaN,
    (read) => read.cpus * (known(read.counters.cpu_window_ns) + momentOf(read)) + 2 * TICK_NS * read.servers,
  ],
  [
    "the load lasted longer than its CPU time was read over, in ns",
    lastedNs,
    (read) => known(read.counters.cpu_window_ns) + momentOf(read),
  ],
  [
    "shares are more CPU time than the load around them, in ns",
    ({ counters, cpus }) => innerNs(counters, cpus).least,
    (read) => known(read.counters.server_cpu_ns) + 2 * TICK_NS * read.servers + clocksNs(read),
  ],
];

const partsOf = ({ parts }: Member, key: "cpu_ns" | "requests") => parts === null ? NaN : parts[0][key] + parts[1][key];

/** One server of a load. Requests of a whole window are rounded. */
export const MEMBER_ROWS: readonly Row<Member>[] = [
  [
    "parts of the window used more CPU time than all of it, in ns",
    (read) => partsOf(read, "cpu_ns"),
    ({ cpu_ns }) => known(cpu_ns) + 1,
  ],
  [
    "parts of the window hold more requests than all of it",
    (read) => partsOf(read, "requests"),
    ({ requests }) => known(requests) + 1,
  ],
];

const loadMs = ({ load, counters }: Pick<Loaded, "load" | "counters">) =>
  Math.max((load?.duration_us ?? 0) / 1e3, (counters?.cpu_window_ns ?? 0) / 1e6);

/** Rows on a whole line: its servers start and work one after the other. */
export const LINE_ROWS: readonly Row<Observation>[] = [
  [
    "the parts of the step lasted longer than the step, in ms",
    (line) =>
      sum([line, ...line.windows ?? []].map(loadMs)) +
      sum(line.members.map(({ server, warmup, alone }) =>
        (server?.startup_ms ?? 0) + (warmup?.duration_us ?? 0) / 1e3 + (alone === null ? 0 : loadMs(alone))
      )),
    // NTP slews a clock by half a millisecond a second.
    ({ wall_ms }) => 1 + THRESHOLDS.clockStepMs + 1.0005 * wall_ms,
  ],
];

type TogetherLoad = ReadLoad & Pick<Observation, "warmup"> & { readonly members: readonly Member[] };

const usedBy = ({ members }: TogetherLoad) => sum(members.map((member) => usedNs(member).ns));
const slackOf = (together: TogetherLoad) =>
  sum(together.members.map((member) => usedNs(member).slack)) + clocksNs(together) + 1;

/** Several servers in one window, which is cut out of their load after they settled in it. */
export const TOGETHER_ROWS: readonly Row<TogetherLoad>[] = [
  [
    "servers answered more requests than were sent",
    ({ members, warmup }) =>
      sum(members.map((member) => member.requests! + (member.lead_in?.requests ?? 0))) + (warmup?.requests ?? 0),
    (together) => sentIn(together) + together.members.length + 1,
  ],
  [
    "settling and window lasted longer than the load, in ns",
    ({ counters, warmup }) => known(counters.share_window_ns) + 1e3 * (warmup?.duration_us ?? 0),
    (together) => lastedNs(together) + momentOf(together),
  ],
  [
    "servers used less CPU time than the share of their cores, in ns",
    ({ counters, cpus }) => innerNs(counters, cpus).least,
    (together) => usedBy(together) + slackOf(together),
  ],
  [
    "servers used more CPU time than the share of their cores, in ns",
    usedBy,
    (together) => innerNs(together.counters, together.cpus).most + slackOf(together),
  ],
];

type Counters = NonNullable<Loaded["counters"]>;

/** A tick of the kernel's accounting. If a thread ended, a process's CPU time is known to one tick. */
const TICK_NS = 10e6;

/**
 * The time between readings of one moment: at least ten ticks, twice what was measured of it, and twice as long as the
 * hypervisor held the cores, or the driver's work held the driver.
 */
function momentNs(counters: Counters, durationUs: number): number {
  const held = (counters.steal_share ?? 0) + (counters.driver_share ?? 0);
  return 10 * TICK_NS + 2 * (counters.moment_ns ?? 0) + 2 * held * 1e3 * durationUs;
}

/** CPU time of servers while shares were read. Soft interrupts that are accounted apart from it are in the share alone. */
function innerNs(counters: Counters, cpus: number): { readonly least: number; readonly most: number } {
  const { server_share, share_window_ns, softirq_in_cpu_time, softirq_share } = counters;
  const all = (share_window_ns ?? NaN) * cpus, most = (server_share ?? NaN) * all;
  const apart = softirq_in_cpu_time === false ? (softirq_share ?? 1) * all : 0;
  return { least: Math.max(0, most - apart) * (1 - 1e-9), most: most * (1 + 1e-9) };
}

/** CPU time of a member in its whole window, and its error: two ticks for each part that is in whole ticks. */
function usedNs({ cpu_ns, parts, lead_in }: Member): { readonly ns: number; readonly slack: number } {
  const [head, tail] = parts ?? [];
  const pieces = head === undefined || tail === undefined
    ? [TICK_NS]
    : [head.cpu_ns, tail.cpu_ns, cpu_ns! - head.cpu_ns - tail.cpu_ns];
  const whole = pieces.filter((ns) => ns > 0 && ns % TICK_NS === 0).length;
  return { ns: cpu_ns! + (lead_in?.cpu_ns ?? 0), slack: 2 * TICK_NS * whole };
}
