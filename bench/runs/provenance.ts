import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { orElse } from "../basics/errors.ts";
import type { RunRecord } from "../record/run-record.ts";
import { childEnvironment, fileSha256 } from "../runtimes/runtimes.ts";
import { INSTALLED, PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { git } from "../sources/git.ts";
import { valueOf } from "../record/samples.ts";
import { machineFacts } from "../doctor/machine-facts.ts";
import { thisCpuKind, thisCpuModel } from "../machine/this-machine.ts";

/** This project's version, from package.json. */
export function levelfieldVersion(): string {
  return readManifest().version;
}

/** Reads package.json; that of a package holds the commit, too. */
function readManifest(): { readonly version: string; readonly gitHead?: string } {
  return JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8"));
}

/** The source of the tools: named by the Nix shell and the image, npm otherwise. */
export function toolsEnvironment(): RunRecord["levelfield"]["environment"] {
  const declared = process.env["LEVELFIELD_ENVIRONMENT"];
  return declared === "nix" || declared === "image" ? declared : "npm";
}

/** Describes this Levelfield: commit, changes, lock files, tools, and source with a suite's module outside of it. */
export async function describeProject(module: string | null): Promise<RunRecord["levelfield"]> {
  const sha256 = (name: string) => existsSync(join(PROJECT_ROOT, name)) ? fileSha256(join(PROJECT_ROOT, name)) : null;
  return {
    version: levelfieldVersion(),
    ...await describeCommit(),
    lock_file_sha256: sha256("package-lock.json"),
    source_sha256: sourceSha256(module),
    flake_lock_sha256: sha256("flake.lock"),
    environment: toolsEnvironment(),
    image_digest: process.env["LEVELFIELD_IMAGE_DIGEST"] || null,
  };
}

/** Packages and images are given their commit when they are made: a repository around them is another project's. */
async function describeCommit(): Promise<Pick<RunRecord["levelfield"], "git_commit" | "git_dirty">> {
  const given = process.env["LEVELFIELD_GIT_COMMIT"] || readManifest().gitHead;
  if (given) return { git_commit: given.replace(/-dirty$/, ""), git_dirty: given.endsWith("-dirty") };
  if (INSTALLED) return { git_commit: null, git_dirty: null };
  const commit = await git("rev-parse", "HEAD");
  const status = await git("status", "--porcelain");
  return {
    git_commit: commit.code === 0 ? commit.stdout.trim() : null,
    git_dirty: status.code === 0 ? status.stdout.trim() !== "" : null,
  };
}

/** SHA-256 over names and contents of everything that runs, with a suite's module outside this project. */
export function sourceSha256(module: string | null): string {
  const hash = createHash("sha256");
  if (module !== null) hash.update(readFileSync(module));
  for (const folder of ["bench", "suites", "servers", "stores"]) {
    const names = readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: "utf8" });
    for (const name of names.filter((name) => /\.(ts|js|lua)$/.test(name) && !/\.(test|d)\.ts$/.test(name)).sort()) {
      hash.update(`${folder}/${name}\0`).update(readFileSync(join(PROJECT_ROOT, folder, name)));
    }
  }
  return hash.digest("hex");
}

/** Facts about the machine that explain its figures. */
export function describeMachine(): RunRecord["machine"] {
  const facts = machineFacts();
  const cpus = facts.topology.cpus;
  const folders = ["PATH", "HOME", "TMPDIR", "DENO_DIR"];
  return {
    os: os.type(),
    kernel: os.release(),
    architecture: os.arch(),
    cpu_model: thisCpuModel(),
    cpu_kind: thisCpuKind(),
    cpus: Math.max(1, os.cpus().length),
    cpus_allowed: /^Cpus_allowed_list:\s*(.*)$/m.exec(readOr("/proc/self/status", ""))?.[1] ?? null,
    memory_bytes: os.totalmem(),
    virtualization: valueOf(facts["virtual-machine"]),
    container: containerOf(valueOf(facts.container)),
    libc: libc(readOr("/proc/self/maps", "")),
    governors: valueOf(facts.governor)?.names ?? null,
    topology: cpus && cpus.map(({ id, core, node }) => ({ cpu: id, core, node })),
    environment: Object.fromEntries(Object.entries(childEnvironment()).filter(([name]) => !folders.includes(name))),
  };
}

function readOr(file: string, otherwise: string, encoding: "utf8" | "latin1" = "utf8"): string {
  return orElse(() => readFileSync(file, encoding), otherwise);
}

/** A container's kind as the machine shows it; inside the image without such marks it is there, but unknown. */
function containerOf(seen: string | null): string | null {
  return seen ?? (toolsEnvironment() === "image" ? "unknown" : null);
}

/** Returns the C library among the files a process maps, such as `glibc 2.41`; the library's text holds its version. */
function libc(maps: string): string | null {
  const file = /\s(\/\S*\/(?:libc\.so\.6|libc-[\d.]+\.so|ld-musl-\S+))$/m.exec(maps)?.[1];
  if (file === undefined) return null;
  if (file.includes("musl")) return "musl";
  const version = /GNU C Library [^\n]*?version (\d+\.\d+)/.exec(readOr(file, "", "latin1"))?.[1];
  return version === undefined ? "glibc" : `glibc ${version}`;
}
