import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RuntimeName } from "../../servers/runtime.ts";
import { failure } from "../basics/errors.ts";
import { holderOf, takeMachine } from "./run-lock.ts";
import { runToEnd } from "./run-to-end.ts";

const FETCH_TIMEOUT_MS = 1_800_000, TURN_MS = 200;

/** What a folder is called in which a version is not whole yet. */
const FRESH = ".fetch-";

/** A network that is not there is said within seconds, not minutes. */
const NPM_FLAGS = [
  ...["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"],
  ...["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=3000"],
];

/** The npm package that holds nothing but a runtime's binary for this platform, and the binary's place in it. */
export function platformPackage(name: RuntimeName): { readonly package: string; readonly binary: string } {
  const { platform, arch } = process;
  if (name === "node") {
    const prefix = platform === "darwin" && arch === "arm64" ? "node-bin" : "node";
    return { package: `${prefix}-${platform}-${arch}`, binary: "bin/node" };
  }
  if (name === "deno") {
    return { package: `@deno/${platform}-${arch}${platform === "linux" ? "-glibc" : ""}`, binary: "deno" };
  }
  return { package: `@oven/bun-${platform}-${arch === "arm64" ? "aarch64" : arch}`, binary: "bin/bun" };
}

/** The binary of a version that was fetched, or undefined. */
export function fetchedRuntime(name: RuntimeName, version: string, folder: string): string | undefined {
  const { package: packageName, binary } = platformPackage(name);
  const file = join(folder, `${name}-${version}`, "node_modules", packageName, binary);
  return existsSync(file) ? realpathSync(file) : undefined;
}

/**
 * Fetches one exact version of a runtime into a folder of its own, through npm, which checks the registry's integrity
 * hash. A version once fetched is not fetched again. Of two processes the second waits, and takes what the first brought.
 * Throws when npm cannot bring it.
 *
 * @param folder of fetched versions
 * @returns the binary's path
 */
export async function fetchRuntime(name: RuntimeName, version: string, folder: string): Promise<string> {
  const there = fetchedRuntime(name, version, folder);
  if (there !== undefined) return there;
  const giveBack = await takeTurn(folder);
  try {
    return fetchedRuntime(name, version, folder) ?? await fetchNow(name, version, folder);
  } finally {
    giveBack();
  }
}

/** Waits until no other fetches into a folder. */
async function takeTurn(folder: string): Promise<() => void> {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw failure(`cannot make "${folder}" for runtimes: ${why}`, "set LEVELFIELD_DATA to a folder of yours", error);
  }
  const lock = join(folder, ".lock");
  for (;;) {
    try {
      if (holderOf(lock) === undefined) return takeMachine(lock);
    } catch (error) {
      if (holderOf(lock) === undefined) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
  }
}

/** In a folder that becomes the version's own once it is whole. */
async function fetchNow(name: RuntimeName, version: string, folder: string): Promise<string> {
  // What was stopped half-way: nobody else fetches now.
  for (const left of readdirSync(folder).filter((each) => each.startsWith(FRESH))) {
    rmSync(join(folder, left), { recursive: true, force: true });
  }
  const fresh = mkdtempSync(join(folder, FRESH));
  const { package: packageName } = platformPackage(name);
  const wanted = `${packageName}@${version}`;
  const args = ["install", "--prefix", fresh, ...NPM_FLAGS, wanted];
  const { code, stderr } = await runToEnd("npm", args, fresh, FETCH_TIMEOUT_MS);
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw failure(
      `${name} ${version} could not be fetched: ${npmFault(stderr)}`,
      /\b(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENOTCACHED)\b/.test(stderr)
        ? `again with a network, or give a file: --runtime ${name}=/path/to/${name}`
        : `see the versions there are with "npm view ${packageName} versions", or give a file: ${name}=/path`,
    );
  }
  const home = join(folder, `${name}-${version}`);
  rmSync(home, { recursive: true, force: true });
  renameSync(fresh, home);
  return fetchedRuntime(name, version, folder)!;
}

/** What npm says went wrong, in a line. */
export function npmFault(stderr: string): string {
  const lines = stderr.split("\n");
  const why = lines.find((line) => /^npm (error|ERR!) [^c]/.test(line)) ?? lines[0];
  return why?.replace(/^npm (error|ERR!) /, "") || "npm failed";
}
