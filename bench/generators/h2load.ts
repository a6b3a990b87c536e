import { againstSchedule, histogramOf, type Schedule, type SentRequest } from "./against-schedule.ts";
import { type DrawnRequest, drawnRequestsOf, listFiles } from "./drawn-requests.ts";
import type { Generator, LoadPlan, LoadResult } from "./generator.ts";
import { withAgent } from "./user-agent.ts";
import { dueIn, findIn, ONE_SERVER, UNSORTED, unsorted, UNWATCHED, wholeSeconds } from "./common.ts";

/**
 * h2load: closed and open loop. It writes down every request, so its histogram is exact. At a rate each connection sends at
 * equal steps and catches up after a late reply; latencies are counted from the schedule by {@link againstSchedule}.
 */
export const h2load: Generator = {
  name: "h2load",
  program: "h2load",
  install: {
    apt: "apt-get install -y nghttp2-client",
    brew: "brew install nghttp2",
    nix: "nix profile install nixpkgs#nghttp2",
  },
  abilities: {
    ...ONE_SERVER,
    showsHeaders: true,
    sends: "paths",
    openLoop: true,
    // It looks at each every ten milliseconds.
    perConnection: 100,
    threads: true,
    newConnections: false,
    protocols: ["http", "https", "h2", "h2c"],
    watch: true,
    needsLength: true,
  },
  tried: ["1.52.0"],
  neededFor: "--protocol h2 and h2c",
  versionArgs: ["--version"],
  parseVersion: (output) => /^h2load nghttp2\/(\S+)/.exec(output)?.[1],
  input: listFiles,
  output: ["requests.tsv"],
  args(plan, folder) {
    const [{ method, headers, body }] = drawnRequestsOf(plan) as [DrawnRequest];
    if (method !== (body === "" ? "GET" : "POST")) throw new Error(`h2load sends no ${method}`);
    return [
      ...(isHttp2(plan) ? [] : ["--h1"]),
      ...loopArgs(plan),
      "-m",
      "1",
      "-N",
      String(wholeSeconds(plan.timeoutMs)),
      // Without it h2load sends its name as user-agent: another request than the recorded one.
      ...Object.entries(withAgent(Object.fromEntries(headers))).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
      ...(body === "" ? [] : ["-d", `${folder}/body.txt`]),
      `--log-file=${plan.watched ? "/dev/stdout" : `${folder}/requests.tsv`}`,
      "-i",
      `${folder}/urls.txt`,
    ];
  },
  ...UNWATCHED,
  // A load that is ended early prints no report; only its log of requests is left.
  watch() {
    let answered = 0, reportedUs = 0;
    return (line) => {
      const [, sentUs, tookUs] = LOGGED.exec(line) ?? [];
      if (sentUs === undefined) return undefined;
      answered++;
      const atUs = Number(sentUs) + Number(tookUs);
      if (atUs - reportedUs < WATCH_US) return undefined;
      reportedUs = atUs;
      return { thread: 0, atUs, requests: answered };
    };
  },
  parse(output, plan, files) {
    if (plan.watched) return watchedResult(sentIn(output));
    const [time, unit, rate] = findIn(
      "h2load",
      output,
      /^finished in ([\d.]+)(us|ms|s|m), ([\d.]+) req\/s/m,
      "how long it took",
    );
    const [started, done, failed, errored, timeout] = findIn(
      "h2load",
      output,
      /^requests: .* (\d+) started, (\d+) done, \d+ succeeded, (\d+) failed, (\d+) errored, (\d+) timeout$/m,
      "how many requests it made",
    ).map(Number) as [number, number, number, number, number];
    const statuses = findIn("h2load", output, /^status codes: .* (\d+) 4xx, (\d+) 5xx$/m, "the statuses it saw");
    const [bytes, bodies] = findIn(
      "h2load",
      output,
      /^traffic: \S+ \((\d+)\) total, .* \((\d+)\) data$/m,
      "how many bytes came",
    );
    const status = Number(statuses[0]) + Number(statuses[1]);
    const sent = sentIn(files["requests.tsv"]);
    const schedule = scheduleOf(plan);
    const held = schedule && againstSchedule(sent, schedule);
    const bySender = histogramOf(sent.map(({ tookUs }) => tookUs));
    // The rate has more digits than the time. At a rate all that is due is sent, however long that takes.
    const durationUs = held
      ? Math.round(1e6 * schedule!.requests / schedule!.perSecond + held.behindUs)
      : Math.max(1, Math.round(Number(rate) > 0 ? 1e6 * done / Number(rate) : usOf(`${time}${unit}`)));
    return {
      durationUs,
      requests: done,
      bytes: Number(bytes),
      bodyBytes: Number(bodies),
      ...(schedule === null ? { keptShare: busyConnectionShare(sent, durationUs) } : {}),
      threads: [],
      slotUs: 0,
      errors: {
        ...UNSORTED,
        timeout,
        status,
        // "failed" counts error statuses; at a rate "errored" also counts requests that were never sent.
        other: schedule === null
          ? errored + Math.max(0, failed - status - errored - timeout)
          : Math.max(0, started - done - timeout),
      },
      latency: held?.latency ?? bySender,
      ...(schedule === null ? {} : { dropped: Math.max(0, schedule.requests - started) }),
      ...(held ? { sent: bySender, late: held.late } : {}),
      untold: {
        sent_per_slot: "h2load tells when requests ended, not how many were sent",
        sent_per_template: "each of h2load's connections goes through its list by itself",
        ...unsorted("h2load does not say when a connection could not be made, or was closed before the reply"),
      },
    };
  },
};

