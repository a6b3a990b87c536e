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
import { placesOf, type StartPlace, tryToStart } from "./try-to-start.ts";
import { runtimeFlags } from "./runtime-flags.ts";

const ROUTES = fileURLToPath(new URL("../../servers/routes.ts", import.meta.url));
const MOST_ASKED = 200;
const MOST_IGNORED = 10;
/** Paths for a server without a list of routes. */
export const COMMON_PATHS = ["/", "/health", "/healthz", "/api", "/api/health", "/status"];

/** A route of a server: its method, and its path with parameters as its framework writes them. */
interface Route {
  readonly method: string;
  readonly path: string;
}

/** A GET request that answers well. */
interface FoundRequest {
  readonly path: string;
  /** Its statuses, if its body differs each time. */
  readonly expect?: readonly number[];
}

/** The outcome of starting a server once. */
export interface TriedOut {
  /** A line for each start. */
  readonly lines: readonly string[];
  readonly runtimes: readonly RuntimeName[];
  readonly why: string | null;
  /** The port that a program listens on instead of PORT; null if it honours PORT, or has several or no ports. */
  readonly otherPort: number | null;
  /** GET requests that answer well. */
  readonly requests: readonly FoundRequest[];
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
  if (answered !== undefined) return { ...answered, lines, runtimes: started, why: null, otherPort: null };
  return {
    ...{ lines, runtimes: [], why: why ?? "no runtime is here", otherPort },
    ...{ requests: [], others: [], ignore: [], status: null, routes: null },
  };
}

type Answered = Pick<TriedOut, "requests" | "others" | "status" | "routes"> & {
  readonly ignore: string[];
  /** The first replies of the requests whose bodies stay. */
  readonly first: ReadonlyMap<string, ComparedReply>;
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
async function compareHere({ first, ignore }: Answered, url: string): Promise<void> {
  for (const [path, before] of first) {
    const reply = await ask(url, path);
    if (reply === null || reply.status !== before.status) continue;
    const headers = [...ignore];
    alikeWithout(headers, before, reply);
    ignore.push(...headers.filter((name) => name.startsWith("header:") && !ignore.includes(name)));
  }
}

async function answeredBy(
  place: StartPlace,
  need: Need | undefined,
  url: string,
  folder: string,
): Promise<Answered> {
  const routes = await routesOf(place, need, folder);
  const gets = routes.filter(({ method }) => method === "GET").map(({ path }) => path);
  const wanted = gets.length === 0 ? COMMON_PATHS : [...new Set(["/", ...gets])];
  const ignore: string[] = [];
  const first = new Map<string, ComparedReply>();
  const requests = new Map<string, FoundRequest>();
  const root = await ask(url, "/");
  for (const path of wanted.slice(0, MOST_ASKED).flatMap(pathsOf)) {
    const reply = await ask(url, path);
    // A common path counts only if its reply is not the one that any path gets.
    const same = gets.length === 0 && path !== "/" && root !== null && reply?.text === root.text;
    if (reply === null || reply.status > 399 || same) continue;
    const again = await ask(url, path);
    if (again === null || again.status !== reply.status) continue;
    const isAlike = alikeWithout(ignore, reply, again);
    if (isAlike) first.set(path, reply);
    requests.set(path, { path, ...(isAlike ? {} : { expect: [reply.status] }) });
  }
  return {
    ...{ requests: [...requests.values()], first, ignore },
    others: routes.filter(({ method }) => !["GET", "HEAD", "OPTIONS"].includes(method)),
    status: root?.status ?? null,
    routes: routes.length === 0 ? null : routes.length,
  };
}

/** Returns the path of a route, `/items/:id` as `/items/1`; none for a pattern, whose path only people know. */
function pathsOf(route: string): string[] {
  const parameter = /:\w+(\{[^}]*\})?(\([^)]*\))?\??|\{\w+\??\}/g;
  return route.includes("*") ? [] : [route.replace(parameter, "1")];
}

/** The routes that a Hono app lists; none for any other server. */
async function routesOf(
  { server, runtime }: StartPlace,
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
