import { resolve } from "node:path";
import {
  connectionsAxis,
  runtimeAxis,
  runtimeOf,
  wordAxis,
  workersAt,
  workersAxes,
  workersOn,
} from "../../suites/axes.ts";
import {
  type Check,
  type Opening,
  type Oracle,
  type Point,
  type RequestPlan,
  type ServerSpec,
  type Suite,
  WrongAnswer,
} from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { present } from "../basics/present.ts";
import { FIRST_REPLIES, WEBSOCKET } from "../process/web-socket.ts";
import { APP_AXIS, USER_SUITE } from "../record/cell.ts";
import type { ReplySample, UserServer, UserSpec } from "../record/user-spec.ts";
import { requestName } from "./send-once.ts";
import { comparableReply, readReply } from "./comparable-reply.ts";
import { ignoredHeaders, ignoredParts } from "./left-out.ts";
import { ignoreName, replyDifference } from "./reply-difference.ts";
import { usedUpAfter } from "./used-up.ts";
import { runtimeFlags } from "./runtime-flags.ts";

/**
 * The suite a person's servers make: which of them, on which runtime, under their requests; expected is what was
 * recorded or said. It is one like all others from here on.
 * @param folder paths are from there: the folder the bench was started in, or the one a plan was read from
 */
export function userSuite(spec: UserSpec, folder: string): Suite {
  const { servers, asked_first } = spec;
  const apps = wordAxis({
    name: APP_AXIS,
    title: "App",
    help: "one's own apps, programs and running servers, by name",
    values: servers.map(({ name }) => name),
    describe: (value) => factsOf(servers.find(({ name }) => name === value)!),
  });
  const onRuntimes = servers.some(({ kind }) => kind === "app");
  const serverAt = ({ at }: Point) => servers.find(({ name }) => name === at[APP_AXIS])!;
  return {
    name: USER_SUITE,
    title: titleOf(spec),
    axes: [
      apps,
      ...(onRuntimes ? [runtimeAxis] : []),
      connectionsAxis(50),
      ...(servers.some(({ kind }) => kind !== "target") ? workersAxes : []),
    ],
    probe: present(asked_first),
    supports: (point) => whyNot(spec, serverAt(point), point) ?? true,
    together: (points) => whyNotAtOnce(points.map(serverAt)) ?? true,
    server: (point) => serverSpecOf(spec, serverAt(point), point, folder),
    requests: (point) => requestsOf(specFor(spec, point), Number(point.at["connections"]), folder),
    // A load compares each reply with the server's own; what of it is no part to ignore is that of all.
    oracle: (point) => oracleOf(spec.samples[0]?.reply === null ? specFor(spec, point) : spec),
    ...(isWebSocket(spec) ? { generator: "websocket", unit: "message" } : {}),
  };
}

function titleOf({ servers, requests }: UserSpec): string {
  const [first] = requests;
  const sent = requests.length === 1 ? `${first!.method} ${first!.path}` : `${requests.length} kinds of request`;
  return `${servers.map(({ name }) => name).join(", ")} under ${sent}`;
}

function factsOf(server: UserServer): Readonly<Record<string, string>> {
  switch (server.kind) {
    case "app":
      return { title: `${[server.module, ...server.listens?.args ?? []].join(" ")}${atRevision(server)}` };
    case "command":
      return { title: `${server.command.join(" ")}${atRevision(server)}` };
    case "target": {
      const counters = server.pid === null ? "no counters, for want of --pid" : "its own process counted";
      return { title: server.url, caveat: `started by somebody else: not pinned, ${counters}` };
    }
  }
}

function atRevision({ revision }: Extract<UserServer, { readonly kind: "app" | "command" }>): string {
  return revision === undefined
    ? ""
    : ` at ${revision.ref} (${revision.commit.slice(0, 7)}${revision.changed ? ", changed" : ""})`;
}

