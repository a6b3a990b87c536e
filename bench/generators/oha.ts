import { z } from "zod";
import { sum } from "../statistics/variation.ts";
import { drawnOf, listFiles } from "./drawn-requests.ts";
import type { Generator } from "./generator.ts";
import { ONE_SERVER, TOTALS, UNSORTED, unsorted, UNWATCHED } from "./one-server.ts";
import { readReport } from "./read-output.ts";

const count = z.int().nonnegative();
const seconds = z.number().nonnegative().nullable();

/** What oha 1.14 to 1.16 print; further fields are left alone. */
const report = z.object({
  summary: z.object({ total: z.number().positive(), average: seconds, slowest: seconds }),
  latencyPercentiles: z.record(z.string().regex(/^p[\d.]+$/), seconds),
  statusCodeDistribution: z.record(z.string().regex(/^\d{3}$/), count),
  errorDistribution: z.record(z.string(), count),
});

/** Requests in flight when time was up. */
const CUT_OFF = "aborted due to deadline";

/** oha: closed and open loop. With a rate it counts latencies from when a request was due. */
export const oha: Generator = {
  name: "oha",
  program: "oha",
  install: { cargo: "cargo install oha --locked", brew: "brew install oha", nix: "nix profile install nixpkgs#oha" },
  abilities: {
    ...ONE_SERVER,
    showsHeaders: true,
    sends: "paths",
    openLoop: true,
    threads: true,
    latency: "percentiles",
    newConnections: true,
  },
  // github.com/hatoo/oha/issues/857
  knownWrong: [{ before: "1.14.0", in: "open loop", why: "it corrected latencies the wrong way round" }],
  versionArgs: ["--version"],
  parseVersion: (output) => /^oha (\S+)/.exec(output)?.[1],
  input: listFiles,
  args(plan, folder) {
    const { requests: { pace, connection } } = plan.targets[0];
    const [first] = drawnOf(plan);
    return [
      "-c",
      String("closed" in pace ? pace.closed : pace.connections),
      ...(plan.requests === undefined ? ["-z", wholeMs(plan.durationMs)] : ["-n", String(plan.requests)]),
      ...("closed" in pace ? [] : ["-q", String(Math.round(pace.perSecond))]),
      ...("closed" in pace || pace.clock === "sent" ? [] : ["--latency-correction"]),
      "-t",
      wholeMs(plan.timeoutMs),
      "--no-tui",
      "--output-format",
      "json",
      "--disable-compression",
      ...(connection === "new" ? ["--disable-keepalive"] : []),
      "-m",
      first!.method,
      ...first!.headers.flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
      ...(first!.body === "" ? [] : ["-D", `${folder}/body.txt`]),
      "--urls-from-file",
      `${folder}/urls.txt`,
    ];
  },
  ...UNWATCHED,
  // Else it has a thread for each core of the machine, whichever it may use.
  env: ({ threads }) => ({ TOKIO_WORKER_THREADS: String(threads) }),
  parse(output, plan) {
    const { summary, latencyPercentiles, statusCodeDistribution, errorDistribution } = readReport(
      "oha",
      output,
      report,
    );
    const statuses = Object.entries(statusCodeDistribution);
    const requests = sum(statuses.map(([, own]) => own));
    const errors = Object.entries(errorDistribution).filter(([name]) => name !== CUT_OFF);
    const late = errors.filter(([name]) => /timeout|timed out/i.test(name));
    const { pace } = plan.targets[0].requests;
    const sent = requests + sum(Object.values(errorDistribution));
    return {
      durationUs: Math.round(1e6 * summary.total),
      requests,
      bytes: null,
      ...TOTALS,
      errors: {
        ...UNSORTED,
        timeout: sum(late.map(([, own]) => own)),
        status: sum(statuses.filter(([status]) => Number(status) > 399).map(([, own]) => own)),
        other: sum(errors.filter((one) => !late.includes(one)).map(([, own]) => own)),
      },
      told: {
        meanUs: us(summary.average),
        maxUs: us(summary.slowest),
        percentiles: Object.entries(latencyPercentiles).flatMap(([name, value]): [number, number][] =>
          value === null ? [] : [[shareOfPercent(name.slice(1)), 1e6 * value]]
        ),
      },
      ...("closed" in pace ? {} : { dropped: Math.max(0, Math.round(pace.perSecond * plan.durationMs / 1e3) - sent) }),
      untold: {
        reply_bytes: "oha counts bodies without their heads",
        sent_per_slot: "oha does not tell when it sent what",
        sent_per_template: "oha takes its requests from a list at random",
        ...unsorted("oha names errors and does not sort them: all are in errors.other"),
        histogram: "oha prints percentiles and a histogram of ten bars",
      },
      warnings: errors.map(([name, own]) => `${own} × ${name}`),
    };
  },
};

/** oha takes no fractions. */
const wholeMs = (ms: number) => `${Math.ceil(ms)}ms`;
const us = (seconds: number | null) => seconds === null ? null : 1e6 * seconds;

/** `99.9` as 0.999, without what binary fractions make of it. */
export const shareOfPercent = (percent: string): number => Number((Number(percent) / 100).toPrecision(10));
