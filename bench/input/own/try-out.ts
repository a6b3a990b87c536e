import type { Reply } from "../../../suites/suite.ts";
import { RUNTIME_NAMES, type RuntimeName } from "../../../servers/runtime.ts";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Need, OwnDraft } from "../../record/own-spec.ts";
import { replyDifference } from "./reply-difference.ts";
import { startChild, within } from "../../host/child.ts";
import { httpClient } from "../../host/http-client.ts";
import { childEnvironment, type RuntimeBinary, SCRIPT_ARGS } from "../../host/runtimes.ts";
import { hostsHere } from "../../observe/equip.ts";
import { comparable, readReply } from "./comparable-reply.ts";
import { type AskedPlace, placesOf, tryToStart } from "./try-to-start.ts";
import { runtimeFlags } from "./runtime-flags.ts";

const ROUTES = fileURLToPath(new URL("../../../servers/routes.ts", import.meta.url));
const ROUTES_MS = 10_000;
const REPLY_MS = 3_000;
/** A server that takes longer to start is for people to describe. */
const READY_MS = 10_000;
/** Values tried where a path has a parameter, and the most requests taken. */
const PARAMETERS = ["1", "a"];
const MOST_REQUESTS = 5;
const MOST_ASKED = 40;
/** Asked where a server has no list of routes. */
const COMMON = ["/", "/health", "/healthz", "/api", "/api/health", "/status"];

/** How something did when it was started once. */
export interface TriedOut {
  /** A line for each place it was started at. */
  readonly lines: readonly string[];
  /** Runtimes it starts on; empty for a program, which starts or has `why`. */
  readonly runtimes: readonly RuntimeName[];
  /** Why it starts nowhere; null where it does. */
  readonly why: string | null;
  /** Paths that answer alike twice with a status below 400. */
  readonly paths: readonly string[];
  /** What `/` is answered with, where no path answers well. */
  readonly status: number | null;
  /** How many routes it says it has; null where it has no list. */
  readonly routes: number | null;
}

/** Starts a server of a draft of one server once at each place, and asks it for what it may answer. */
export async function tryOut(draft: OwnDraft, runtimes: readonly RuntimeBinary[], folder: string): Promise<TriedOut> {
  const lines: string[] = [];
  const started: RuntimeName[] = [];
  let why: string | null = null;
  let asked: Pick<TriedOut, "paths" | "status" | "routes"> | undefined;
  const hosts = hostsHere();
  for (const place of placesOf(draft, runtimes)) {
    const tried = await tryToStart(draft, place, folder, hosts, READY_MS);
    const where = place.runtime === null ? "" : ` on ${place.runtime.name}`;
    if ("why" in tried) {
      why ??= tried.why;
      lines.push(`${place.server.name}${where}: ${tried.why}`);
      continue;
    }
    lines.push(`${place.server.name}${where}: starts`);
    if (place.runtime !== null) started.push(RUNTIME_NAMES.find((name) => name === place.runtime!.name)!);
    try {
      asked ??= await askedOf(place, tried.need, tried.process.url, folder);
    } finally {
      await hosts.server.stop(tried.process);
    }
  }
  return asked === undefined
    ? { lines, runtimes: [], why: why ?? "no runtime is here", paths: [], status: null, routes: null }
    : { lines, runtimes: started, why: null, ...asked };
}

async function askedOf(place: AskedPlace, need: Need | undefined, url: string, folder: string) {
  const routes = await routesOf(place, need, folder);
  const wanted = routes === null ? COMMON : ["/", ...routes.flatMap(pathsOf)];
  const paths: string[] = [];
  let status: number | null = null;
  for (const path of [...new Set(wanted)].slice(0, MOST_ASKED)) {
    const first = await ask(url, path);
    if (path === "/") status = first?.status ?? null;
    if (first === null || first.status > 399) continue;
    const second = await ask(url, path);
    if (second === null || answersDiffer(first, second, url)) continue;
    // Of a route with a parameter one value will do.
    const route = routes?.find((each) => pathsOf(each).includes(path));
    if (!paths.some((taken) => route !== undefined && pathsOf(route).includes(taken))) paths.push(path);
    if (paths.length === MOST_REQUESTS) break;
  }
  return { paths, status, routes: routes?.length ?? null };
}

function answersDiffer(first: Reply, second: Reply, url: string): boolean {
  const [was, is] = [first, second].map((reply) => comparable(readReply(reply, url), []));
  return replyDifference(is!, was!) !== null;
}

/** Paths a route may answer: `/items/:id` as `/items/1`. One with a pattern that takes neither is left to people. */
function pathsOf(route: string): string[] {
  if (route.includes("*")) return [];
  return route.includes(":") ? PARAMETERS.map((value) => route.replace(/:\w+(\{[^}]*\})?\??/g, value)) : [route];
}

/** The routes a Hono app lists; null for any other server. */
async function routesOf(
  { server, runtime }: AskedPlace,
  need: Need | undefined,
  folder: string,
): Promise<string[] | null> {
  if (server.kind !== "app" || runtime === null) return null;
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
  const found = new Promise<string[]>((tell) =>
    child.onLine((line) => {
      const paths = line.startsWith('{"routes":') ? JSON.parse(line).routes : undefined;
      if (paths !== undefined) tell(paths);
    })
  );
  const told = await within(ROUTES_MS, Promise.race([found, child.ended.then(() => null)]));
  child.killAll();
  await child.ended;
  return told === "timeout" || told === null || told.length === 0 ? null : told;
}

async function ask(url: string, path: string) {
  const client = httpClient(url, REPLY_MS);
  try {
    return await client.send("GET", path);
  } catch {
    return null;
  } finally {
    client.close();
  }
}
