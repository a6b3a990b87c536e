import type { Reply } from "../../../suites/suite.ts";
import { errorLine } from "../../basics/error-line.ts";
import { failure, usageError } from "../../basics/errors.ts";
import type { Need, OwnDraft, OwnRequest, OwnServer, OwnSpec, ReplySample } from "../../record/own-spec.ts";
import { nameOfDifference, replyDifference } from "./reply-difference.ts";
import type { HostServer } from "../../host/host.ts";
import type { RuntimeBinary } from "../../host/runtimes.ts";
import type { Hosts } from "../../observe/sample-load.ts";
import type { Served } from "../../record/served.ts";
import { servedText } from "../../record/served-text.ts";
import { comparable } from "./comparable-reply.ts";
import { requestsOf } from "./own-suite.ts";
import { type AskedPlace, type FixedPorts, howStarted, placesOf, portsOf, tryToStart } from "./try-to-start.ts";
import { drawsSerially, samplesOf } from "./samples.ts";

/** How long one reply may take. */
const REPLY_MS = 10_000;

type Asked = Omit<ReplySample, "reply">;

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

/**
 * Starts every server of a draft once on each runtime, on the servers' host, and asks it its requests from the load's: the
 * first that answers says what replies are right, where no statuses were given. What does not start is refused with the
 * reason, and not tried again.
 *
 * @param tell told one line of each server
 * @param differs told of every reply that differs
 * @throws BenchError where nothing answers, and where the first answers differently each time
 */
