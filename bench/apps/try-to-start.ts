import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { RuntimeName } from "../../servers/runtime.ts";
import { orElse } from "../basics/errors.ts";
import type { Failure } from "../basics/failures.ts";
import type { Point } from "../../suites/suite.ts";
import type { HostServer } from "../pipe/host.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { USER_SUITE } from "../record/cell.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";
import type { NoServer } from "../process/server-request.ts";
import type { Hosts } from "../observe/sample-load.ts";
import type { StartAid, UserDraft, UserServer } from "../record/user-spec.ts";
import { serverSpecOf } from "./user-suite.ts";
import { failureText } from "../basics/failures.ts";
import { present, unlessEmpty } from "../basics/present.ts";
import { helpfulFlag } from "./runtime-flags.ts";
import { foldersUp } from "./tsconfig-paths.ts";

/** A server of a draft on one runtime; null where it runs on none. */
export interface StartPlace {
  readonly server: UserServer;
  readonly runtime: RuntimeBinary | null;
}

/** Returns every place at which a server of a draft can be started. */
export function placesOf({ servers }: UserDraft, runtimes: readonly RuntimeBinary[]): StartPlace[] {
  return servers.flatMap((server): StartPlace[] =>
    server.kind === "app" ? runtimes.map((runtime) => ({ server, runtime })) : [{ server, runtime: null }]
  );
}

/** The name of a server and its runtime in messages. */
export const nameOf = ({ server, runtime }: StartPlace) =>
  runtime === null ? server.name : `${server.name} on ${runtime.label}`;

/** A server that does not start: the reason in words, and the failure by its code if it has one. */
interface NoStart {
  readonly why: string;
  readonly failure: Failure | null;
}

/** The draft of a server, the folder of its paths and the hosts it runs on. */
interface StartSite {
  readonly draft: UserDraft;
  readonly folder: string;
  readonly hosts: Hosts;
  /** Time limit until it is ready, in ms. */
  readonly readyMs?: number;
}

/** Starts a server, with the loader its runtime needs if it needs one. */
export async function startPlace(
  { draft, folder, hosts, readyMs = THRESHOLDS.readyTimeoutMs }: StartSite,
  { server, runtime }: StartPlace,
  need: StartAid | undefined,
): Promise<HostServer | NoServer> {
  const tried: UserServer = server.kind === "app" && need !== undefined
    ? { ...server, needs: { [runtime!.label]: need } }
    : server;
  const point: Point = { suite: USER_SUITE, at: present({ app: server.name, runtime: runtime?.label }) };
  return await hosts.server.serve({
    spec: serverSpecOf(draft, tried, point, folder),
    runtime,
    cpus: null,
    readyMs,
    ...present({ protocol: draft.protocol, hostname: hosts.address }),
  });
}

/** Starts a server; if its runtime cannot load it, tries again with loaders that may help. */
export async function tryToStart(
  draft: UserDraft,
  place: StartPlace,
  folder: string,
  hosts: Hosts,
  readyMs: number = THRESHOLDS.readyTimeoutMs,
) {
  const { server, runtime } = place;
  const start = (need: StartAid | undefined) => startPlace({ draft, folder, hosts, readyMs }, place, need);
  const needOf = (tried: NoServer) =>
    runtime === null ? null : helpfulFlag(runtime.name, "failed" in tried ? tried.stderr : tried.unsupported);
  const whyNot = (tried: NoServer) => {
    const failure = "failed" in tried ? readAsCommonjs(server, runtime?.name, folder, tried.stderr) : null;
    return failure === null ? noStart(tried) : { why: `does not start: ${failureText(failure)}`, failure };
  };
  let process = await start(undefined), need: StartAid | undefined;
  if (!isProcess(process)) {
    const why = whyNot(process);
    need = needOf(process) ?? undefined;
    if (need === undefined) return why;
    process = await start(need);
    if (!isProcess(process)) return needOf(process) === need ? why : whyNot(process);
  }
  const { untold } = process;
  if (untold === undefined) return { process, need, fixed: [] };
  // A second process gets another port if the program reads PORT; a fixed port it shares, or does not start.
  const second = await start(need);
  if (!isProcess(second)) return { process, need, fixed: untold };
  await hosts.server.stop(second);
  return { process, need, fixed: untold.filter((port) => second.untold?.includes(port)) };
}

/** True if a server has started. */
export const isProcess = (tried: HostServer | NoServer): tried is HostServer => "url" in tried;
const PORT_TAKEN = /EADDRINUSE|AddrInUse/;

/** Returns the reason of a server that did not start. */
export function noStart(tried: NoServer): NoStart {
  if (!("failed" in tried)) return { why: tried.unsupported, failure: null };
  const { failed: { text }, stderr, failure = null } = tried;
  const taken = PORT_TAKEN.test(stderr) ? { code: "port-taken", facts: { fault: text } } as const : null;
  return { why: `does not start: ${text}`, failure: failure ?? taken };
}

/** Ports that a program listens on whatever PORT says. */
export interface FixedPorts {
  readonly port?: number;
  readonly others?: number[];
}

/** Returns the fixed port that takes a program's requests, and its other ones, with those seen on another runtime. */
export function portsOf(url: string, ports: readonly number[], before: FixedPorts = {}): FixedPorts {
  const port = ports.find((each) => String(each) === new URL(url).port) ?? before.port;
  const others = [...new Set([...before.others ?? [], ...ports])].filter((each) => each !== port);
  return present({ port, others: unlessEmpty(others) });
}

interface Started {
  readonly need: StartAid | undefined;
  readonly fixed: readonly number[];
  readonly process: Pick<HostServer, "open">;
}

/** Words on a start: its flag, the addresses that others may reach, and ports that do not follow PORT. */
export const howStarted = ({ need, fixed, process: { open } }: Started) =>
  (need === undefined ? "" : `, started with ${need}`) +
  (open === undefined
    ? ""
    : `, listens on ${open.join(" and ")}, where others may reach it: have it listen on process.env.HOST`) +
  (fixed.length === 0
    ? ""
    : `, listens on ${
      fixed.join(" and ")
    } whatever PORT says: to be measured beside others it must read process.env.PORT`);

/** Errors of Node, and of tsx, for a module that is read as CommonJS. */
const AS_COMMONJS =
  /Cannot use import statement outside a module|Unexpected token 'export'|await is only valid in async functions|supported with the "cjs" output/;

/** Endings of modules whose kind a package.json decides. */
const UNDECIDED = /\.([jt]s)$/;

/** Returns the failure of a module that Node reads as CommonJS because of its package.json; null for any other. */
export function readAsCommonjs(
  server: UserServer,
  runtime: RuntimeName | undefined,
  folder: string,
  output: string,
): Failure<"read-as-commonjs"> | null {
  if (server.kind !== "app" || runtime !== "node" || !AS_COMMONJS.test(output)) return null;
  const module = resolve(folder, server.module);
  const manifest = foldersUp(dirname(module)).map((each) => join(each, "package.json")).find(existsSync);
  if (manifest === undefined) return null;
  const type = orElse(() => JSON.parse(readFileSync(manifest, "utf8")).type as unknown, null);
  if (type !== "commonjs") return null;
  const file = basename(module);
  const better = UNDECIDED.test(file) ? file.replace(UNDECIDED, ".m$1") : null;
  return { code: "read-as-commonjs", facts: { file, better } };
}
