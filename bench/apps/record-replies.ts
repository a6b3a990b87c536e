import { failure, usageError } from "../basics/errors.ts";
import { shellQuoted } from "../basics/shell.ts";
import { listed } from "../result/questions.ts";
import type { Failure, FailureCode } from "../basics/failures.ts";
import { present } from "../basics/present.ts";
import type { ReplySample, StartAid, UserDraft, UserServer, UserSpec } from "../record/user-spec.ts";
import type { Served } from "../record/server-schema.ts";
import { NoReply, type PreparedRequest } from "./send-once.ts";
import { type FirstReplies, firstReplies, LATER_MS } from "./first-replies.ts";
import { changesOf, type ReplyChange } from "./reply-changes.ts";
import { WEBSOCKET } from "../process/web-socket.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";
import { addressOf, endingText } from "../observe/running.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { servedText } from "../record/served-text.ts";
import { type LookSite, lookTogether, type ServerState, stateOf } from "./look-together.ts";
import { type FixedPorts, howStarted, nameOf, placesOf, portsOf, type StartPlace, tryToStart } from "./try-to-start.ts";
import { requestsOf, whyNotAtOnce } from "./user-suite.ts";
import { ignoredHeaders } from "./left-out.ts";
import { samplesOf } from "./samples.ts";

/** The runtimes and hosts of a recording, and the receivers of its lines. */
interface RecordSite {
  readonly runtimes: readonly RuntimeBinary[];
  readonly hosts: Hosts;
  readonly say: (line: string) => void;
  readonly differs?: (change: ReplyChange) => void;
  /** Milliseconds from the first replies until each request is repeated; {@link LATER_MS} by default. */
  readonly laterMs?: number;
  /** True if servers are to be measured together; then each is also compared with itself alone. */
  readonly together?: boolean;
  readonly revisions?: boolean;
}

interface Recording {
  readonly draft: UserDraft;
  readonly folder: string;
  readonly site: RecordSite;
  readonly requests: readonly PreparedRequest[];
  readonly needs: Map<UserServer, Record<string, StartAid>>;
  readonly fixed: Map<UserServer, FixedPorts>;
  readonly programs: Map<UserServer, readonly Served[]>;
  readonly starts: UserSpec["starts"];
  readonly refused: Refused[];
  /** Servers that may be measured together, each as it was alone. */
  readonly alone: Map<StartPlace, ServerState>;
  first?: FirstReplies & { readonly place: StartPlace };
  /** Replies to a message over a WebSocket, if each server is held to its own. */
  readonly own: NonNullable<ReplySample["replies"]>;
}

interface Refused {
  readonly app: string;
  readonly runtime: string | null;
  readonly why: string;
  readonly failure: Failure | null;
}

/**
 * Starts every server of a draft once on each runtime, on the servers' host, and sends its requests from the load's host.
 * The first that answers says which replies are right, unless statuses were given. A server that does not start is refused
 * with the reason, and not started again.
 *
 * @throws BenchError if no server answers, or the first answers differently each time
 */
export async function recordReplies(draft: UserDraft, folder: string, site: RecordSite): Promise<UserSpec> {
  const recording: Recording = {
    ...{ draft, folder, site, requests: preparedRequests(draft, folder) },
    ...{ needs: new Map(), fixed: new Map(), programs: new Map(), starts: [], refused: [], alone: new Map(), own: [] },
  };
  for (const line of draft.left_out ?? []) site.say(line);
  const there = await site.hosts.server.runtimes(site.runtimes);
  for (const place of placesOf(draft, there)) await recordPlace(place, recording);
  const groups = refusedGroups(recording.refused);
  // If nothing answered, the error has the first reason.
  for (const group of recording.first === undefined ? groups.slice(1) : groups) {
    if (!isSaidAtOnce(group[0]!, recording)) site.say(refusedText(group));
  }
  const apart = recording.first === undefined
    ? new Map<UserServer, string>()
    : await lookTogether(lookOf(recording, recording.first), recording.alone);
  if ([...recording.alone.values()].some(({ held }) => held === null)) {
    site.say("ports and files of servers are not shown here, so what they share shows in starts and replies alone");
  }
  return specOf(recording, apart);
}

const lookOf = (
  { draft, folder, site: { hosts, revisions = false }, needs, starts }: Recording,
  first: FirstReplies,
): LookSite => ({
  ...{ draft, folder, hosts, first, revisions },
  startMs: Math.max(0, ...starts.map(({ ms }) => ms)),
  needOf: ({ server, runtime }) => runtime === null ? undefined : needs.get(server)?.[runtime.label],
});

