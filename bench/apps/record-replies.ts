import { failure, usageError } from "../basics/errors.ts";
import type { Failure, FailureCode } from "../basics/failures.ts";
import type { Need, UserDraft, UserServer, UserSpec } from "../record/user-spec.ts";
import type { Served } from "../record/server-schema.ts";
import { type AskedRequest, type AskedServer, askOnce, NoReply, requestName } from "./ask-once.ts";
import { type FirstReplies, firstReplies, LATER_MS } from "./first-replies.ts";
import { ignoredParts } from "./left-out.ts";
import { replyDifference } from "./reply-difference.ts";
import { sentOtherwise } from "./reply-size.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";
import { askedAt, endingText } from "../observe/running.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { servedText } from "../record/served-text.ts";
import { comparable } from "./comparable-reply.ts";
import { type AskedPlace, type FixedPorts, howStarted, placesOf, portsOf, tryToStart } from "./try-to-start.ts";
import { requestsOf } from "./own-suite.ts";
import { samplesOf } from "./samples.ts";

/** A request that a server answers otherwise than the first one did. */
export interface ReplyChange {
  readonly app: string;
  readonly runtime: string | null;
  /** Place among the kinds of request. */
  readonly of: number;
  /** Whether already the status differs. */
  readonly status: boolean;
  /** The request and what differs, in words. */
  readonly text: string;
}

const nameOf = ({ server, runtime }: AskedPlace) =>
  runtime === null ? server.name : `${server.name} on ${runtime.label}`;

/** Who is told of every reply that differs, and how long after the first replies everything is asked again. */
export interface RecordOptions {
  readonly differs?: (change: ReplyChange) => void;
  readonly laterMs?: number;
}

/**
 * Starts every server of a draft once on each runtime, on the servers' host, and asks it its requests from the load's: the
 * first that answers says what replies are right, where no statuses were given. What does not start is refused with the
 * reason, and not tried again.
 *
 * @param tell told one line of each server
 * @throws BenchError where nothing answers, and where the first answers differently each time
 */
export async function recordReplies(
  draft: UserDraft,
  folder: string,
  runtimes: readonly RuntimeBinary[],
  hosts: Hosts,
  tell: (line: string) => void,
  { differs = () => {}, laterMs = LATER_MS }: RecordOptions = {},
): Promise<UserSpec> {
  const asked = askedOf(draft, folder);
  const needs = new Map<UserServer, Record<string, Need>>();
  const fixed = new Map<UserServer, FixedPorts>();
  const programs = new Map<UserServer, readonly Served[]>();
  const refused: Refused[] = [];
  const starts: NonNullable<UserSpec["starts"]> = [];
  let first: FirstReplies & { readonly place: AskedPlace } | undefined;
  for (const line of draft.left_out ?? []) tell(line);
  const there = await hosts.server.runtimes(runtimes);
  for (const place of placesOf(draft, there)) {
    const { server, runtime } = place;
    // What is no app on one runtime is none on the others.
    const tried = programOf(server.name, refused) ?? await tryToStart(draft, place, folder, hosts);
    if ("why" in tried) {
      const { why, failure } = tried;
      // Of the only server the error says it.
      if (failure?.code !== "is-program" || draft.servers.length > 1) tell(`${nameOf(place)}: ${why}`);
      refused.push({ app: server.name, runtime: runtime?.label ?? null, why, failure });
      continue;
    }
    const { startupMs } = tried.process;
    if (startupMs !== null) {
      starts.push({ app: server.name, runtime: runtime?.label ?? null, ms: Math.round(startupMs) });
    }
    if (tried.need !== undefined) needs.set(server, { ...needs.get(server), [runtime!.label]: tried.need });
    if (tried.fixed.length > 0) fixed.set(server, portsOf(tried.process.url, tried.fixed, fixed.get(server)));
    const served = server.kind === "command" ? tried.process.served : undefined;
    if (served !== undefined) programs.set(server, served);
    const how = howStarted(tried) +
      (served === undefined
        ? server.kind === "command" ? "; what serves it is unknown" : ""
        : `; ${servedText(served)} ${served.length === 1 ? "serves" : "serve"} it`);
    let { process } = tried;
    const again = server.kind === "target" ? null : async () => {
      await hosts.server.stop(process);
      const started = await tryToStart(draft, place, folder, hosts);
      if ("why" in started) throw new NoReply(`started a second time it ${started.why}`, started.failure);
      return process = started.process;
    };
    try {
      if (first === undefined) {
        const started = { name: nameOf(place), server: process, again };
        const { from } = askedAt({ server: process }, { hosts });
        first = { place, ...await firstReplies(draft, started, asked, { from, laterMs }) };
        tell(`${nameOf(place)}: answers${how}${first.odd}`);
        first.lines.forEach(tell);
      } else {
        const { changes, sent } = await changesOf(draft, first, askedAt({ server: process }, { hosts }));
        tell(`${nameOf(place)}: ${changes[0]?.text ?? `answers as ${nameOf(first.place)} does`}${how}`);
        for (const line of sent) tell(`${nameOf(place)}: ${line}`);
        for (const change of changes) differs({ app: server.name, runtime: runtime?.label ?? null, ...change });
      }
    } catch (error) {
      if (!(error instanceof NoReply)) throw error;
      const ending = await endingText(process.process);
      const why = error.message + (ending === null ? "" : `; ${ending}`);
      tell(`${nameOf(place)}: ${why}`);
      refused.push({ app: server.name, runtime: runtime?.label ?? null, why, failure: error.failure });
    } finally {
      await hosts.server.stop(process);
    }
  }
  if (first === undefined) {
    const [one] = refused;
    const where = one!.runtime === null ? "" : ` on ${one!.runtime}`;
    throw failure(
      `"${one!.app}" cannot be measured${where}: ${one!.why}`,
      hintOn(
        refused.flatMap(({ app, failure }) => app === one!.app ? failure?.code ?? [] : []),
        draft.servers.find(({ name }) => name === one!.app)!,
      ),
    );
  }
  const mixed = new Set(draft.servers.map(({ kind }) => kind === "app")).size > 1;
  return {
    ...draft,
    servers: draft.servers.map((server) =>
      server.kind !== "app" ? (programs.has(server) ? { ...server, served: [...programs.get(server)!] } : server) : {
        ...server,
        needs: needs.get(server) ?? {},
        ...(server.listens === undefined ? {} : { listens: { ...server.listens, ...fixed.get(server) } }),
      }
    ),
    requests: first.requests,
    samples: [...first.samples],
    asked_first: {
      app: first.place.server.name,
      runtime: first.place.runtime?.label ?? (mixed ? runtimes[0]!.label : null),
    },
    refused: refused.map(({ app, runtime, why }) => ({ app, runtime, reason: why })),
    starts,
    listed_under: mixed ? runtimes[0]!.label : null,
  };
}

