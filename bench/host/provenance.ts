import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import type { RunRecord } from "../core/result/run-record.ts";
import { fileSha256, PROJECT_ROOT } from "./runtimes.ts";
import { runToEnd } from "./run-to-end.ts";

/** This project's version, from package.json. */
export function levelfieldVersion(): string {
  return JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8")).version;
}

/** Which Levelfield this is: commit, whether files differ from it, and the lock file. */
export async function describeProject(): Promise<RunRecord["levelfield"]> {
  const commit = await runToEnd("git", ["rev-parse", "HEAD"], PROJECT_ROOT);
  const status = await runToEnd("git", ["status", "--porcelain"], PROJECT_ROOT);
  const lock = join(PROJECT_ROOT, "package-lock.json");
  return {
    version: levelfieldVersion(),
    git_commit: commit.code === 0 ? commit.stdout.trim() : null,
    git_dirty: status.code === 0 ? status.stdout.trim() !== "" : null,
    lock_file_sha256: existsSync(lock) ? fileSha256(lock) : null,
    source_sha256: sourceSha256(),
  };
}

/** SHA-256 over names and contents of everything that runs, tests left out. */
function sourceSha256(): string {
  const hash = createHash("sha256");
  for (const folder of ["bench", "servers", "stores"]) {
    const names = readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: "utf8" });
    for (const name of names.filter((name) => /\.(ts|lua)$/.test(name) && !/\.(test|d)\.ts$/.test(name)).sort()) {
      hash.update(`${folder}/${name}\0`).update(readFileSync(join(PROJECT_ROOT, folder, name)));
    }
  }
  return hash.digest("hex");
}

/** Facts about the machine that explain its figures. */
export function describeMachine(): RunRecord["machine"] {
  return {
    os: os.type(),
    kernel: os.release(),
    architecture: os.arch(),
    cpu_model: os.cpus()[0]?.model.trim() || "unknown",
    cpus: Math.max(1, os.cpus().length),
    cpus_allowed: /^Cpus_allowed_list:\s*(.*)$/m.exec(readOr("/proc/self/status", ""))?.[1] ?? null,
    memory_bytes: os.totalmem(),
    virtualization: virtualization(),
    container: container(),
  };
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return otherwise;
  }
}

/** `hypervisor` where the CPU says it is a guest's; null where nothing can be told. */
function virtualization(): string | null {
  const info = readOr("/proc/cpuinfo", "");
  if (info === "") return null;
  if (!/^flags.*\bhypervisor\b/m.test(info)) return "none seen";
  return readOr("/sys/class/dmi/id/sys_vendor", "").trim() || "hypervisor";
}

function container(): string | null {
  if (existsSync("/run/.containerenv")) return "podman";
  if (existsSync("/.dockerenv")) return "docker";
  return process.env["container"] ?? null;
}