/** Keeps what a server is alone, if others may run at the same time. */
async function noteAlone(place: StartPlace, process: Started["process"], recording: Recording): Promise<void> {
  const { draft, first, site: { together = false, runtimes }, fixed, alone } = recording;
  if (
    !together || placesOf(draft, runtimes).length < 2 || fixed.has(place.server) ||
    whyNotAtOnce([place.server, place.server]) !== null
  ) return;
  const state = await stateOf(lookOf(recording, first!), process);
  if (state.ended === null) alone.set(place, state);
}

/** Refusals of one server for one reason, which may be those of several runtimes. */
const refusedGroups = (
  refused: readonly Refused[],
): Refused[][] => [...Map.groupBy(refused, ({ app, why }) => JSON.stringify([app, why])).values()];

/** True if one word in a file mends the refusal: it is reported before other runtimes are tried. */
const isSaidAtOnce = ({ failure }: Refused, { site: { runtimes } }: Recording) =>
  failure?.code === "read-as-commonjs" && runtimes.length > 1;

const runtimesText = (group: readonly Refused[]) => listed(group.flatMap(({ runtime }) => runtime ?? []));

function refusedText(group: readonly Refused[]): string {
  const where = runtimesText(group);
  return `${group[0]!.app}${where === "" ? "" : ` on ${where}`}: ${group[0]!.why}`;
}

const placeOf = ({ server, runtime }: StartPlace) => ({ app: server.name, runtime: runtime?.label ?? null });

async function recordPlace(place: StartPlace, recording: Recording): Promise<void> {
  const { draft, folder, site: { hosts }, refused } = recording;
  const { server } = place;
  // A module that is no app on one runtime is none on the others.
  const tried = programOf(server.name, refused) ?? await tryToStart(draft, place, folder, hosts);
  if ("why" in tried) {
    const { why, failure } = tried;
    const one = { ...placeOf(place), why, failure };
    refused.push(one);
    if (isSaidAtOnce(one, recording)) recording.site.say(refusedText([one]));
    return;
  }
  const how = noteStart(place, tried, recording);
  let { process } = tried;
  const again = server.kind === "target" ? null : async () => {
    await hosts.server.stop(process);
    const started = await tryToStart(draft, place, folder, hosts);
    if ("why" in started) throw new NoReply(`started a second time it ${started.why}`, started.failure);
    return process = started.process;
  };
  try {
    if (recording.first === undefined) await recordFirst(place, { process, again, how }, recording);
    else await compareWith(recording.first, place, { process, how }, recording);
    if (mayDiffer(draft)) await recordOwn(place, { process, again }, recording);
    await noteAlone(place, process, recording);
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
    const ending = await endingText(process.process);
    const why = error.message + (ending === null ? "" : `; ${ending}`);
    refused.push({ ...placeOf(place), why, failure: error.failure });
  } finally {
    await hosts.server.stop(process);
  }
}

type Started = Extract<Awaited<ReturnType<typeof tryToStart>>, { readonly fixed: readonly number[] }>;

/** Keeps how a server started, and returns that in words. */
function noteStart(place: StartPlace, started: Started, { needs, fixed, programs, starts }: Recording): string {
  const { server, runtime } = place;
  const { process, need } = started;
  if (process.startupMs !== null) starts.push({ ...placeOf(place), ms: Math.round(process.startupMs) });
  if (need !== undefined) needs.set(server, { ...needs.get(server), [runtime!.label]: need });
  if (started.fixed.length > 0) fixed.set(server, portsOf(process.url, started.fixed, fixed.get(server)));
  if (server.kind !== "command") return howStarted(started);
  const { served } = process;
  if (served === undefined) return `${howStarted(started)}; what serves it is unknown`;
  programs.set(server, served);
  return `${howStarted(started)}; ${servedText(served)} ${served.length === 1 ? "serves" : "serve"} it`;
}

/** A started server: how it is started again, if it may be, and how it was. */
interface Placed extends Pick<Started, "process"> {
  readonly again: (() => Promise<Started["process"]>) | null;
  readonly how: string;
}

async function recordFirst(place: StartPlace, { process, again, how }: Placed, recording: Recording): Promise<void> {
  const { draft, requests, site: { hosts, say, laterMs = LATER_MS } } = recording;
  const started = { name: nameOf(place), server: process, again };
  const { from } = addressOf({ server: process }, { hosts });
  const first = { place, ...await firstReplies(draft, started, requests, { from, laterMs }) };
  recording.first = first;
  say(`${nameOf(place)}: answers${how}${first.odd}`);
  first.lines.forEach(say);
}

/** True for a message over a WebSocket whose replies may differ by server: a load compares each with one, byte by byte. */
const mayDiffer = ({ requests: [first], ignore }: Pick<UserDraft, "requests" | "ignore">) =>
  first?.method === WEBSOCKET && (first.expect !== undefined || ignoredHeaders(ignore).length < ignore.length);