function whyNot({ refused, listed_under }: UserSpec, server: UserServer, point: Point): string | null {
  const runtime = point.at["runtime"];
  if (server.kind !== "app" && runtime !== undefined && runtime !== listed_under && listed_under !== null) {
    return `it runs on no JavaScript runtime: it is listed under ${listed_under}`;
  }
  const { workers } = workersAt(point);
  if (server.kind === "target" && workers !== undefined) return "somebody else has started it as it is";
  if (server.kind === "command" && workers !== undefined && point.at["workersBy"] !== "reuse-port") {
    return "it starts its workers itself, as many as {workers} and WORKERS say: leave out --workers-by";
  }
  const way = server.kind === "app" ? workersOn(point) : true;
  if (way !== true) return way;
  const known = refused.find((one) => one.app === server.name && (one.runtime === null || one.runtime === runtime));
  return known === undefined ? null : known.reason;
}

/** Returns why servers cannot run at the same time on one core; null if they can. */
export function whyNotAtOnce(servers: readonly UserServer[]): string | null {
  const ports = servers.flatMap(portsOf);
  const twice = ports.find((port, n) => ports.indexOf(port) !== n);
  if (twice !== undefined) {
    return servers.some((server) => server.kind === "app" && portsOf(server).includes(twice))
      ? `both listen on port ${twice} whatever PORT says: have the program read process.env.PORT`
      : `both listen on port ${twice}: put {port} in the command in place of --port`;
  }
  for (const server of servers) if (server.kind !== "target" && server.apart !== undefined) return server.apart;
  const target = servers.find(({ kind }) => kind === "target");
  return target === undefined ? null : `somebody else has put ${target.name} where it runs`;
}

function portsOf(server: UserServer): number[] {
  const fixed = server.kind === "app" ? server.listens : server.kind === "command" ? server : undefined;
  return [fixed?.port ?? [], fixed !== undefined && "others" in fixed ? fixed.others ?? [] : []].flat();
}

/** The command or address of one server of a spec at a point. */
export function serverSpecOf(
  { env }: Pick<UserSpec, "env">,
  server: UserServer,
  point: Point,
  folder: string,
): ServerSpec {
  const given = Object.fromEntries(env.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }));
  switch (server.kind) {
    case "app": {
      const runtime = String(point.at["runtime"]);
      const home = resolve(folder, server.home);
      const module = resolve(folder, server.module);
      const runtimeArgs = runtimeFlags(runtimeOf(point), home, server.needs[runtime]);
      const served = { runtime, runtimeArgs, cwd: home, env: given, ...workersAt(point) };
      if (server.listens === undefined) return { kind: "app", module, ...served };
      const { args, ready, port } = server.listens;
      const command = [module, ...args];
      return { kind: "command", command, ready, stop: "SIGTERM", ...served, ...present({ port }) };
    }
    case "command":
      return {
        kind: "command",
        command: server.command,
        cwd: resolve(folder, server.home ?? "."),
        env: given,
        ready: server.ready,
        stop: "SIGTERM",
        identity: { program: server.command[0]! },
        ...workersAt(point),
        ...present({ port: server.port }),
      };
    case "target":
      return { kind: "running", url: server.url, ...present({ pid: server.pid }) };
  }
}

/** The spec as it is for one server: if replies to its message may differ, its own is the recorded one. */
function specFor(spec: UserSpec, { at }: Point): UserSpec {
  const [{ replies } = {}] = spec.samples;
  const own = replies?.find(({ app, runtime }) =>
    app === at[APP_AXIS] && (runtime === null || runtime === at["runtime"])
  );
  if (own === undefined) return spec;
  const { app, runtime, ...recorded } = own;
  return {
    ...spec,
    ...{ asked_first: { app, runtime }, ignore: ignoredHeaders(spec.ignore) },
    samples: spec.samples.map(({ left_out: _, ...sample }) => ({ ...sample, ...recorded })),
  };
}

const isWebSocket = ({ requests }: Pick<UserSpec, "requests">) => requests[0]?.method === WEBSOCKET;

/** The opening message of a sample with the number of its recorded answers; undefined if it has none. */
const openingOf = ({ first, reply }: ReplySample): Opening | undefined =>
  first === undefined ? undefined : { message: first, replies: Number(reply?.headers[FIRST_REPLIES] ?? 0) };

