/** Services that all tests of a process share: each is started when it is first needed and ends with the process. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { findProgram } from "../bench/machine/programs.ts";
import { serviceFolder } from "../bench/process/scratch-folder.ts";
import { type ReadyService, serviceLine } from "../servers/service-line.ts";
import type { ServiceSpec } from "../suites/suite.ts";
import { tool } from "./runner/test-command.ts";
import { sha256 } from "./testing.ts";

/** Services by their commands, with the contents of files in place of their paths. */
const kept = new Map<string, Promise<ReadyService | null>>();
const running = new Set<ChildProcess>();
const folders: string[] = [];

/** Milliseconds between two looks at a service that is ending. */
const LOOK_MS = 10;

const WORDS: Readonly<Record<string, () => string>> = {
  "{node}": () => tool("node"),
  "{wrk}": () => findProgram("wrk")!,
};

/** Returns a service that runs on loopback; null where it is not installed. What tests change of it, others see. */
export function keptService({ command }: Pick<ServiceSpec, "command">): Promise<ReadyService | null> {
  const contents = command.map((word) => {
    const [, before, file] = /^([\w-]+(?:=|: ))?(.*)$/s.exec(word)!;
    return existsSync(file!) ? `${before ?? ""}${sha256(readFileSync(file!))}` : word;
  });
  const key = JSON.stringify(contents);
  if (!kept.has(key)) kept.set(key, startKept(command));
  return kept.get(key)!;
}

/** Starts a service that ends with this process; null where it is not installed. */
export async function startKept(command: ServiceSpec["command"]): Promise<ReadyService | null> {
  const [program, ...args] = command.map((word) => WORDS[word]?.() ?? word.replaceAll("{host}", "127.0.0.1"));
  const folder = serviceFolder();
  folders.push(folder);
  const env = { ...process.env, FOLDER: folder, HOST: "127.0.0.1" };
  const child = spawn(program!, args, { stdio: ["ignore", "pipe", "pipe"], env });
  running.add(child);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text);
  const line = await new Promise<string>((resolve, reject) => {
    child.once("error", reject).stdout.setEncoding("utf8").once("data", resolve);
    child.once("close", () => (running.delete(child), reject(new Error(stderr))));
  });
  // A process that has nothing else to do ends, although the service runs.
  for (const handle of [child, child.stdout, child.stderr] as { unref?(): void }[]) handle.unref?.();
  const said = serviceLine.parse(JSON.parse(line));
  if (said.event === "ready") return said;
  assert.match(said.message, /install/);
  return null;
}

/** Process ids of the services that run. */
export const keptPids = (): number[] => [...running].map(({ pid }) => pid!);

/** Ends all services and waits until they are gone: a folder that they still write to cannot be removed. */
function endAll(): void {
  const pids = keptPids();
  for (const pid of pids) process.kill(pid, "SIGTERM");
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (pids.some(isWorking)) Atomics.wait(pause, 0, 0, LOOK_MS);
  running.clear();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/** Returns false for a process that has ended, also before anybody waited for it. */
function isWorking(pid: number): boolean {
  try {
    return !/\) Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

process.once("exit", endAll);
// Deno's test runner emits this event instead.
globalThis.addEventListener?.("unload", endAll);