/** Records a server's own reply, whole. Throws as {@link firstReplies} does. */
async function recordOwn(
  place: StartPlace,
  { process, again }: Pick<Placed, "process" | "again">,
  { draft, requests, site: { hosts, say, laterMs = LATER_MS }, own }: Recording,
): Promise<void> {
  const ignore = ignoredHeaders(draft.ignore);
  const whole = { ...draft, ignore, requests: draft.requests.map(({ expect: _, ...request }) => request) };
  const { from } = addressOf({ server: process }, { hosts });
  const server = { name: nameOf(place), server: process, again };
  const { samples: [sample] } = await firstReplies(whole, server, requests, { from, laterMs });
  const { reply, left_out } = sample!;
  if (own.length > 0 && own[0]!.reply.sha256 !== reply!.sha256) {
    say(`${nameOf(place)}: its reply is another one, to which it is held`);
  }
  own.push({ ...placeOf(place), reply: reply!, ...present({ left_out }) });
}

async function compareWith(
  first: NonNullable<Recording["first"]>,
  place: StartPlace,
  { process, how }: Pick<Placed, "process" | "how">,
  { draft, site: { hosts, say, differs = () => {} } }: Recording,
): Promise<void> {
  const { changes, sent } = await changesOf(draft, first, addressOf({ server: process }, { hosts }));
  const alike = mayDiffer(draft) ? "answers" : `answers as ${nameOf(first.place)} does`;
  say(`${nameOf(place)}: ${changes[0]?.text ?? alike}${how}`);
  for (const line of sent) say(`${nameOf(place)}: ${line}`);
  for (const change of changes) differs({ ...placeOf(place), ...change });
}

/** Returns the spec of a recording, with reasons why servers cannot be together. Throws if no server answered. */
function specOf(
  { draft, site: { runtimes }, first, refused, programs, needs, fixed, starts, own }: Recording,
  apart: ReadonlyMap<UserServer, string>,
): UserSpec {
  if (first === undefined) {
    const [group] = refusedGroups(refused), [one] = refused;
    const where = one!.runtime === null ? "" : ` on ${runtimesText(group!)}`;
    throw failure(
      `"${one!.app}" cannot be measured${where}: ${one!.why}`,
      hintOn(
        refused.flatMap(({ app, failure }) => app === one!.app ? failure?.code ?? [] : []),
        draft.servers.find(({ name }) => name === one!.app)!,
        one!.runtime,
      ),
    );
  }
  const mixed = new Set(draft.servers.map(({ kind }) => kind === "app")).size > 1;
  return {
    ...draft,
    servers: draft.servers.map((server) =>
      server.kind === "target" ? server : server.kind === "command"
        ? {
          ...server,
          ...present({ apart: apart.get(server), served: programs.has(server) ? [...programs.get(server)!] : null }),
        }
        : {
          ...server,
          ...present({ apart: apart.get(server), needs: needs.get(server) ?? {} }),
          ...present({ listens: server.listens && { ...server.listens, ...fixed.get(server) } }),
        }
    ),
    requests: first.requests,
    samples: first.samples.map((sample) => own.length === 0 ? sample : { ...sample, replies: [...own] }),
    asked_first: {
      app: first.place.server.name,
      runtime: first.place.runtime?.label ?? (mixed ? runtimes[0]!.label : null),
    },
    refused: refused.map(({ app, runtime, why }) => ({ app, runtime, reason: why })),
    starts,
    listed_under: mixed ? runtimes[0]!.label : null,
  };
}

/** Returns why a server is a program and no app, if one of its runtimes has found that. */
const programOf = (name: string, refused: readonly Refused[]) =>
  refused.find(({ app, failure }) => app === name && failure?.code === "is-program");

/** Returns what to do about a server that cannot be measured, by the failures on its runtimes. */
function hintOn(codes: readonly FailureCode[], server: UserServer, runtime: string | null): string {
  if (codes.includes("reply-late")) {
    return "ask for something that is answered sooner: --request 'GET /PATH', --message";
  }
  if (server.kind === "target") return "bench run --target URL of a server that answers";
  if (codes.includes("read-as-commonjs")) return "npm pkg set type=module";
  const name = runtime?.split("@")[0] ?? "node", runs = name === "deno" ? "deno run -A" : name;
  const alone = server.kind === "command" ? server.command.map(shellQuoted).join(" ") : `${runs} ./${server.module}`;
  const shown = `${alone} shows what it says by itself`;
  if (server.kind !== "app" || server.listens !== undefined) return shown;
  const program = `--program ./${server.module}`;
  if (codes.includes("is-program") || codes.includes("port-taken")) return `bench run ${program}`;
  return codes.includes("no-app")
    ? `name the module that exports the app; one that listens by itself is a program: ${program}`
    : shown;
}

function preparedRequests(draft: UserDraft, folder: string): PreparedRequest[] {
  try {
    return samplesOf(requestsOf(draft, 1, folder));
  } catch (error) {
    throw usageError(String((error as Error).message).split("\n")[0]!, "mend the request and try again");
  }
}
