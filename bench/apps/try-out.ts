import { RUNTIME_NAMES, type RuntimeName } from "../../servers/runtime.ts";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Need, UserDraft } from "../record/user-spec.ts";
import { ignoredParts } from "./left-out.ts";
import { ignoreName, replyDifference } from "./reply-difference.ts";
import { startChild } from "../machine/child.ts";
import { LAST_RESORT, within } from "../machine/clock.ts";
import { httpClient } from "../process/http-client.ts";
import { childEnvironment, type RuntimeBinary, SCRIPT_ARGS } from "../runtimes/runtimes.ts";
import { hostsHere } from "../observe/equip.ts";
import { endingText } from "../observe/running.ts";
import { comparable, type ComparedReply, readReply } from "./comparable-reply.ts";
import { type Place, placesOf, tryToStart } from "./try-to-start.ts";
import { runtimeFlags } from "./runtime-flags.ts";

const ROUTES = fileURLToPath(new URL("../../servers/routes.ts", import.meta.url));
/** Values for a path's parameter, and the most requests that are sent. */
const PARAMETERS = ["1", "a"];
const MOST_REQUESTS = 200;
/** The most parts of replies that are left out. */
const MOST_IGNORED = 10;
/** Paths for a server without a list of routes. */
const COMMON = ["/", "/health", "/healthz", "/api", "/api/health", "/status"];

/** A route of a server: its method, and its path with parameters as its framework writes them. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

/** A request that was sent once. */
export interface FirstRequest extends Route {
  /** The reason why it is left out of runs; null if it is sent. */
  readonly why: string | null;
  /** Its statuses, if its body differs each time. */
  readonly expect?: readonly number[];
}

/** The outcome of starting a server once. */
export interface TriedOut {
  /** A line for each start. */
  readonly lines: readonly string[];
  /** The runtimes it starts on; empty for a command. */
  readonly runtimes: readonly RuntimeName[];
  /** The reason why it starts nowhere; null if it starts. */
  readonly why: string | null;
  /** The only port a program listens on in place of the one in PORT; null if it listens there, on several or nowhere. */
  readonly otherPort: number | null;
  /** GET requests that were sent. */
  readonly requests: readonly FirstRequest[];
  /** Routes of methods that may change data, to which nothing was sent. */
  readonly others: readonly Route[];
  /** Parts of replies that differ by themselves or by runtime. */
  readonly ignore: readonly string[];
  /** The status of `/`; null without a reply. */
  readonly status: number | null;
  /** The number of routes that the app lists; null without a list. */
  readonly routes: number | null;
}

/** Starts the one server of a draft once on each runtime, and sends GET requests to the routes it lists or to common paths. */
export async function tryOut(
  draft: UserDraft,
  runtimes: readonly RuntimeBinary[],
  folder: string,
): Promise<TriedOut> {
  const lines: string[] = [];
  const started: RuntimeName[] = [];
  let why: string | null = null;
  let otherPort: number | null = null;
  let answered: Answered | undefined;
  const hosts = hostsHere();
  for (const place of placesOf(draft, runtimes)) {
    const tried = await tryToStart(draft, place, folder, hosts, LAST_RESORT.tryOutStartMs);
    const where = place.runtime === null ? "" : ` on ${place.runtime.name}`;
    if ("why" in tried) {
      why ??= tried.why;
      const { failure } = tried;
      if (failure?.code === "listens-on-port" && failure.facts.ports.length === 1) {
        otherPort ??= failure.facts.ports[0]!;
      }
      lines.push(`${place.server.name}${where}: ${tried.why}`);
      continue;
    }
    lines.push(`${place.server.name}${where}: starts`);
    if (place.runtime !== null) started.push(RUNTIME_NAMES.find((name) => name === place.runtime!.name)!);
    try {
      if (answered === undefined) answered = await answeredBy(place, tried.need, tried.process.url, folder);
      else await compareHere(answered, tried.process.url);
      const ending = await endingText(tried.process.process);
      if (ending !== null) lines.push(`${lines.pop()}; asked, ${ending}`);
    } finally {
      await hosts.server.stop(tried.process);
    }
  }
  return answered === undefined
    ? {
      ...{ lines, runtimes: [], why: why ?? "no runtime is here", otherPort, status: null, routes: null },
      ...{ requests: [], others: [], ignore: [] },
    }
    : {
      lines,
      runtimes: started,
      why: null,
      otherPort: null,
      ...answered,
      requests: answered.requests.map(({ first: _, ...request }) => request),
    };
}

type Answered = Omit<TriedOut, "requests" | "lines" | "runtimes" | "why" | "otherPort"> & {
  readonly ignore: string[];
  readonly requests: (FirstRequest & { readonly first?: ComparedReply })[];
};

