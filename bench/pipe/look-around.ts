import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { connect } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { resolve } from "node:path";
import { orElse } from "../basics/errors.ts";
import { gradeOf } from "../doctor/examine.ts";
import { machineFacts } from "../doctor/machine-facts.ts";
import { LIMITS } from "../machine/clock.ts";
import type { Machine } from "../machine/machine.ts";
import { type Priority, raisedPriority } from "../machine/priority.ts";
import { findProgram, runToEnd } from "../machine/programs.ts";
import type { Topology } from "../plan/placement.ts";
import type { Grade } from "../record/finding.ts";
import type { RunRecord } from "../record/run-record.ts";
import { describeMachine } from "../runs/provenance.ts";
import { fileSha256, foldersOfPackages, locateRuntime } from "../runtimes/runtimes.ts";

/** A program to look for: on PATH, or a module that the pinned Node runs. */
export interface ProgramQuery {
  readonly program: string;
  readonly module?: string | undefined;
  readonly versionArgs: readonly string[];
}

/** A program as a host has it. */
export interface FoundProgram {
  readonly program: string;
  /** Arguments before its usual ones. */
  readonly lead: readonly string[];
  /** The output of its version command. */
  readonly output: string;
  readonly sha256: string;
}

/** A network interface with an address. */
export interface Link {
  readonly name: string;
  readonly address: string;
  /** True if other machines cannot reach it. */
  readonly loopback: boolean;
  /** Null if the system does not show it, as for loopback and most virtual interfaces. */
  readonly bitsPerSecond: number | null;
}

/** Finds a program here, on PATH or as a package of this project that the pinned Node runs, with its version. */
export async function lookForProgram(wish: ProgramQuery): Promise<FoundProgram | null> {
  const found = locate(wish);
  if (found === undefined) return null;
  const { stdout, stderr } = await runToEnd(found.program, [...found.lead, ...wish.versionArgs]);
  return { ...found, output: stdout + stderr, sha256: fileSha256(found.lead[0] ?? found.program) };
}

function locate({ program, module }: ProgramQuery): Pick<FoundProgram, "program" | "lead"> | undefined {
  if (module === undefined) {
    const found = findProgram(program);
    return found === undefined ? undefined : { program: found, lead: [] };
  }
  const file = foldersOfPackages().map((folder) => resolve(folder, module)).find((path) => existsSync(path));
  return file === undefined ? undefined : { program: locateRuntime("node").file, lead: [file] };
}

/**
 * Returns an id that is equal for all processes that share a kernel and its network; by the host's name if the system does
 * not show one.
 */
export function machineId(): string {
  return orElse(() => bootWith("net"), hostname());
}

/**
 * Returns an id that is equal for all that see the same processes by the same numbers; null if the system does not show
 * one.
 */
function processSpace(): string | null {
  return orElse(() => bootWith("pid"), null);
}

/** Returns an id of this boot and of a kernel namespace. Throws if the system does not show them. */
const bootWith = (space: "net" | "pid") =>
  `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync(`/proc/self/ns/${space}`)}`;

/** Interfaces of this machine that have an IPv4 address. */
function linksHere(): Link[] {
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
  // Virtual interfaces have none.
  const megabits = Number(orElse(() => readFileSync(`/sys/class/net/${name}/speed`, "utf8").trim(), 0));
  return megabits > 0 ? megabits * 1e6 : null;
}

const HANDSHAKES = 5;

/**
 * Returns the shortest of some handshakes with a server, in microseconds: its kernel answers, not its program, so this is
 * the round trip of the network. Null if none succeeds.
 */
export async function roundTripUs(url: string): Promise<number | null> {
  const { hostname, port } = new URL(url);
  const found: number[] = [];
  for (let n = 0; n < HANDSHAKES; n++) {
    const us = await handshakeUs(hostname, Number(port));
    if (us !== null) found.push(us);
  }
  return found.length === 0 ? null : Math.min(...found);
}

function handshakeUs(host: string, port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const started = performance.now();
    const socket = connect({ host, port });
    const end = (us: number | null) => {
      socket.destroy();
      resolve(us);
    };
    socket.setTimeout(LIMITS.connectMs, () => end(null));
    socket.once("error", () => end(null));
    socket.once("connect", () => end(1_000 * (performance.now() - started)));
  });
}

/** Facts of a host. */
export interface HostFacts {
  readonly machine: RunRecord["machine"];
  readonly topology: Topology;
  readonly priority: Priority;
  readonly grade: Grade;
  /** Equal for all hosts with one kernel and network: two hosts may be one machine. */
  readonly machineId: string;
  /** Equal for all hosts that share process ids; null if the system does not show it. */
  readonly processSpace: string | null;
  readonly links: readonly Link[];
}

/** Reads the facts of this host; it takes a second. */
export const readHostFacts = (machine: Machine): HostFacts => ({
  machine: describeMachine(),
  topology: machine.topology(),
  priority: raisedPriority(),
  grade: gradeOf(machineFacts()),
  machineId: machineId(),
  processSpace: processSpace(),
  links: linksHere(),
});