export async function recordReplies(
  draft: OwnDraft,
  folder: string,
  runtimes: readonly RuntimeBinary[],
  hosts: Hosts,
  tell: (line: string) => void,
  differs: (change: ReplyChange) => void = () => {},
): Promise<OwnSpec> {
  const asked = askedOf(draft, folder);
  const needs = new Map<OwnServer, Record<string, Need>>();
  const fixed = new Map<OwnServer, FixedPorts>();
  const programs = new Map<OwnServer, readonly Served[]>();
  const refused: OwnSpec["refused"] = [];
  let first:
    | { readonly place: AskedPlace; readonly samples: readonly ReplySample[]; readonly requests: OwnRequest[] }
    | undefined;
  const there = await hosts.server.runtimes(runtimes);
  for (const place of placesOf(draft, there)) {
    const { server, runtime } = place;
    const tried = await tryToStart(draft, place, folder, hosts);
    if ("why" in tried) {
      tell(`${nameOf(place)}: ${tried.why}`);
      refused.push({ app: server.name, runtime: runtime?.label ?? null, reason: tried.why });
      continue;
    }
    if (tried.need !== undefined) needs.set(server, { ...needs.get(server), [runtime!.label]: tried.need });
    if (tried.fixed.length > 0) fixed.set(server, portsOf(tried.process.url, tried.fixed, fixed.get(server)));
    const served = server.kind === "command" ? tried.process.served : undefined;
    if (served !== undefined) programs.set(server, served);
    const how = howStarted(tried) +
      (served === undefined
        ? server.kind === "command" ? "; what serves it is unknown" : ""
        : `; ${servedText(served)} serves it`);
    try {
      if (first === undefined) {
        first = { place, ...await recorded(draft, place, asked, tried.process, hosts) };
        tell(`${nameOf(place)}: answers${how}`);
      } else {
        const changes = await changesOf(draft, first.samples, first.requests, {
          url: tried.process.url,
          from: hosts.load,
        });
        tell(`${nameOf(place)}: ${changes[0]?.text ?? `answers as ${nameOf(first.place)} does`}${how}`);
        for (const change of changes) differs({ app: server.name, runtime: runtime?.label ?? null, ...change });
      }
    } catch (error) {
      if (!(error instanceof NoReply)) throw error;
      tell(`${nameOf(place)}: ${error.message}`);
      refused.push({ app: server.name, runtime: runtime?.label ?? null, reason: error.message });
    } finally {
      await hosts.server.stop(tried.process);
    }
  }
  if (first === undefined) {
    const [one] = refused;
    const where = one!.runtime === null ? "" : ` on ${one!.runtime}`;
    throw failure(
      `"${one!.app}" cannot be measured${where}: ${one!.reason}`,
      hintOn(one!.reason, draft.servers.find(({ name }) => name === one!.app)!),
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
    refused,
    listed_under: mixed ? runtimes[0]!.label : null,
  };
}

/** What to do about a server that cannot be measured. */
function hintOn(reason: string, server: OwnServer): string {
  if (server.kind !== "app" || server.listens !== undefined) return "mend it, then try again";
  const program = `--program ./${server.module}`;
  if (/it is a program|EADDRINUSE|AddrInUse/.test(reason)) return `bench run ${program}`;
  return /exports neither/.test(reason)
    ? `name the module that exports the app; one that listens by itself is a program: ${program}`
    : "mend it, then try again";
}

function askedOf(draft: OwnDraft, folder: string): Asked[] {
  try {
    return samplesOf(requestsOf(draft, 1, folder));
  } catch (error) {
    throw usageError(String((error as Error).message).split("\n")[0]!, "mend the request and try again");
  }
}

/** A server, and the host it is asked from. */
interface Asking {
  readonly url: string;
  readonly from: Hosts["load"];
}

/** A request that nobody answered. */
class NoReply extends Error {}

const ask = async (asked: Asked, { url, from }: Asking): Promise<Reply> => {
  const client = from.client(url, REPLY_MS);
  try {
    return await client.send(asked.method, asked.path, asked.body, asked.headers);
  } catch (error) {
    throw new NoReply(`${named(asked)}: ${(error as Error).message}`, { cause: error });
  } finally {
    client.close();
  }
};
const named = ({ method, path }: Asked) => `${method} ${path.slice(0, 80)}`;

/** How long what a server wrote may be under way when its answer is there already. */
const WORDS_MS = 500;
const WORDS_EVERY_MS = 20;

/** What a server that answers a fault of its own wrote last on stderr, without the places of its code. */
async function wordsOn(status: number, process: HostServer["process"]): Promise<string> {
  if (status < 500 || process === null) return "";
  for (const started = performance.now();;) {
    const said = errorLine(process.stderrTail());
    if (said !== null) return `, and it says "${said}"`;
    if (performance.now() - started > WORDS_MS) return "";
    await new Promise((resolve) => setTimeout(resolve, WORDS_EVERY_MS));
  }
}

/** Asks everything twice, and takes the answers for right where both are the same. */
async function recorded(
  draft: OwnDraft,
  place: AskedPlace,
  asked: readonly Asked[],
  { url, process }: HostServer,
  { load: from }: Hosts,
) {
  const plan = requestsOf(draft, 1, "");
  const samples: ReplySample[] = [];
  const statuses = new Map<number, Set<number>>();
  for (const each of asked) {
    const { expect } = draft.requests[each.of]!;
    const says = (what: string, hint: string) => usageError(`${named(each)} on ${nameOf(place)}: ${what}`, hint);
    const reply = await ask(each, { url, from });
    if (expect !== undefined) {
      if (!expect.includes(reply.status)) {
        throw says(
          `status ${reply.status}, expected ${expect.join(" or ")}`,
          `--expect ${reply.status} if that is meant`,
        );
      }
      if (!drawsSerially(plan, each.of)) samples.push({ ...each, reply: null });
      continue;
    }
    if (reply.status > 399) {
      const words = await wordsOn(reply.status, process);
      throw says(`status ${reply.status}${words}`, `--expect ${reply.status} if that is meant`);
    }
    statuses.set(each.of, new Set([...statuses.get(each.of) ?? [], reply.status]));
    // What was created cannot be created again.
    if (drawsSerially(plan, each.of)) continue;
    const record = comparable(reply, draft.ignore);
    const difference = replyDifference(comparable(await ask(each, { url, from }), draft.ignore), record);
    if (difference !== null) {
      const name = nameOfDifference(difference);
      throw says(
        `answers differently each time: ${difference}`,
        name === null ? "--expect 200 compares statuses alone" : `--ignore ${name}, or --expect 200 for statuses alone`,
      );
    }
    samples.push({ ...each, reply: record });
  }
  const requests = draft.requests.map((request, of) =>
    request.expect !== undefined
      ? request
      : { ...request, expect: [...statuses.get(of) ?? [200]].sort((a, b) => a - b) }
  );
  return { samples, requests };
}

/** How a server answers otherwise than the first did: one sentence for each kind of request, none where it does not. */
async function changesOf(
  { ignore }: OwnDraft,
  samples: readonly ReplySample[],
  requests: readonly OwnRequest[],
  server: Asking,
): Promise<Omit<ReplyChange, "app" | "runtime">[]> {
  const changes = new Map<number, Omit<ReplyChange, "app" | "runtime">>();
  for (const sample of samples) {
    if (changes.has(sample.of)) continue;
    const reply = await ask(sample, server);
    const { expect = [] } = requests[sample.of]!;
    const { of } = sample;
    const status = !expect.includes(reply.status);
    const difference = sample.reply !== null
      ? replyDifference(comparable(reply, ignore), sample.reply)
      : status
      ? `status ${reply.status}, expected ${expect.join(" or ")}`
      : null;
    if (difference !== null) changes.set(of, { of, status, text: `${named(sample)}: ${difference}` });
  }
  return [...changes.values()];
}
