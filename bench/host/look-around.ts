import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";
import { join } from "node:path";
import { findProgram } from "./child.ts";
import type { FoundProgram, Link, ProgramWish } from "./host.ts";
import { runToEnd } from "./run-to-end.ts";
import { fileSha256, foldersOfPackages, locateRuntime } from "./runtimes.ts";

/** Finds a program here, on PATH or as a package of this project that the pinned Node runs, and asks it for its version. */
export async function lookForProgram(wish: ProgramWish): Promise<FoundProgram | undefined> {
  const found = locate(wish);
  if (found === undefined) return undefined;
  const { stdout, stderr } = await runToEnd(found.program, [...found.lead, ...wish.versionArgs]);
  return { ...found, output: stdout + stderr, sha256: fileSha256(found.lead[0] ?? found.program) };
}

function locate({ program, module }: ProgramWish): Pick<FoundProgram, "program" | "lead"> | undefined {
  if (module === undefined) {
    const found = findProgram(program);
    return found === undefined ? undefined : { program: found, lead: [] };
  }
  const file = foldersOfPackages().map((folder) => join(folder, module)).find((path) => existsSync(path));
  return file === undefined ? undefined : { program: locateRuntime("node").file, lead: [file] };
}

/** The same for all processes that share a kernel and its network; by the host's name where the system does not tell. */
export function machineId(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/net")}`;
  } catch {
    return hostname();
  }
}

/** The same for all that know the same processes by the same numbers; null where the system does not tell. */
export function processSpace(): string | null {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return null;
  }
}

/** Interfaces of this machine that have an IPv4 address. */
export function linksHere(): Link[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
    (addresses ?? []).filter(({ family }) => family === "IPv4").map(({ address, internal }): Link => ({
      name,
      address,
      loopback: internal,
      bitsPerSecond: internal ? null : speedOf(name),
    }))
  );
}

function speedOf(name: string): number | null {
  try {
    const megabits = Number(readFileSync(`/sys/class/net/${name}/speed`, "utf8").trim());
    return megabits > 0 ? megabits * 1e6 : null;
  } catch {
    // Virtual ones have none.
    return null;
  }
}
