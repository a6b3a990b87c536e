import { fileURLToPath } from "node:url";
import { z } from "zod";
import { bodyBytes } from "../basics/body-bytes.ts";
import { withoutSecrets } from "../basics/without-secrets.ts";
import type { Body } from "../../suites/suite.ts";
import { count, histogram, ONE_SERVER, readMarked, UNWATCHED, watchSent } from "./common.ts";
import { isTls } from "../../servers/protocol.ts";
import type { Generator, LoadPlan } from "./generator.ts";
import { countedByConnection } from "./received.ts";
import { quoted } from "./wrk-program.ts";
import { PROGRAM_FILE, wrk } from "./wrk.ts";

const SCRIPT = fileURLToPath(new URL("./websocket.lua", import.meta.url));
/** The place of a number in a message, and of a room's in a path. */
const NUMBER = "00000000";

const report = z.object({
  durationUs: z.int().positive(),
  bytes: count,
  slotUs: z.int().positive(),
  threads: z.array(z.object({
    startedUs: count,
    slots: z.array(count),
    ...{ received: count, expected: count, losers: count, doubled: count, reordered: count, changed: count },
    failed: z.tuple([count, count, count]),
    answers: z.array(count),
  })),
  errors: z.object({ read: count, write: count, timeout: count }),
  closes: z.record(z.string(), count),
  fault: z.string().nullable(),
  begun: count,
  workedUs: count,
  ...{ times: histogram, fromDue: histogram, lateness: histogram },
});

/**
 * Messages over WebSocket: a closed loop on one server or several, an open loop on one. It counts deliveries: each message that comes back to its
 * sender, and to each other member of its room. See websocket.lua.
 */
export const websocket: Generator = {
  name: "websocket",
  program: wrk.program,
  install: wrk.install,
  abilities: {
    ...ONE_SERVER,
    sends: "mix",
    messages: true,
    openLoop: true,
    queues: true,
    manyServers: true,
    watch: true,
    threads: false,
    newConnections: false,
    protocols: ["http", "https"],
  },
  versionArgs: wrk.versionArgs,
  parseVersion: wrk.parseVersion,
  input: (plan) => ({ [PROGRAM_FILE]: programOf(plan) }),
  args: (plan, folder) => [
    ...["-t1", "-c1", "-d1", "-s", SCRIPT, "-H", `program: ${folder}/${PROGRAM_FILE}`],
    plan.targets[0].url,
  ],
  ...UNWATCHED,
  watch: watchSent,
  parse(output, plan) {
    const { threads, begun, workedUs, times, fromDue, lateness, closes, fault, errors, ...rest } = readMarked(
      "websocket",
      output,
      report,
    );
    const total = (key: "received" | "expected" | "losers" | "doubled" | "reordered" | "changed") =>
      threads.reduce((sum, thread) => sum + thread[key], 0);
    const { inFlight, members = 1 } = plan.targets[0].requests.websocket!;
    const due = scheduleOf(plan)?.due;
    return {
      ...rest,
      requests: total("received"),
      byConnection: countedByConnection(threads.map(({ answers }) => answers)),
      threads: threads.map(({ startedUs, slots, received, failed }) => ({
        ...{ startedUs, slots, sent: [received], errorsDue: 0, errorsAllowed: 0, failed },
      })),
      latency: plan.targets.length > 1 || plan.watched || plan.untimed ? null : due === undefined ? times : fromDue,
      ...(due === undefined ? {} : {
        ...{ sent: times, late: lateness, dropped: members * (due - begun) },
        workedShare: Math.min(1, workedUs / rest.durationUs),
      }),
      errors: { ...errors, connect: 0, status: 0 },
      messages: {
        ...{ in_flight: inFlight, members, expected: total("expected"), received: total("received") },
        ...{ doubled: total("doubled"), reordered: total("reordered"), changed: total("changed") },
        ...{ connections_short: total("losers"), closes, fault: fault && withoutSecrets(fault) },
      },
      untold: {},
    };
  },
};

