import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { RequestPlan, ServerSpec } from "../../suites/suite.ts";
import { counted } from "../basics/units.ts";
import { sum } from "../statistics/variation.ts";
import { recoverRaw } from "../statistics/latency-histogram.ts";
import type { Generator, LoadPlan, LoadResult, LoadTarget, ThreadResult } from "./generator.ts";
import { count, readMarked, watchSent } from "./common.ts";
import { receivedByConnection } from "./received.ts";
import { errorsOf, splitMix } from "./request-mix.ts";
import { wrkProgram } from "./wrk-program.ts";

const SCRIPT = fileURLToPath(new URL("./wrk.lua", import.meta.url));

/** A file and no argument, since every user of a machine may read arguments, and headers may hold secrets. */
export const PROGRAM_FILE = "program.lua";

const report = z.object({
  durationUs: z.int().positive(),
  requests: count,
  bytes: count,
  longestUs: count.default(0),
  slotUs: z.int().positive(),
  threads: z.array(z.object({ startedUs: count, slots: z.array(count), kinds: z.array(count) })),
  failed: z.array(z.tuple([count, count, count])).nullable().optional(),
  received: z.array(z.tuple([count, count, count, count])).nullable().optional(),
  errors: z.object({ connect: count, read: count, write: count, status: count, timeout: count }),
  latency: z.array(z.tuple([count, count])),
});

/** wrk 4: closed loop, so it measures capacity, and its latencies are service times under full load. */
export const wrk = {
  name: "wrk",
  program: "wrk",
  install: { apt: "apt-get install -y wrk", brew: "brew install wrk", nix: "nix develop" },
  abilities: {
    sends: "mix",
    openLoop: false,
    manyServers: true,
    watch: true,
    threads: true,
    newConnections: true,
    protocols: ["http", "https"],
    resumes: true,
    countsInterim: true,
    needsLength: true,
  },
  // Debian's, and the one of nixpkgs and Homebrew.
  tried: ["4.1.0", "4.2.0"],
  versionArgs: ["--version"],
  parseVersion: (output: string) => /^wrk (\S+)/.exec(output)?.[1],
  input: (plan: LoadPlan): Record<string, string> => plan.plain ? {} : { [PROGRAM_FILE]: programOf(plan) },
  args(plan: LoadPlan, folder: string) {
    const { url, requests } = plan.targets[0];
    const options = [
      `-t${threadsOf(plan)}`,
      `-c${connectionsOf(plan)}`,
      `-d${Math.ceil(plan.durationMs / 1000)}s`,
      "--timeout",
      `${Math.ceil(plan.timeoutMs / 1000)}s`,
      "-s",
      SCRIPT,
    ];
    if (plan.plain) return [...options, url + requests.mix[0]!.path];
    return [...options, url, "--", `${folder}/${PROGRAM_FILE}`];
  },
  env: (plan: LoadPlan): Record<string, string> => ({
    ...(plan.targets.length === 1
      ? {}
      : { LEVELFIELD_TARGETS: plan.targets.map(({ url }) => new URL(url).port).join(" ") }),
    ...(plan.watched ? { LEVELFIELD_WATCH: "1" } : {}),
    ...(reportsLatency(plan) ? {} : { LEVELFIELD_LATENCY: "0" }),
  }),
  watch: watchSent,
  // After SIGINT its report has the true duration, and the script's done() runs.
  endSignal: "SIGINT" as const,
  // The interval of the timer by which a thread notices that it has to stop.
  endsEveryMs: 100,
  parse(output: string, plan: LoadPlan): LoadResult {
    // Its report is the last thing it prints.
    const { latency, threads: told, failed, received, longestUs, ...rest } = readMarked("wrk", output, report);
    if (told.length !== threadsOf(plan)) {
      throw new Error(`wrk's result line has ${counted(told.length, "thread")}, not ${threadsOf(plan)}`);
    }
    const { durationUs, requests } = rest;
    const threads = told.map(({ kinds, ...thread }, n) => ({
      ...thread,
      ...countSent(kinds, plan.targets[n] ?? plan.targets[0]),
      ...(failed?.[n] === undefined ? {} : { failed: failed[n] }),
    }));
    const answered = plan.targets.length === 1 ? [requests] : threads.map(({ sent }) => sum(sent));
    const byConnection = received && receivedByConnection(plan, received, { ...rest, longestUs, requests: answered });
    return {
      ...rest,
      threads,
      ...(byConnection ? { byConnection } : {}),
      latency: !reportsLatency(plan)
        ? null
        : recoverRaw(latency, { durationUs, requests, connections: connectionsOf(plan) }),
      untold: {},
    };
  },
} satisfies Generator;

/** Latencies belong to a server alone if it was loaded alone, and count if it was measured. */
const reportsLatency = ({ targets, watched, untimed }: LoadPlan) => targets.length === 1 && !watched && !untimed;

/** Connections to all targets together. Throws where wrk cannot make these. */
function connectionsOf({ targets }: LoadPlan): number {
  const [first, ...others] = targets.map(({ requests: { pace } }) => {
    if ("perSecond" in pace) throw new Error("wrk cannot keep a rate");
    return pace.closed;
  });
  const other = others.find((connections) => connections !== first);
  if (other !== undefined) {
    throw new Error(`wrk gives all servers equally many connections, not ${first} to one and ${other} to another`);
  }
  return first! * targets.length;
}

function threadsOf(plan: LoadPlan): number {
  return plan.targets.length > 1 ? plan.targets.length : Math.min(plan.threads, connectionsOf(plan));
}

function programOf(plan: LoadPlan): string {
  return wrkProgram(plan, plan.targets.length > 1 ? 1 : threadsOf(plan));
}

/** Requests of a thread, from its counts by kind of request; a plain load counts nothing. */
export function countSent(
  kinds: readonly number[],
  { requests }: LoadTarget,
): Omit<ThreadResult, "startedUs" | "slots"> {
  let next = 0, errorsDue = 0, errorsAllowed = 0;
  const sent = splitMix(requests).map((template) => {
    let sum = 0;
    for (const expect of template.kinds) {
      const ofKind = kinds[next++] ?? 0;
      const { due, allowed } = errorsOf(expect, ofKind);
      sum += ofKind;
      errorsDue += due;
      errorsAllowed += allowed;
    }
    return sum;
  });
  return { sent, errorsDue, errorsAllowed };
}

const NULL_SCRIPT = fileURLToPath(new URL("./null-server.lua", import.meta.url));
const NULL_WEBSOCKET = fileURLToPath(new URL("./null-websocket.lua", import.meta.url));

/**
 * Returns a server that does nothing, to find a generator's ceiling with. It runs on wrk's LuaJIT: no measured runtime is
 * the yardstick of the others.
 *
 * @param wrk path of wrk
 * @param requests of the generator: messages have another server
 */
export function nullServer(wrk: string, { websocket }: Pick<RequestPlan, "websocket"> = {}): ServerSpec {
  const rooms = (websocket?.members ?? 1) > 1 ? ["-H", "rooms: 1"] : [];
  const script = websocket === undefined ? [NULL_SCRIPT] : [NULL_WEBSOCKET, ...rooms];
  return {
    kind: "command",
    command: [wrk, "-t1", "-c1", "-d1", "-s", ...script, "http://{host}:{port}"],
    ready: "/",
    stop: "SIGTERM",
    identity: {},
  } as ServerSpec;
}
