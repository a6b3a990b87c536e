import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RuntimeName } from "../../servers/runtime.ts";
import { failure, orElse, usageError } from "../basics/errors.ts";
import { visible } from "../basics/visible.ts";
import { isVersion } from "../plan/versions.ts";
import { inFreshFolder, npmIn } from "./npm.ts";

const FETCH_TIMEOUT_MS = 1_800_000;

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

/** The binary of a version that was fetched, or undefined. Throws for a text that is no version. */
export function fetchedRuntime(name: RuntimeName, version: string, folder: string): string | undefined {
  if (!isVersion(version)) throw usageError(`${visible(version)} is no version of ${name}`, `${name}@1.2.3`);
  const { package: packageName, binary } = platformPackage(name);
  const file = join(folder, `${name}-${version}`, "node_modules", packageName, binary);
  return existsSync(file) ? realpathSync(file) : undefined;
}

/**
 * Fetches one exact version of a runtime into a new folder, through npm. Its bytes must have the SHA-512 that the registry
 * names for this version. A fetched version is not fetched again. A second process waits, and takes what the first has
 * fetched. Throws if npm cannot fetch it.
 *
 * @param folder of fetched versions
 * @returns the binary's path
 */
export async function fetchRuntime(name: RuntimeName, version: string, folder: string): Promise<string> {
  return fetchedRuntime(name, version, folder) ?? await inFreshFolder(
    folder,
    async (fresh) => fetchedRuntime(name, version, folder) ?? await fetchInto(fresh, name, version, folder),
  );
}

/** The fresh folder gets the version's name once it is complete. */
async function fetchInto(fresh: string, name: RuntimeName, version: string, folder: string): Promise<string> {
  const { package: packageName, binary } = platformPackage(name);
  try {
    await installChecked(fresh, `${packageName}@${version}`);
    if (!existsSync(join(fresh, "node_modules", packageName, binary))) {
      throw new Error(`"${packageName}@${version}" holds no "${binary}"`);
    }
  } catch (error) {
    const { message, cause } = error as Error;
    throw failure(
      `${name} ${version} could not be fetched: ${message}`,
      /\b(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENOTCACHED)\b/.test(`${message} ${cause}`)
        ? `again with a network, or give a file: --runtime ${name}=/path/to/${name}`
        : `see the versions there are with "npm view ${packageName} versions", or give a file: ${name}=/path`,
      error,
    );
  }
  const home = join(folder, `${name}-${version}`);
  rmSync(home, { recursive: true, force: true });
  renameSync(fresh, home);
  return fetchedRuntime(name, version, folder)!;
}

/** Installs one exact package, after its bytes were compared with the registry's SHA-512. Throws an Error of one line. */
async function installChecked(fresh: string, wanted: string): Promise<void> {
  const answer = await npmIn(fresh, ["view", wanted, "dist", "--json"], FETCH_TIMEOUT_MS);
  const dist: { readonly integrity?: unknown } | null = orElse(() => JSON.parse(answer), null);
  const hashes = String(dist?.integrity).split(/\s+/).filter((hash) => hash.startsWith("sha512-"));
  if (hashes.length === 0) throw new Error(`the registry names no SHA-512 of "${wanted}"`);
  await npmIn(fresh, ["pack", wanted, "--silent", "--pack-destination", fresh], FETCH_TIMEOUT_MS);
  const [packed] = readdirSync(fresh).filter((file) => file.endsWith(".tgz"));
  if (packed === undefined) throw new Error(`npm packed nothing of "${wanted}"`);
  const hash = `sha512-${createHash("sha512").update(readFileSync(join(fresh, packed))).digest("base64")}`;
  if (!hashes.includes(hash)) throw new Error(`"${wanted}" came with other bytes than the registry names: ${hash}`);
  await npmIn(fresh, ["install", `./${packed}`, "--no-save", "--offline"], FETCH_TIMEOUT_MS);
  rmSync(join(fresh, packed));
}