/** Messages per second and in total at a rate, which counts deliveries; null for a closed loop. */
function scheduleOf({ targets: [{ requests: { pace, websocket } }], durationMs, requests }: LoadPlan) {
  if ("closed" in pace) return null;
  const rate = pace.perSecond / (websocket!.members ?? 1);
  const inAll = requests === undefined ? rate * durationMs / 1e3 : requests / (websocket!.members ?? 1);
  return { rate, due: Math.max(1, Math.round(inAll)), schedule: `"${pace.schedule ?? "fixed"}"` };
}

/** Returns the program of websocket.lua, as a Lua table. */
function programOf(plan: LoadPlan): string {
  const { targets, durationMs, requests, timeoutMs, seed, watched = false, untimed = false } = plan;
  const { mix: [template], pace, websocket } = targets[0].requests;
  const { protocol = "http" } = targets[0].requests;
  const { inFlight, members = 1, idle = 0, asGiven = false } = websocket!;
  const { path, headers = {}, first } = template!, message = template!.body!;
  const senders = "closed" in pace ? pace.closed : pace.connections, schedule = scheduleOf(plan);
  const mine = bodyBytes(message);
  const head = Object.entries({
    ...(Object.keys(headers).some((name) => /^host$/i.test(name))
      ? {}
      : { Host: `${new URL(targets[0].url).hostname}:{port}` }),
    ...headers,
    ...{ Upgrade: "websocket", Connection: "Upgrade", "Sec-WebSocket-Version": "13" },
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const subprotocol = Object.entries(headers).find(([name]) => /^sec-websocket-protocol$/i.test(name))?.[1] ?? "";
  const placeOf = (bytes: Buffer) => bytes.includes(NUMBER) && !asGiven ? bytes.indexOf(NUMBER) : "nil";
  const tableOf = (fields: Readonly<Record<string, unknown>>) =>
    `{ ${Object.entries(fields).map(([name, value]) => `${name} = ${value}`).join(", ")} }`;
  // Servers may answer otherwise than others: each is held to its own reply.
  const replies = targets.map(({ requests: { websocket } }) => {
    const { reply = message, firstReplies: first = 0 } = websocket!, due = bodyBytes(reply);
    return tableOf({ message: latin(due), kind: kindOf(reply), numberAt: placeOf(due), first });
  });
  const fields = {
    ports: `{ ${targets.map(({ url }) => new URL(url).port).join(", ")} }`,
    request: quoted(
      `GET ${asGiven ? path : path.replace(NUMBER, "{room}")} HTTP/1.1\r\n${head.join("")}Sec-WebSocket-Key: `,
    ),
    protocol: quoted(subprotocol),
    tls: isTls(protocol),
    ...{ message: latin(mine), kind: kindOf(message), numberAt: placeOf(mine) },
    replies: `{ ${replies.join(", ")} }`,
    first: first === undefined ? "nil" : latin(bodyBytes(first)),
    firstKind: kindOf(first ?? ""),
    ...{ connections: senders + idle, senders, inFlight, members, seed, watched },
    ...(schedule !== null
      ? { ...schedule, durationUs: 1e3 * timeoutMs + 1e6 * schedule.due / schedule.rate }
      : requests === undefined
      ? { durationUs: 1e3 * durationMs }
      : { durationUs: "math.huge", most: Math.ceil(requests / members / senders) }),
    timeoutUs: 1e3 * timeoutMs,
    // Servers that wait for others stand still at its end, and would answer nothing.
    drains: !untimed,
  };
  return `return ${tableOf(fields)}`;
}

const latin = (bytes: Buffer) => quoted(bytes.toString("latin1"));

/** The kind of a message's frame: 1 for text, 2 for bytes. */
const kindOf = (body: Body) => typeof body === "string" ? 1 : 2;
