import type { LatencyHistogram } from "../statistics/latency-histogram.ts";
import { drawRequests } from "./drawn-requests.ts";
import type { Generator, LoadPlan } from "./generator.ts";
import { ONE_SERVER, unsorted, UNWATCHED } from "./one-server.ts";
import { findIn, wholeSeconds } from "./read-output.ts";

/** h2load: a closed loop. It writes down every request, so its histogram is exact. */
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
    openLoop: false,
    threads: true,
    latency: "exact",
    newConnections: false,
    needsLength: true,
  },
  knownWrong: [],
  versionArgs: ["--version"],
  parseVersion: (output) => /^h2load nghttp2\/(\S+)/.exec(output)?.[1],
  input: (plan) => ({
    "urls.txt": drawn(plan).map(({ path }) => `${plan.targets[0].url}${path}\n`).join(""),
    "body.txt": drawn(plan)[0]!.body,
  }),
  output: ["requests.tsv"],
  args(plan, folder) {
    const { requests: { pace } } = plan.targets[0];
    // --rps counts latencies from when a request was sent, not from when it was due.
    if (!("closed" in pace)) throw new Error("h2load keeps a rate, but counts no latencies against it");
    const [{ method, headers, body }] = drawn(plan) as [ReturnType<typeof drawn>[number]];
    if (method !== (body === "" ? "GET" : "POST")) throw new Error(`h2load sends no ${method}`);
    return [
      "--h1",
      "-t",
      String(plan.threads),
      "-c",
      String(pace.closed),
      "-m",
      "1",
      ...(plan.requests === undefined ? ["-D", String(wholeSeconds(plan.durationMs))] : ["-n", String(plan.requests)]),
      "-N",
      String(wholeSeconds(plan.timeoutMs)),
      ...headers.flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
      ...(body === "" ? [] : ["-d", `${folder}/body.txt`]),
      `--log-file=${folder}/requests.tsv`,
      "-i",
      `${folder}/urls.txt`,
    ];
  },
  env: () => ({}),
  ...UNWATCHED,
  parse(output, _plan, files) {
    const [time, unit, rate] = findIn(
      "h2load",
      output,
      /^finished in ([\d.]+)(us|ms|s|m), ([\d.]+) req\/s/m,
      "how long it took",
    );
    const [done, failed, errored, timeout] = findIn(
      "h2load",
      output,
      /^requests: .* (\d+) done, \d+ succeeded, (\d+) failed, (\d+) errored, (\d+) timeout$/m,
      "how many requests it made",
    ).map(Number) as [number, number, number, number];
    const statuses = findIn("h2load", output, /^status codes: .* (\d+) 4xx, (\d+) 5xx$/m, "the statuses it saw");
    const [bytes] = findIn("h2load", output, /^traffic: \S+ \((\d+)\) total/m, "how many bytes came");
    const [max, mean] = findIn(
      "h2load",
      output,
      /^time for request: +\S+ +(\S+) +(\S+)/m,
      "how long requests took",
    );
    const status = Number(statuses[0]) + Number(statuses[1]);
    return {
      // The rate has more digits than the time.
      durationUs: Math.max(1, Math.round(Number(rate) > 0 ? 1e6 * done / Number(rate) : usOf(`${time}${unit}`))),
      requests: done,
      bytes: Number(bytes),
      threads: [],
      slotUs: 0,
      errors: {
        connect: null,
        read: null,
        write: null,
        timeout,
        status,
        // "failed" are those with an error status, too.
        other: errored + Math.max(0, failed - status - errored - timeout),
      },
      latency: histogramOf(files["requests.tsv"]),
      told: {
        meanUs: usOf(mean!),
        maxUs: usOf(max!),
        percentiles: [],
      },
      untold: {
        sent_per_slot: "h2load tells when requests ended, not how many were sent",
        sent_per_template: "each of h2load's connections goes through its list by itself",
        ...unsorted("h2load does not say when a connection could not be made, or was closed before the reply"),
      },
      warnings: [],
    };
  },
};

const drawn = ({ targets: [{ requests }], seed }: LoadPlan) => drawRequests(requests, seed);

/** `1.84ms` in microseconds. */
function usOf(text: string): number {
  const [number, unit] = findIn("h2load", text, /^([\d.]+)(us|ms|s|m)$/, "a time");
  return Number(number) * { us: 1, ms: 1e3, s: 1e6, m: 6e7 }[unit as "us" | "ms" | "s" | "m"];
}

/** Latencies of all requests, from the file with a line for each: when it began, its status, how long it took in µs. */
function histogramOf(log: string | undefined): LatencyHistogram {
  if (log === undefined) throw new Error("h2load wrote no requests");
  const counts = new Map<number, number>();
  for (const [, us] of log.matchAll(/^\d+\t-?\d+\t(\d+)$/gm)) {
    const key = Number(us);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => a[0] - b[0]);
}
