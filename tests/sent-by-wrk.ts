/** wrk with its script against servers that write down what they are asked for, and when. */
import assert from "node:assert/strict";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { LoadResult } from "../bench/generators/generator.ts";
import { wrk } from "../bench/generators/wrk.ts";
import { mixKeys } from "../stores/dataset/mix.ts";
import { idMaker } from "../stores/dataset/user-at.ts";
import type { Draw, Form, RequestPlan } from "../suites/suite.ts";
import { type StartedWrk, startWrk } from "./started-wrk.ts";
import { endOf } from "./testing.ts";

/** Users of the data set. */
export const SIZE = 1_000;
const DATA_SEED = 42;
/** Keys as users' ids, of any data set. */
export const hex16Of = (dataSeed: number): Form => ({ hex16: mixKeys(dataSeed) });
/** Keys as users' ids, of this one. */
export const hex16 = hex16Of(DATA_SEED);
export const idOf = idMaker(DATA_SEED);

/** A request as it came. */
export interface Request {
  readonly head: string;
  readonly method: string;
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** When it was there, in milliseconds by the wall's clock. */
  readonly atMs: number;
}

/** What one server was asked, by connection, in order. */
type Streams = Request[][];

const answer = (status: number) => `HTTP/1.1 ${status} Said\r\ncontent-length: 2\r\n\r\n{}`;

/** Takes requests off a connection; what is not well-formed is kept as it is. */
function record(socket: Socket, streams: Streams, wrong: string[], reply: (own: Request, nth: number) => number): void {
  const stream: Request[] = [];
  let pending = Buffer.alloc(0);
  socket.on("data", (bytes) => {
    pending = pending.length === 0 ? Buffer.from(bytes) : Buffer.concat([pending, Buffer.from(bytes)]);
    const end = pending.indexOf("\r\n\r\n");
    if (end < 0) return;
    const head = pending.toString("utf8", 0, end + 4);
    const [first, ...lines] = head.slice(0, -4).split("\r\n");
    const start = /^([A-Z]+) (\S+) HTTP\/1\.1$/.exec(first!);
    const pairs = lines.map((line) => /^([\w-]+): (.*)$/.exec(line));
    const headers = Object.fromEntries(pairs.map((pair) => [pair?.[1]?.toLowerCase(), pair?.[2]]));
    const length = Number(headers["content-length"] ?? 0);
    if (pending.length < end + 4 + length) return;
    const body = pending.toString("utf8", end + 4, end + 4 + length);
    const whole = pending.length === end + 4 + length;
    if (start === null || pairs.includes(null) || !whole || pairs.length !== Object.keys(headers).length) {
      wrong.push(pending.toString());
    }
    pending = Buffer.alloc(0);
    const [, method = "", path = ""] = start ?? [];
    const request: Request = { head, method, path, headers, body, atMs: Date.now() };
    if (stream.push(request) === 1) streams.push(stream);
    socket.write(answer(reply(request, stream.length)));
  });
  socket.on("error", () => socket.destroy());
}

/** What a load sent and counted. */
interface SentByWrk {
  readonly result: LoadResult;
  /** By server. */
  readonly servers: Streams[];
  readonly ports: number[];
  /** When it was started, in milliseconds by the wall's clock. */
  readonly beganMs: number;
}

interface Wish {
  readonly seed?: number;
  readonly load?: number;
  readonly threads?: number;
  readonly plain?: boolean;
  /** Of each server; one has a connection a thread, so that a connection's requests are a thread's. */
  readonly plans: readonly Omit<RequestPlan, "pace">[];
  readonly reply?: (request: Request) => number;
  /** The load ends once all its connections have sent their part of so many requests; without, after a second. */
  readonly enough?: number;
}

/** Enough to see that requests come in the right order, and from all over a data set. */
export const ENOUGH = 2_000;

/** Runs wrk for one second, or until it sent enough however long that takes. */
export async function ask(
  { seed = 1, load = 0, threads = 1, plain = false, plans, reply = () => 200, enough }: Wish,
): Promise<SentByWrk> {
  const wrong: string[] = [];
  const connections = plans.length === 1 ? threads : plans.length;
  const part = enough === undefined ? Infinity : Math.ceil(enough / connections);
  let left = connections;
  let started: StartedWrk | undefined;
  const counted = (request: Request, nth: number) => {
    if (nth === part && --left === 0) started!.child.kill(wrk.endSignal);
    return reply(request);
  };
  const servers = plans.map((): Streams => []);
  const listening = servers.map((streams) => createServer((socket) => record(socket, streams, wrong, counted)));
  for (const server of listening) await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    const ports = listening.map((server) => (server.address() as AddressInfo).port);
    const targets = plans.map((plan, n) => ({
      url: `http://127.0.0.1:${ports[n]}`,
      requests: { ...plan, pace: { closed: threads } },
    }));
    const beganMs = Date.now();
    started = startWrk({
      targets: [targets[0]!, ...targets.slice(1)],
      ...(enough === undefined ? { durationMs: 1_000 } : {}),
      ...{ threads, seed, load, plain },
    });
    const { child, plan } = started;
    const ended = await endOf(child);
    const code = "code" in ended ? ended.code : null;
    if (code === 1) throw new Error(child.stderrTail());
    assert.equal(code, 0, child.stderrTail());
    assert.deepEqual(wrong, [], "requests of an unexpected form");
    const result = wrk.parse(child.stdout(), plan);
    return { result, servers, ports, beganMs };
  } finally {
    started?.remove();
    for (const server of listening) await new Promise((done) => server.close(done));
  }
}

/** Requests for ids of a data set, as a plan. */
export function idsPlan(draw: Partial<Draw> = {}): Omit<RequestPlan, "pace"> {
  const id = { kind: "uniform", below: SIZE, as: hex16, ...draw } as Draw;
  return { mix: [{ path: "/users/{id}", expect: [200] }], draws: { id } };
}

export const idsOf = (stream: readonly Request[]) => stream.map(({ path }) => path.slice("/users/".length));

/** All requests of the first server. */
export const all = ({ servers }: SentByWrk) => servers[0]!.flat();