/** A server that was not measured on a runtime, and why. */
interface Refused {
  readonly app: string;
  readonly runtime: string | null;
  readonly why: string;
  readonly failure: Failure | null;
}

/** Returns why a server is a program and no app, if one of its runtimes has found that. */
const programOf = (name: string, refused: readonly Refused[]) =>
  refused.find(({ app, failure }) => app === name && failure?.code === "is-program");

/** Returns what to do about a server that cannot be measured, by the failures on its runtimes. */
function hintOn(codes: readonly FailureCode[], server: UserServer): string {
  if (codes.includes("reply-late")) return "ask for something that is answered sooner: --request 'GET /PATH'";
  if (server.kind !== "app" || server.listens !== undefined) return "mend it, then try again";
  const program = `--program ./${server.module}`;
  if (codes.includes("is-program") || codes.includes("port-taken")) return `bench run ${program}`;
  return codes.includes("no-app")
    ? `name the module that exports the app; one that listens by itself is a program: ${program}`
    : "mend it, then try again";
}

function askedOf(draft: UserDraft, folder: string): AskedRequest[] {
  try {
    return samplesOf(requestsOf(draft, 1, folder));
  } catch (error) {
    throw usageError(String((error as Error).message).split("\n")[0]!, "mend the request and try again");
  }
}

/** How a server answers otherwise than the first did. */
interface Changes {
  /** One for each kind of request that is answered otherwise. */
  readonly changes: Omit<ReplyChange, "app" | "runtime">[];
  /** How what is the same is sent otherwise: a line each. */
  readonly sent: readonly string[];
}

async function changesOf({ ignore }: UserDraft, first: FirstReplies, server: AskedServer): Promise<Changes> {
  const changes = new Map<number, Changes["changes"][number]>();
  const sent = new Map<number, string>();
  for (const [n, sample] of first.samples.entries()) {
    const { of } = sample;
    if (changes.has(of)) continue;
    const reply = await askOnce(sample, server);
    const { expect = [] } = first.requests[of]!;
    const status = !expect.includes(reply.status);
    const whole = first.whole[n]!;
    const names = [...ignoredParts(ignore), ...sample.left_out ?? []];
    // Of long bodies the record has the hash alone; here they are at hand.
    const [is, was] = [reply, whole].map((one) => one && comparable(one, names, Infinity));
    const difference = sample.reply !== null
      ? replyDifference(is!, { ...was!, ...sample.reply.lengths && { lengths: sample.reply.lengths } })?.text ?? null
      : status
      ? `status ${reply.status}, expected ${expect.join(" or ")}`
      : null;
    if (difference !== null) changes.set(of, { of, status, text: `${requestName(sample)}: ${difference}` });
    else if (sample.reply !== null && !sent.has(of)) {
      const otherwise = sentOtherwise(is!, was!);
      if (otherwise !== null) sent.set(of, `${requestName(sample)}: ${otherwise}`);
    }
  }
  return { changes: [...changes.values()], sent: [...sent.values()] };
}
