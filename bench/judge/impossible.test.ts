import assert from "node:assert/strict";
import { test } from "node:test";
import { makePlausible } from "../../tests/fixtures/plausible-run.ts";
import { derivedLine } from "../plan/derived-line.ts";
import { givenCpus } from "../plan/workers.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Loaded } from "../record/load-record.ts";
import { quantilesUs } from "../record/latency-schema.ts";
import { compactUs } from "../statistics/latency-histogram.ts";
import { COUNT_ROWS, LINE_ROWS, MEMBER_ROWS, READING_ROWS, TOGETHER_ROWS } from "./impossible.ts";
import { judgeLine } from "./judge-line.ts";

const { run, lines } = makePlausible({ stores: ["map"], sizes: [10_000], rounds: 2 });
const of = (wanted: Observation["kind"]) => lines.find(({ kind }) => kind === wanted)!;

/** Marks of a line that was changed, all that follows from the change mended. */
function marksOf(line: Observation, change: (line: Observation & { load: Load; counters: Counters }) => void) {
  const copy = structuredClone(line);
  change(copy as Parameters<typeof change>[0]);
  const { marks, members } = judgeLine(derivedLine(copy), givenCpus(run, line.members[0]!.cell));
  return [...marks, ...members.flatMap((member) => member.marks)];
}

type Load = NonNullable<Loaded["load"]>;
type Counters = NonNullable<Loaded["counters"]>;
type Changed = Parameters<Parameters<typeof marksOf>[1]>[0];

/** What a row says at its start, the most that is possible, an amount that is not, and a change by an amount. */
type Case = readonly [says: string, within: number, over: number, change: (line: Changed, by: number) => unknown];
const row = (...one: Case): Case => one;

const share = (
  name: "server_thread_share" | "server_wait_share" | "generator_share" | "core_share" | "softirq_share",
) => row(`${name} is above all of a CPU`, 1.04, 1.06, ({ counters }, by) => counters[name] = by);

const SOUND_MESSAGES = {
  ...{ in_flight: 1, members: 1, doubled: 0, reordered: 0, changed: 0, connections_short: 0, closes: {}, fault: null },
};

const OF_ONE: readonly Case[] = [
  row("requests are off the messages that came", 0, 1, ({ load }, by) => {
    const received = load.requests - by;
    load.messages = { ...SOUND_MESSAGES, expected: received, received };
  }),
  row("more requests were answered than sent", 0, 1, ({ load }, by) => {
    Object.assign(load, { sent_per_slot: [], sent_per_template: [load.requests - by] });
  }),
  row("more requests are unanswered than there are connections", 50, 51, ({ load }, by) => {
    load.sent_per_template = [load.requests + by];
  }),
  row("more connections had no reply than there are", 50, 51, ({ load }, by) => {
    load.by_connection = { unanswered: by - 1, stuck: 1 };
  }),
  row("more requests stand in time slots than were sent", 0, 1, ({ load }, by) => {
    Object.assign(load, { sent_per_slot: [load.requests, by], sent_per_template: [load.requests] });
  }),
  row("replies have more bytes than the wire carried", 0, 1, ({ load, counters }, by) => {
    counters.loopback_bytes = load.reply_bytes! - by;
  }),
  row("more replies were counted than the servers' CPU time", 500, 499, ({ load, counters }, by) => {
    Object.assign(counters, { server_cpu_ns: by * load.requests, server_share: 0.01, server_thread_share: 0.01 });
  }),
  row("the histogram is off the number of requests", 0, 1, ({ latency }, by) => latency!.histogram[0]![1] += by),
  row("a percentile is off the histogram's", 1, 1.01, ({ latency }, by) => latency!.p99_us! *= by),
  row("the mean latency is off the histogram's", 1.005, 1.007, ({ latency }, by) => latency!.mean_us! *= by),
  row("rate × mean latency is above the number of connections", 1.019, 1.021, ({ load, latency }, by) => {
    const mean_us = by * load.connections * load.duration_us / load.requests;
    const us = compactUs(mean_us);
    Object.assign(latency!, { ...quantilesUs(() => us), mean_us, histogram: [[us, load.requests]] });
  }),
  share("server_thread_share"),
  share("server_wait_share"),
  share("generator_share"),
  share("core_share"),
  share("softirq_share"),
  row("the servers were busier than their cores", 0.05, 0.055, ({ counters }, by) => counters.core_share! -= by),
  row("the servers' cores were busy and waited for disks for longer than there was", 0.04, 0.06, (line, by) => {
    Object.assign(line.counters, { core_share: 1, disk_share: by });
  }),
  row("the servers used more CPU time than there was", 128e6, 130e6, ({ counters }, by) => {
    counters.server_cpu_ns = counters.cpu_window_ns! + by;
  }),
  row("the load lasted longer than its CPU time was read over", 108e6, 110e6, ({ load, counters }, by) => {
    counters.cpu_window_ns = 1e3 * load.duration_us - by;
  }),
  row("shares are more CPU time than the load around them", 20e6, 20e6 + 10, ({ counters }, by) => {
    counters.server_cpu_ns = counters.server_share! * counters.share_window_ns! - by;
  }),
  row("a latency from when requests were sent is above that from when they were due", 0, 1, (line, by) => {
    const { p50_us, p90_us, p99_us, p999_us, max_us } = line.latency!;
    Object.assign(line, { sent: { p50_us, p90_us, p99_us: p99_us! + by, p999_us, max_us } });
  }),
  row("the parts of the step lasted longer than the step", 100, 3_000, (line, by) => line.wall_ms -= by),
];

