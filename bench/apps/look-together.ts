import { relative } from "node:path";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { addressOf, endingText } from "../observe/running.ts";
import type { Hosts } from "../observe/sample-load.ts";
import type { HostServer } from "../pipe/host.ts";
import { valueOf } from "../record/samples.ts";
import type { StartAid, UserDraft, UserServer } from "../record/user-spec.ts";
import { listed } from "../result/questions.ts";
import type { FirstReplies } from "./first-replies.ts";
import { changesOf } from "./reply-changes.ts";
import { NoReply } from "./send-once.ts";
import { isProcess, nameOf, noStart, type StartPlace, startPlace } from "./try-to-start.ts";

/** A draft whose replies are known, and the hosts on which its servers run. */
export interface LookSite {
  readonly draft: UserDraft;
  readonly folder: string;
  readonly hosts: Hosts;
  readonly first: FirstReplies;
  readonly needOf: (place: StartPlace) => StartAid | undefined;
  /** True for revisions, which are compared together or not at all: a file that both change alone says nothing. */
  readonly revisions: boolean;
  /** The longest start of a server alone, in ms. */
  readonly startMs: number;
}

/** A server after its first requests, alone or while others run. */
export interface ServerState {
  /** Further ports, sockets, locked files and files that its requests changed in place; null if the system hides them. */
  readonly held: readonly string[] | null;
  /** Replies that differ from the recorded ones, by the place of their request. */
  readonly replies: ReadonlyMap<number, string>;
  /** The reason why it does not run; null while it does. */
  readonly ended: string | null;
}

/** Most servers that are started for one look, as many as an ensemble has. */
const MOST = 15;
/** The time servers have to start while others do, in ms and over all starts alone: waiting for a lock is no start. */
const START_MS = 20_000, START_TIMES = 10;

/**
 * Starts servers while others run, and compares each with itself alone. Returns, for each server that shares a file,
 * socket or port, ends, or answers otherwise, the reason why its starts cannot be measured together.
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
  // The first one is measured twice, so it runs with itself, too.
  const seen = await startTogether(look, [places[0]!, ...places]);
  for (const states of [[...alone].map(([place, state]) => ({ place, state })), seen]) {
    const names = states.flatMap(({ state }) => state.held ?? []);
    for (const name of new Set(names.filter((each, n) => names.indexOf(each) !== n))) {
      const holders = states.flatMap(({ place, state }) => state.held?.includes(name) ? [place] : []);
      const servers = new Set(holders.map(({ server }) => server));
      const who = holders.map((place) => servers.size > 1 ? nameOf(place) : place.runtime?.label ?? place.server.name);
      const path = name.startsWith(`${process.cwd()}/`) ? relative(process.cwd(), name) : name;
      const reason = `they share ${path} (${listed([...new Set(who)])})`;
      for (const server of servers) if (!apart.has(server)) apart.set(server, reason);
    }
  }
  for (const { place, state } of seen) {
    const changed = changedIn(state, alone.get(place)!);
    if (apart.has(place.server) || changed === null) continue;
    // A difference that a second start alone shows, too, does not count: some servers answer at random.
    const [again] = await startTogether(look, [place]);
    const confirmed = again!.state.ended === null ? changedIn(state, again!.state) : null;
    if (confirmed !== null) apart.set(place.server, `while others run, ${nameOf(place)} ${confirmed}`);
  }
  return apart;
}

/** Returns the difference of a server while others run from a start alone; null without one. */
function changedIn({ ended, replies }: ServerState, alone: ServerState): string | null {
  // A reply that also differs alone may contain words that change by themselves.
  const [changed] = [...replies].flatMap(([of, text]) => alone.replies.has(of) ? [] : [text]);
  return ended ?? (changed === undefined ? null : `answers otherwise: ${changed}`);
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

const ended = (why: string): ServerState => ({ held: null, replies: new Map(), ended: why });

/** Sends a running server the recorded requests, and returns its state after them. */
export async function stateOf({ draft, first, hosts, revisions }: LookSite, server: HostServer): Promise<ServerState> {
  const { pid, mark, url, process } = server;
  const holdings = async () => pid === null ? null : await hosts.server.holdingsOf(pid, mark);
  const before = await holdings();
  try {
    const { changes } = await changesOf(draft, first, addressOf({ server }, { hosts }));
    const after = await holdings();
    const known = new Map(before?.files.map(({ path, change }) => [path, change]));
    // Readers of a database write to its shared memory, too.
    const files = after?.files.filter(({ path, change, locked, appends }) =>
      locked || !revisions && !appends && known.has(path) && known.get(path) !== change && !path.endsWith("-shm")
    ).map(({ path }) => path);
    const ports = after?.ports.filter((port) => port !== Number(new URL(url).port)).map((port) => `port ${port}`);
    const held = after && [...new Set([...ports!, ...after.sockets, ...files!])];
    const ending = await endingText(process);
    return { held, replies: new Map(changes.map(({ of, text }) => [of, text])), ended: ending && `ends: ${ending}` };
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
    const ending = await endingText(process);
    return ended(ending === null ? `does not answer: ${error.message}` : `ends: ${ending}`);
  }
}