/** A line of its log: when a request left, its status, how long it took, both in microseconds. */
const LOGGED = /^(\d+)\t-?\d+\t(\d+)$/;
/** The report interval of a watched load in microseconds. */
const WATCH_US = 20_000;

const isHttp2 = ({ targets: [{ requests: { protocol = "http" } }] }: LoadPlan) => protocol.startsWith("h2");

/** The result of a load that is only watched. */
function watchedResult(sent: readonly SentRequest[]): LoadResult {
  const startedUs = sent.reduce((least, { atUs }) => Math.min(least, atUs), Infinity);
  const endedUs = sent.reduce((most, { atUs, tookUs }) => Math.max(most, atUs + tookUs), 0);
  const none = { ...UNSORTED, timeout: null, status: null };
  return {
    ...{ durationUs: Math.max(1, endedUs - startedUs), requests: sent.length, bytes: null, slotUs: 0, errors: none },
    threads: [{ startedUs: 0, slots: [], sent: [sent.length], errorsDue: 0, errorsAllowed: 0 }],
    ...{ latency: null, untold: {} },
  };
}

/** `1.84ms` in microseconds. */
function usOf(text: string): number {
  const [number, unit] = findIn("h2load", text, /^([\d.]+)(us|ms|s|m)$/, "a time");
  return Number(number) * { us: 1, ms: 1e3, s: 1e6, m: 6e7 }[unit as "us" | "ms" | "s" | "m"];
}

/** Parts of a load whose connections in use are compared. */
const PARTS = 5;

/**
 * Returns the share of a closed loop's connections that still had requests under way at its end: those of the last part over
 * the most of any part. h2load opens none again that a server ended. The last request of each is not in its log, so the
 * parts end before any that long. Null where replies take too long for that.
 */
export function busyConnectionShare(sent: readonly SentRequest[], durationUs: number): number | null {
  const first = sent.reduce((least, { atUs }) => Math.min(least, atUs), Infinity);
  const longest = sent.reduce((most, { tookUs }) => Math.max(most, tookUs), 0);
  const partUs = (durationUs - longest) / PARTS;
  if (sent.length === 0 || longest > partUs) return null;
  const busyUs = new Float64Array(PARTS);
  for (const { atUs, tookUs } of sent) {
    const from = atUs - first, to = from + tookUs;
    for (let n = Math.floor(from / partUs); n < PARTS && n * partUs < to; n++) {
      busyUs[n]! += Math.min(to, (n + 1) * partUs) - Math.max(from, n * partUs);
    }
  }
  return busyUs[PARTS - 1]! / Math.max(...busyUs);
}

/** Requests that were answered, from the file with a line for each: when it left, its status, how long it took in µs. */
function sentIn(log: string | undefined): SentRequest[] {
  if (log === undefined) throw new Error("h2load wrote no requests");
  return Array.from(log.matchAll(/^(\d+)\t-?\d+\t(\d+)$/gm), ([, at, took]) => ({
    atUs: Number(at),
    tookUs: Number(took),
  }));
}

/** Returns the requests that are due in a plan with a rate; null for a closed loop. */
function scheduleOf(plan: LoadPlan): Schedule | null {
  const { pace } = plan.targets[0].requests;
  if ("closed" in pace) return null;
  const { perSecond, connections } = pace, due = dueIn(plan, perSecond);
  return { perSecond, connections: Math.min(connections, due), requests: due };
}

/** The arguments for connections and for their requests or time. */
function loopArgs(plan: LoadPlan): string[] {
  const { requests: { pace } } = plan.targets[0];
  const schedule = scheduleOf(plan);
  if (schedule === null) {
    return [
      "-t",
      String(plan.threads),
      "-c",
      String((pace as { closed: number }).closed),
      "-D",
      String(wholeSeconds(plan.durationMs)),
    ];
  }
  const { perSecond, connections, requests } = schedule;
  const { everyMs, atOnce } = stagger(perSecond);
  const begun = Math.min(connections, atOnce);
  return [
    "-t",
    String(Math.min(plan.threads, begun)),
    "-c",
    String(connections),
    "-n",
    String(requests),
    "-r",
    String(begun),
    `--rate-period=${everyMs}ms`,
    `--rps=${perSecond / connections}`,
  ];
}

/**
 * The start of connections: spread over the time between two requests of one, so that they do not all send at once. Both
 * are whole numbers, so the choice nearest to the rate is taken.
 */
function stagger(perSecond: number): { readonly everyMs: number; readonly atOnce: number } {
  const least = Math.max(1, Math.floor(1e3 / perSecond));
  const choices = [0, 1, 2, 3, 4].map((more) => {
    const everyMs = least + more;
    return { everyMs, atOnce: Math.max(1, Math.ceil(perSecond * everyMs / 1e3 - 1e-9)) };
  });
  return choices.toSorted((a, b) => a.atOnce / a.everyMs - b.atOnce / b.everyMs)[0]!;
}