/** The reply to a message as it was recorded; empty before. Throws a usage error if it is another one each time. */
function messageReply(
  { samples: [sample] = [] }: Partial<Pick<UserSpec, "samples">>,
): Pick<NonNullable<RequestPlan["websocket"]>, "reply" | "firstReplies"> {
  if (sample === undefined) return {};
  const { reply, left_out = [] } = sample;
  const refused = (what: string, hint: string) => usageError(`${requestName(sample)}: ${what}`, hint);
  if (reply === null) {
    throw refused("no reply of this server was recorded, and each is compared with one", "record it anew: bench run");
  }
  const { body, base64, headers, characters } = reply, { replies = 0 } = openingOf(sample) ?? {};
  if (left_out.includes(`header:${FIRST_REPLIES}`)) {
    const what = "its first message is answered by another number of messages each time";
    throw refused(what, "send a --first with the same answers each time");
  }
  const bytes = base64 === undefined ? Buffer.from(body ?? "") : Buffer.from(base64, "base64");
  const what = left_out.some((name) => !name.startsWith("header:"))
    ? "changes by itself"
    : body === null && base64 === undefined || bytes.length < characters
    ? `is ${characters} characters long`
    // What is recorded has no port and nothing that is ignored.
    : bytes.length !== reply.sent_bytes
    ? "holds the server's port"
    : null;
  if (what !== null) {
    throw refused(
      `its reply ${what}, and each is compared with the first`,
      "send a --message whose reply is always the same and short",
    );
  }
  return {
    reply: headers["x-message"] === "binary" ? { base64: bytes.toString("base64") } : bytes.toString(),
    ...(replies === 0 ? {} : { firstReplies: replies }),
  };
}

/** The requests of a spec. Those without a status expect 200, or 101 of a WebSocket; recording replaces them. */
export function requestsOf(
  spec: Pick<UserSpec, "requests" | "draws"> & Partial<Pick<UserSpec, "samples">>,
  connections: number,
  folder: string,
): RequestPlan {
  const { requests, draws } = spec;
  const usual = isWebSocket(spec) ? 101 : 200;
  return {
    pace: { closed: connections },
    ...(isWebSocket(spec) ? { websocket: { inFlight: 1, asGiven: true, ...messageReply(spec) } } : {}),
    mix: requests.map(({ expect = [usual], recorded: _, recorded_form: __, ...request }) => ({
      ...request,
      expect,
    })) as RequestPlan["mix"],
    draws: Object.fromEntries(
      Object.entries(draws).map((
        [name, draw],
      ) => [name, draw.kind === "rows" ? { ...draw, file: resolve(folder, draw.file) } : draw]),
    ) as NonNullable<RequestPlan["draws"]>,
  };
}

function oracleOf(spec: UserSpec): Oracle {
  const { app, runtime } = spec.asked_first;
  const recordedOn = runtime === null ? app : `${app} on ${runtime}`;
  const checks = spec.samples.map((sample) => checkOf(spec, sample, recordedOn));
  const first = spec.samples.find(({ method }) => method === "GET" || method === WEBSOCKET);
  return {
    alive: {
      name: "it answers",
      run: (target) =>
        target.send(first?.method ?? "GET", first?.path ?? "/", first?.body, first?.headers, first && openingOf(first))
          .then(() => 1),
    },
    checks: () => checks,
  };
}

function checkOf({ requests, ignore }: UserSpec, sample: ReplySample, recordedOn: string): Check {
  const { method, path, headers, body, reply: recorded, of, left_out = [] } = sample;
  const names = [...ignoredParts(ignore), ...left_out];
  const name = requestName(sample);
  return {
    name,
    async run(target) {
      const reply = await target.send(method, path, body, headers, openingOf(sample));
      if (recorded !== null) {
        const is = comparableReply(readReply(reply, target.url), names);
        const difference = replyDifference(is, recorded);
        if (difference !== null) {
          const text = `${difference.text} on ${recordedOn}`, part = ignoreName(difference);
          throw new WrongAnswer(
            `${name}: ${text}${part === null ? "" : `; --ignore ${part} leaves it out`}`,
            difference.part === "status" ? is.status : null,
            usedUpAfter(name, is.status, text, part),
          );
        }
      } else {
        const { expect = [200] } = requests[of]!;
        if (!expect.includes(reply.status)) {
          throw new WrongAnswer(`${name}: status ${reply.status}, expected ${expect.join(" or ")}`, reply.status);
        }
      }
      return 1;
    },
  };
}
