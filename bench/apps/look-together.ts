import { relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { LAST_RESORT } from "../machine/clock.ts";
import { addressOf, endingText } from "../observe/running.ts";
import type { Hosts } from "../observe/sample-load.ts";
import type { HostServer } from "../pipe/host.ts";
import { cpuNs } from "../observe/counters/cpu-time.ts";
import { valueOf } from "../record/samples.ts";
import type { Need, UserDraft, UserServer } from "../record/user-spec.ts";
import { listed } from "../result/questions.ts";
import type { FirstReplies } from "./first-replies.ts";
import { changesOf } from "./reply-changes.ts";
import { NoReply, type ServerAt } from "./send-once.ts";
import {
  changedFiles,
  confirmed,
  type Difference,
  differencesOf,
  holds,
  linesByWords,
  type ServerState,
  sharedBy,
} from "./together-differences.ts";
import { isProcess, nameOf, noStart, type StartPlace, startPlace } from "./try-to-start.ts";

/** A draft whose replies are known, and the hosts on which its servers run. */
export interface LookSite {
  readonly draft: UserDraft;
  readonly folder: string;
  readonly hosts: Hosts;
  readonly first: FirstReplies;
  readonly needOf: (place: StartPlace) => Need | undefined;
  /** True for revisions, which are compared together or not at all: a printed line or a shared file alone says nothing. */
  readonly revisions: boolean;
  /** The longest start of a server alone, in ms. */
  readonly startMs: number;
}

/** Most servers that are started for one look, as many as an ensemble has. */
const MOST = 15;
/** Numbers of requests after which CPU time is read, and the most time to send them, in ms. */
const AFTER = [1, 5, 20, 100], SEND_MS = 500;
/** The time servers have to start while others do, in ms and over all starts alone: waiting for a lock is no start. */
const START_MS = 20_000, START_TIMES = 10;
/** Characters of an output that is kept to its end; see `Child`. */
const TAIL_CHARS = 4_000;

/**
 * Starts servers while others run, and compares each with itself alone: what it holds, prints and answers, and what a
 * request costs it. Returns, for each server that differs, the reason why its starts cannot be measured together.
 *
 * @param alone the state of each server in a start alone
 */
export async function lookTogether(
  look: LookSite,
  alone: ReadonlyMap<StartPlace, ServerState>,
): Promise<Map<UserServer, string>> {
  const apart = new Map<UserServer, string>();
  const places = [...alone.keys()].slice(0, MOST);
  if (places.length < 2) return apart;
  const counts = ({ kind }: Difference) => !look.revisions || kind !== "said" && kind !== "file";
  // The first one is measured twice, so it runs with itself, too.
  const seen = await startTogether(look, [places[0]!, ...places]);
  const all = [...alone];
  for (const shared of sharedBy(seen.map(({ state }) => state)).filter(counts)) {
    for (const { place, state } of seen) {
      if (holds(state, shared) && !apart.has(place.server)) apart.set(place.server, namedText(shared, all));
    }
  }
  for (const { place, state } of seen) {
    const before = alone.get(place)!;
    const found = apart.has(place.server) ? [] : differencesOf(before, state).filter(counts);
    if (found.length === 0) continue;
    const [again] = await startTogether(look, [place]);
    const [most] = confirmed(found, again!.state, before, state);
    if (most === undefined) continue;
    const reason = reasonOf(most, place, {
      all,
      others: seen.filter((one) => one.place !== place || one.state !== state),
    });
    apart.set(place.server, reason);
    for (const [other, state] of all) {
      if (holds(state, most) && !apart.has(other.server)) apart.set(other.server, reason);
    }
  }
  return apart;
}

interface Seen {
  readonly place: StartPlace;
  readonly state: ServerState;
}

/** Starts servers, the others once the first runs, as many as memory has room for, and looks at each. */
async function startTogether(look: LookSite, places: readonly StartPlace[]): Promise<Seen[]> {
  const { draft, folder, hosts, needOf } = look;
  const readyMs = Math.max(START_MS, START_TIMES * places.length * look.startMs);
  const start = (place: StartPlace) => startPlace({ draft, folder, hosts, readyMs }, place, needOf(place));
  const freeShare = async () => valueOf(await hosts.server.freeMemoryShare());
  const [first, ...others] = places;
  const before = await freeShare();
  const started = [await start(first!)];
  try {
    const after = await freeShare();
    const room = before === null || after === null || after >= before
      ? Infinity
      : Math.max(0, after - THRESHOLDS.freeMemoryShare) / (before - after);
    started.push(...await Promise.all(others.slice(0, room).map(start)));
    const seen: Seen[] = [];
    for (const [n, process] of started.entries()) {
      const state = isProcess(process) ? await stateOf(look, process) : ended(noStart(process).why);
      seen.push({ place: places[n]!, state });
    }
    return seen;
  } finally {
    await Promise.all(started.map((process) => isProcess(process) ? hosts.server.stop(process) : undefined));
  }
}

const ended = (why: string): ServerState => ({
  held: null,
  changed: [],
  said: null,
  replies: new Map(),
  ended: why,
  cost: [],
});

/** Sends a running server the recorded requests, and returns its state after them. */
export async function stateOf(look: LookSite, server: HostServer): Promise<ServerState> {
  const { draft, first, hosts } = look;
  const at = addressOf({ server }, { hosts });
  const before = await heldBy(server, hosts);
  try {
    const { changes } = await changesOf(draft, first, at);
    const held = await heldBy(server, hosts);
    const { process } = server;
    const printed = process === null ? [] : [process.stdout(), process.stderrTail()];
    const isWhole = printed.every((text) => text.length < TAIL_CHARS - 200);
    const state = {
      ...{ held, changed: changedFiles(before, held), replies: new Map(changes.map(({ of, text }) => [of, text])) },
      said: isWhole ? linesByWords(printed.join("\n")) : null,
      cost: await costOf(server, first, at, hosts),
    };
    const ending = await endingText(process);
    return { ...state, ended: ending && `ends: ${ending}` };
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
    const ending = await endingText(server.process);
    return ended(ending === null ? `does not answer: ${error.message}` : `ends: ${ending}`);
  }
}

/** Returns the ports, sockets and files that a server holds, apart from the port of its requests. */
async function heldBy({ pid, mark, url }: HostServer, { server }: Hosts) {
  const held = pid === null ? null : await server.holdingsOf(pid, mark);
  const port = Number(new URL(url).port);
  return held && { ...held, ports: held.ports.filter((each) => each !== port) };
}

/** A server is idle if it used less than `IDLE_NS` in `IDLE_MS`; at most so many such stretches are watched. */
const IDLE_NS = 2e6, IDLE_MS = 20, IDLE_STRETCHES = 25;

/** CPU time in ns of the first of {@link AFTER} requests, sent in time to an idle server; only GET is sent. */
async function costOf(
  { pid }: HostServer,
  { samples }: FirstReplies,
  { url, from }: ServerAt,
  { server }: Hosts,
): Promise<number[]> {
  const gets = samples.filter(({ method }) => method === "GET");
  if (pid === null || gets.length === 0) return [];
  const use = async () => (await server.sample({ pids: [pid], what: "processes" })).processes[0]!;
  let before = await use();
  for (let n = 0, used: number | null = Infinity; used !== null && used > IDLE_NS && n < IDLE_STRETCHES; n++) {
    await sleep(IDLE_MS);
    const now = await use();
    used = cpuNs(before, now);
    before = now;
  }
  const costs: number[] = [], began = performance.now();
  const client = from.client(url, LAST_RESORT.recordedReplyMs);
  try {
    for (let n = 1; costs.length < AFTER.length && performance.now() - began < SEND_MS; n++) {
      const { path, body, headers } = gets[n % gets.length]!;
      await client.send("GET", path, body, headers);
      if (n !== AFTER[costs.length]) continue;
      const used = cpuNs(before, await use());
      if (used === null) break;
      costs.push(used);
    }
  } catch {
    // A server that ends a connection is no difference: the recorded requests were answered.
  } finally {
    client.close();
  }
  return costs;
}

function reasonOf(
  found: Difference,
  place: StartPlace,
  { all, others }: { readonly all: readonly (readonly [StartPlace, ServerState])[]; readonly others: readonly Seen[] },
): string {
  const { kind, what } = found;
  const who = nameOf(place);
  switch (kind) {
    case "ended": {
      const alone = all.find(([one]) => one === place)![1];
      const shared = sharedBy([alone, ...others.map(({ state }) => state)]).find((name) => holds(alone, name));
      return shared === undefined ? `while others run, ${who} ${what}` : namedText(shared, all);
    }
    case "replies":
      return `while others run, ${who} answers otherwise: ${what}`;
    case "cost":
      return `while others run, a request costs ${who} ${what}`;
    case "said":
      return `while others run, ${who} says "${what.slice(0, 200)}"`;
    default:
      return namedText(found, all);
  }
}

function namedText(shared: Difference, all: readonly (readonly [StartPlace, ServerState])[]): string {
  const holders = all.flatMap(([place, state]) => holds(state, shared) ? [place] : []);
  const servers = new Set(holders.map(({ server }) => server));
  const who = holders.map((place) => servers.size === 1 ? place.runtime?.label ?? place.server.name : nameOf(place));
  const path = relative(process.cwd(), shared.what);
  const name = path.startsWith("..") || !shared.what.startsWith("/") ? shared.what : path;
  const words = {
    port: `share port ${shared.what}`,
    socket: `share the socket ${name}`,
    lock: `lock ${name}`,
    file: `write ${name}`,
  };
  return `they ${words[shared.kind as keyof typeof words]} (${listed(who)})`;
}
