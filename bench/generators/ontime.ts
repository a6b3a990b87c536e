import { fileURLToPath } from "node:url";
import { z } from "zod";
import { count, dueIn, histogram, ONE_SERVER, readMarked, UNWATCHED } from "./common.ts";
import type { Generator, LoadPlan } from "./generator.ts";
import { countedByConnection } from "./received.ts";
import { wrkProgram } from "./wrk-program.ts";
import { countSent, PROGRAM_FILE, wrk } from "./wrk.ts";

const SCRIPT = fileURLToPath(new URL("./ontime.lua", import.meta.url));

const report = z.object({
  startedUs: count,
  durationUs: z.int().positive(),
  requests: count,
  sent: count,
  due: count,
  bytes: count,
  reopened: count,
  workedUs: count,
  haltedUs: count,
  slotUs: z.int().positive(),
  slots: z.array(count),
  kinds: z.array(count),
  answers: z.array(count),
  errors: z.object({ connect: count, read: count, write: count, status: count, timeout: count }),
  fromDue: histogram,
  fromSent: histogram,
  lateness: histogram,
});

/**
 * Closed and open loop over HTTP/1.1. It polls its core, so that requests leave when they are due. It reports latencies
 * from when requests were due, from when they left, and how late they left: see ontime.lua.
 */
export const ontime: Generator = {
  name: "ontime",
  program: wrk.program,
  install: wrk.install,
  abilities: {
    ...ONE_SERVER,
    sends: "mix",
    openLoop: true,
    queues: true,
    threads: false,
    newConnections: false,
  },
  versionArgs: wrk.versionArgs,
  parseVersion: wrk.parseVersion,
  input: (plan) => ({ [PROGRAM_FILE]: wrkProgram(plan, 1) }),
  args(plan, folder) {
    const options = { program: `${folder}/${PROGRAM_FILE}`, ...loopOf(plan), timeout: 1e3 * plan.timeoutMs };
    const headers = Object.entries(options).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
    return ["-t1", "-c1", "-d1", "-s", SCRIPT, ...headers, plan.targets[0].url];
  },
  ...UNWATCHED,
  parse(output, plan) {
    const open = !("closed" in plan.targets[0].requests.pace);
    const { startedUs, slots, kinds, answers, fromDue, fromSent, lateness, sent, due, workedUs, haltedUs, ...rest } =
      readMarked(
        "ontime",
        output,
        report,
      );
    return {
      ...rest,
      threads: [{ startedUs, slots, ...countSent(kinds, plan.targets[0]) }],
      byConnection: countedByConnection([answers]),
      latency: fromDue,
      ...(open ? { sent: fromSent, late: lateness, dropped: due - sent } : {}),
      workedShare: Math.min(1, workedUs / rest.durationUs),
      haltedShare: Math.min(1, haltedUs / Math.max(1, rest.durationUs - workedUs)),
      untold: {},
    };
  },
};

/** Options of the loop: requests at a rate, or a closed loop for a time or a number of requests. */
function loopOf(plan: LoadPlan) {
  const { targets: [{ requests: { pace } }], durationMs, requests } = plan;
  if ("closed" in pace) {
    return { connections: pace.closed, ...(requests === undefined ? { duration: 1e3 * durationMs } : { requests }) };
  }
  const due = dueIn(plan, pace.perSecond);
  const { perSecond: rate, connections, schedule = "fixed" } = pace;
  return { rate, connections: Math.min(connections, due), requests: due, schedule };
}