const OF_SEVERAL: readonly Case[] = [
  row("parts of the window used more CPU time than all of it", 1, 2, ({ members: [first] }, by) => {
    const [head, tail] = first!.parts!;
    head.cpu_ns = first!.cpu_ns! - tail.cpu_ns + by;
  }),
  row("parts of the window hold more requests than all of it", 1, 2, ({ members: [first] }, by) => {
    const [head, tail] = first!.parts!;
    head.requests = first!.requests! - tail.requests + by;
  }),
  row("servers answered more requests than were sent", 0, 1, ({ load, members, warmup }, by) => {
    const others = members.slice(1).reduce((all, { requests }) => all + requests!, warmup!.requests);
    members[0]!.requests = load.requests - others + members.length + 1 + by;
  }),
  row("settling and window lasted longer than the load", 100_000, 130_000, ({ load, counters, warmup }, by) => {
    warmup!.duration_us = load.duration_us - counters.share_window_ns! / 1e3 + by;
  }),
  row("servers used less CPU time than the share of their cores", 0, 1e6, (line, by) => useOfCores(line, -by)),
  row("servers used more CPU time than the share of their cores", 0, 1e6, (line, by) => useOfCores(line, by)),
];

/** Gives servers as much CPU time as their cores' share is, and so many nanoseconds more. */
function useOfCores({ counters, members }: Changed, by: number): void {
  const all = counters.server_share! * counters.share_window_ns! + by;
  for (const member of members) {
    // Fractions of a nanosecond are no whole ticks, which would have a slack.
    member.cpu_ns = all / members.length;
    member.parts![0].cpu_ns = member.cpu_ns / 3 - 0.1;
    member.parts![1].cpu_ns = member.cpu_ns / 2 - 0.1;
  }
}

for (const [kind, cases] of [["solo", OF_ONE], ["ensemble", OF_SEVERAL]] as const) {
  for (const [says, within, over, change] of cases) {
    test(`${kind}: ${says}: a line with as much as possible is sound, and one with more is void`, () => {
      assert.deepEqual(marksOf(of(kind), (line) => void change(line, within)), []);
      const marks = marksOf(of(kind), (line) => void change(line, over));
      assert.ok(marks.some(({ text, effect }) => text.startsWith(says) && effect === "voids"), JSON.stringify(marks));
    });
  }
}

test("each row of the table is broken by a case above", () => {
  const rows = [...COUNT_ROWS, ...READING_ROWS, ...MEMBER_ROWS, ...LINE_ROWS, ...TOGETHER_ROWS].map(([says]) => says);
  const cases = [...OF_ONE, ...OF_SEVERAL].map(([says]) => says);
  assert.equal(cases.length, rows.length);
  for (const row of rows) assert.ok(cases.some((says) => row.startsWith(says)), row);
});

test("readings of a load that others disturbed break no row: the disturbance voids it", () => {
  const marks = marksOf(of("solo"), ({ counters }) => Object.assign(counters, { core_share: 1.5, steal_share: 0.5 }));
  assert.deepEqual(marks.map(({ code }) => code), ["contended"]);
});

test("a server that is not pinned, or that somebody else started, may use other CPUs", () => {
  for (const change of [{ thread_cpus: null }, { startup_ms: null }]) {
    assert.deepEqual(
      marksOf(of("solo"), ({ counters, members }) => {
        Object.assign(members[0]!.server!, change);
        counters.server_cpu_ns! *= 1.5;
      }),
      [],
    );
  }
});

test("shares of servers on another host are of a window by its own clock", () => {
  const late = (line: Changed, by: number) => {
    const link = { name: "eth0", bits_per_second: null, share: null, round_trip_us: null, retransmit_share: null };
    line.counters.link = { ...link, received_bytes_per_second: null, sent_bytes_per_second: null };
    useOfCores(line, by);
  };
  for (const way of [-1, 1]) {
    assert.deepEqual(marksOf(of("ensemble"), (line) => late(line, way * 100e6)), []);
    assert.equal(marksOf(of("ensemble"), (line) => late(line, way * 200e6)).length, 1);
  }
});

test("a broken connection leaves any number of requests unanswered", () => {
  const codes = marksOf(of("solo"), ({ load }) => {
    load.sent_per_template = [2 * load.requests];
    load.errors.read = 3;
  }).map(({ code }) => code);
  assert.deepEqual(codes, ["socket-errors"]);
});

test("a call that nobody sent may cost less than the system calls of a reply", () => {
  const cheap = ({ load, counters }: Changed, calls: boolean) => {
    if (calls) load.calls = true;
    Object.assign(counters, { server_cpu_ns: 10 * load.requests, server_share: 0, server_thread_share: 0 });
  };
  assert.deepEqual(marksOf(of("solo"), (line) => cheap(line, true)), []);
  assert.deepEqual(marksOf(of("solo"), (line) => cheap(line, false)).map(({ code }) => code), ["claim-contradicted"]);
});

test("a request that is never answered at a rate is none of those that the histogram lacks", () => {
  const codes = (change: Partial<Load>) =>
    marksOf(of("solo"), ({ load }) => (load.errors.timeout = 3, Object.assign(load, change))).map(({ code }) => code);
  assert.deepEqual(codes({}), ["timeouts", "histogram-broken"]);
  assert.deepEqual(codes({ offered_per_second: of("solo").load!.requests_per_second }), ["timeouts"]);
});