/** Adds the named parts that differ to `ignore`. Returns true if two replies are the same without them. */
function alikeWithout(ignore: string[], first: ComparedReply, second: ComparedReply): boolean {
  for (;;) {
    const names = ignoredParts(ignore);
    const difference = replyDifference(comparable(second, names), comparable(first, names));
    if (difference === null) return true;
    const name = ignoreName(difference);
    if (name === null || ignore.includes(name) || ignore.length === MOST_IGNORED) return false;
    ignore.push(name);
  }
}

/** Sends the same to another runtime: headers that differ are ignored, and bodies that differ are left to runs. */
async function compareHere({ requests, ignore }: Answered, url: string): Promise<void> {
  for (const { path, why, expect, first } of requests) {
    if (why !== null || expect !== undefined || first === undefined) continue;
    const reply = await ask(url, path);
    if (reply === null || reply.status !== first.status) continue;
    const headers = [...ignore];
    alikeWithout(headers, first, reply);
    ignore.push(...headers.filter((name) => name.startsWith("header:") && !ignore.includes(name)));
  }
}

async function answeredBy(
  place: Place,
  need: Need | undefined,
  url: string,
  folder: string,
): Promise<Answered> {
  const routes = await routesOf(place, need, folder);
  const gets = routes.filter(({ method }) => method === "GET").map(({ path }) => path);
  const wanted = gets.length === 0 ? COMMON : [...new Set(["/", ...gets])];
  const ignore: string[] = [];
  const requests: Answered["requests"] = [];
  const root = await ask(url, "/");
  for (const route of wanted.slice(0, MOST_REQUESTS)) {
    const found = await requestRoute(url, route, ignore);
    // A common path counts only if it answers well, and not with the reply that any path gets.
    const same = gets.length === 0 && route !== "/" && root !== null && found.first?.text === root.text;
    if (gets.includes(route) || (found.why === null && !same)) requests.push(found);
  }
  return {
    requests: requests.filter((request, n) => n === requests.findIndex(({ path }) => path === request.path)),
    others: routes.filter(({ method }) => !["GET", "HEAD", "OPTIONS"].includes(method)),
    ignore,
    status: root?.status ?? null,
    routes: routes.length === 0 ? null : routes.length,
  };
}

/** Asks a route, with values for its parameters where it has some, until one answers well. */
async function requestRoute(url: string, route: string, ignore: string[]): Promise<Answered["requests"][number]> {
  const method = "GET";
  let why = PATTERN;
  for (const path of pathsOf(route)) {
    const first = await ask(url, path);
    if (first === null || first.status > 399) {
      why = first === null ? "is not answered" : `answers ${first.status}`;
      continue;
    }
    const second = await ask(url, path);
    if (second === null || second.status !== first.status) {
      why = "answers differently each time";
      continue;
    }
    return alikeWithout(ignore, first, second)
      ? { method, path, why: null, first }
      : { method, path, why: null, expect: [first.status] };
  }
  return { method, path: route, why };
}

const PATTERN = "has a pattern: put a path in its place";

/** Paths a route may answer: `/items/:id` as `/items/1`. One with a pattern that takes neither is left to people. */
function pathsOf(route: string): string[] {
  if (route.includes("*")) return [];
  const parameter = /:\w+(\{[^}]*\})?(\([^)]*\))?\??|\{\w+\??\}/g;
  return route.search(parameter) === -1 ? [route] : PARAMETERS.map((value) => route.replace(parameter, value));
}

/** The routes that a Hono app lists; none for any other server. */
async function routesOf(
  { server, runtime }: Place,
  need: Need | undefined,
  folder: string,
): Promise<readonly Route[]> {
  if (server.kind !== "app" || runtime === null) return [];
  const home = resolve(folder, server.home);
  const [first, ...rest] = SCRIPT_ARGS[runtime.name];
  const flags = runtimeFlags(runtime.name, home, need);
  const child = startChild({
    file: runtime.file,
    args: [...(first === undefined ? [] : [first]), ...flags, ...rest, ROUTES, resolve(folder, server.module)],
    cpus: null,
    ownSession: true,
    env: childEnvironment(),
    cwd: home,
  });
  const listed = new Promise<Route[]>((resolve) =>
    child.onLine((line) => line.startsWith('{"routes":') && resolve(JSON.parse(line).routes))
  );
  const found = await within(LAST_RESORT.tryOutStartMs, Promise.race([listed, child.ended.then(() => [])]));
  child.killAll();
  await child.ended;
  return found === "timeout" ? [] : found;
}

async function ask(url: string, path: string) {
  const client = httpClient(url, LAST_RESORT.tryOutReplyMs);
  try {
    return readReply(await client.send("GET", path), url);
  } catch {
    return null;
  } finally {
    client.close();
  }
}
