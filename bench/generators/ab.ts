import { withAgent } from "./user-agent.ts";
import type { GeneratorWarning } from "../record/load-record.ts";
import { drawRequests } from "./drawn-requests.ts";
import type { Generator, LoadPlan } from "./generator.ts";
import { findIn, ONE_SERVER, shareOfPercent, TOTALS, UNWATCHED, wholeSeconds } from "./common.ts";

/**
 * More requests a second than any server answers: with a time limit ab still needs a number, and allocates room for so
 * many.
 */
const MOST_PER_SECOND = 500_000;

/** ab: one thread and one fixed request; a connection for each request unless it keeps them. */
export const ab: Generator = {
  name: "ab",
  program: "ab",
  install: {
    apt: "apt-get install -y apache2-utils",
    brew: "brew install httpd",
    nix: "nix profile install nixpkgs#apacheHttpd",
  },
  abilities: {
    ...ONE_SERVER,
    showsHeaders: true,
    showsPaths: true,
    countsInterim: true,
    sends: "one",
    openLoop: false,
    threads: false,
    latency: "percentiles",
    newConnections: true,
    protocols: ["http", "https"],
  },
  tried: ["2.3"],
  neededFor: "--preset chronos and bench contrast",
  versionArgs: ["-V"],
  parseVersion: (output) => /ApacheBench, Version (\S+)/.exec(output)?.[1],
  input: (plan) => ({ "body.txt": drawn(plan).body }),
  output: ["percentiles.csv"],
  args(plan, folder) {
    const { url, requests: { pace, connection } } = plan.targets[0];
    if (!("closed" in pace)) throw new Error("ab cannot keep a rate");
    const { method, path, headers, body } = drawn(plan);
    const type = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
    const replaced = ["content-type", "connection"];
    if (body !== "" && !["POST", "PUT"].includes(method)) throw new Error(`ab sends no body with ${method}`);
    return [
      "-q",
      "-r",
      ...(connection === "new" ? [] : ["-k"]),
      "-c",
      String(pace.closed),
      // The time limit also sets a request limit, so the request limit comes after it.
      ...(plan.requests === undefined
        ? ["-t", String(wholeSeconds(plan.durationMs)), "-n", String(wholeSeconds(plan.durationMs) * MOST_PER_SECOND)]
        : ["-n", String(plan.requests)]),
      "-s",
      String(wholeSeconds(plan.timeoutMs)),
      "-e",
      `${folder}/percentiles.csv`,
      ...Object.entries(withAgent(Object.fromEntries(headers)))
        .filter(([name]) => !replaced.includes(name.toLowerCase()))
        .flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
      ...(body === "" ? (method === "GET" ? [] : ["-m", method]) : [
        method === "POST" ? "-p" : "-u",
        `${folder}/body.txt`,
        "-T",
        type ?? "text/plain",
      ]),
      url + path,
    ];
  },
  ...UNWATCHED,
  parse(output, _plan, files) {
    const number = (pattern: RegExp, what: string) => Number(findIn("ab", output, pattern, what)[0]);
    const taken = number(/^Time taken for tests: +([\d.]+) seconds$/m, "how long it took");
    const complete = number(/^Complete requests: +(\d+)$/m, "how many requests it made");
    const failed = number(/^Failed requests: +(\d+)$/m, "how many requests failed");
    const bytes = number(/^Total transferred: +(\d+) bytes$/m, "how many bytes came");
    const status = Number(/^Non-2xx responses: +(\d+)$/m.exec(output)?.[1] ?? 0);
    const kinds = /\(Connect: (\d+), Receive: (\d+), Length: (\d+), Exceptions: (\d+)\)/.exec(output)?.slice(1);
    if (failed > 0 && kinds === undefined) throw new Error("ab does not say why requests failed");
    const [connect, receive, length, exceptions] = (kinds ?? ["0", "0", "0", "0"]).map(Number) as [
      number,
      number,
      number,
      number,
    ];
    const none = complete - receive - exceptions <= 0;
    return {
      durationUs: Math.max(1, Math.round(1e6 * taken)),
      requests: none ? 0 : complete,
      bytes,
      ...TOTALS,
      errors: {
        connect,
        read: receive,
        write: null,
        timeout: null,
        status,
        // Replies with an error mostly differ in length, and are counted already.
        other: exceptions + Math.max(0, length - status),
      },
      summary: { meanUs: null, maxUs: none ? null : last(files), percentiles: none ? [] : percentilesOf(files) },
      untold: {
        sent_per_slot: "ab does not tell when it sent what",
        sent_per_template: "ab sends one request",
        "errors.write": "ab counts them as exceptions, which are in errors.other",
        "errors.timeout": "a reply that comes too late ends ab",
        p999_us: "ab prints whole percents",
        histogram: "ab prints percentiles",
        mean_us: "ab computes it from the rate, so it says nothing more",
      },
      warnings: warningsOf(output, complete),
    };
  },
};

const drawn = ({ targets: [{ requests }], seed }: LoadPlan) => drawRequests(requests, seed, 1)[0]!;

/** Lines of the file of percentiles: `99,10.796`, in milliseconds. */
function percentilesOf(files: Readonly<Record<string, string>>): [number, number][] {
  const text = files["percentiles.csv"];
  const lines = text?.trim().split("\n").slice(1) ?? [];
  const percentiles = lines.map((line): [number, number] => {
    const [percent, ms] = findIn("ab", line, /^(\d+),(-?[\d.]+)$/, "its percentiles");
    return [shareOfPercent(percent!), 1e3 * Number(ms)];
  });
  if (percentiles.length === 0) throw new Error("ab wrote no percentiles");
  return percentiles.filter(([share]) => share > 0 && share < 1);
}

const last = (files: Readonly<Record<string, string>>) => {
  const ms = /^100,([\d.]+)$/m.exec(files["percentiles.csv"] ?? "")?.[1];
  return ms === undefined ? null : 1e3 * Number(ms);
};

/**
 * Returns ab's warnings about its figures, each in one line: `ERROR: The median and mean … NOT reliable.`; and the number
 * of connections it kept, if it was to keep all and lost most.
 */
function warningsOf(output: string, complete: number): GeneratorWarning[] {
  const kept = /^(Keep-Alive requests): +(\d+)$/m.exec(output);
  const few = kept !== null && 2 * Number(kept[2]) < complete;
  const printed = [...output.matchAll(/^(?:WARNING|ERROR): .*(?:\n {8}.*)*/gm)].map(([found]): GeneratorWarning => {
    const text = found.replace(/\s+/g, " ").trim();
    return { code: /\breliable\b/.test(text) ? "unreliable" : "other", text };
  });
  return [...(few ? [{ code: "connections-closed" as const, text: `${kept[1]}: ${kept[2]}` }] : []), ...printed];
}
