import { statSync } from "node:fs";
import { basename } from "node:path";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { orElse } from "../basics/errors.ts";
import { present } from "../basics/present.ts";
import { findProgram, type OutputOf, outputOf as askSystem, runToEnd } from "../machine/programs.ts";
import { processesOf } from "../machine/server-processes.ts";
import { executableOf, listenersAt } from "../machine/listening-ports.ts";
import type { Served } from "../record/server-schema.ts";
import { fileSha256, locateRuntime } from "../runtimes/runtimes.ts";

/** Programs that only print their version when run with `--version`; an unknown server might start instead. */
const SAY_VERSION = /^(node|deno|bun|python[\d.]*|pypy3?|ruby|php|perl|java|nginx|caddy|dotnet)$/;

const known = new Map<string, Promise<Pick<Served, "version" | "sha256">>>();

/**
 * Returns the programs that serve a port: the executables of processes that listen there, and of runtimes these have
 * started, which receive connections. None if the system does not show them.
 *
 * @param pids processes of the server
 */
export async function servedBy(pids: readonly number[], port: number): Promise<Served[]> {
  const files = process.platform === "darwin" ? listeningOnDarwin(pids, port) : listeningOnLinux(pids, port);
  return await Promise.all([...new Set(files)].map(servedOf));
}

function listeningOnLinux(pids: readonly number[], port: number): string[] {
  const owners = listenersAt(pids, port);
  const handed = owners.flatMap((pid) => processesOf(pid, undefined)).flatMap(executableOf);
  return [...owners.flatMap(executableOf), ...handed.filter((file) => runtimeOf(file) !== undefined)];
}

/**
 * Finds them by lsof and ps, which macOS has.
 *
 * @param ask runs a program and returns its output
 */
export function listeningOnDarwin(pids: readonly number[], port: number, ask: OutputOf = askSystem): string[] {
  try {
    const owners = ask("lsof", ["-nP", "-a", "-p", pids.join(","), `-iTCP:${port}`, "-sTCP:LISTEN", "-Fp"])
      .split("\n").flatMap((line) => /^p(\d+)$/.exec(line)?.[1] ?? []);
    return owners.map((pid) => ask("ps", ["-o", "comm=", "-p", pid]).trim()).filter((file) => file.startsWith("/"));
  } catch {
    // An error of either means unknown.
    return [];
  }
}

/** npm names Bun's file `bun.exe` everywhere. */
const nameOf = (file: string) => basename(file).replace(/\.exe$/, "").replace(/^nodejs$/, "node");
const runtimeOf = (file: string) => RUNTIME_NAMES.find((name) => name === nameOf(file));

async function servedOf(file: string): Promise<Served> {
  const name = nameOf(file);
  const facts = await factsOf(file);
  const runtime = runtimeOf(file);
  if (runtime === undefined) return { name, ...facts, from: "elsewhere" };
  const pinned = pinnedFile(runtime);
  if (pinned === file) return { name, ...facts, from: "pinned" };
  const { version } = pinned === undefined ? { version: null } : await factsOf(pinned);
  const onPath = findProgram(runtime);
  const from = onPath !== undefined && sameFile(onPath, file) ? "path" : "elsewhere";
  return { name, ...facts, from, ...present({ pinned: version }) };
}

function pinnedFile(name: (typeof RUNTIME_NAMES)[number]): string | undefined {
  return orElse(() => locateRuntime(name).file, undefined);
}

function sameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

/** Version and hash of a file, found once for as long as it stays the same. */
function factsOf(file: string): Promise<Pick<Served, "version" | "sha256">> {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return Promise.resolve({ version: null, sha256: null });
  const key = `${file} ${stat.size} ${stat.mtimeMs}`;
  const facts = known.get(key) ?? readFacts(file);
  known.set(key, facts);
  return facts;
}

async function readFacts(file: string): Promise<Pick<Served, "version" | "sha256">> {
  const name = nameOf(file);
  const word = name === "java" ? "-version" : name === "nginx" ? "-v" : "--version";
  const said = SAY_VERSION.test(name) ? await runToEnd(file, [word]) : null;
  const version = said === null ? null : /\d+\.\d+(\.\d+)?[\w.+-]*/.exec(said.stdout || said.stderr)?.[0] ?? null;
  return { version, sha256: fileSha256(file) };
}
