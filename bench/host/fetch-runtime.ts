import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RuntimeName } from "../../servers/runtime.ts";
import { failure } from "../basics/errors.ts";
import { runToEnd } from "./run-to-end.ts";

const FETCH_TIMEOUT_MS = 300_000;

/** The npm package that holds nothing but a runtime's binary for this platform, and the binary's place in it. */
function platformPackage(name: RuntimeName): { readonly package: string; readonly binary: string } {
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

/**
 * Fetches one exact version of a runtime into a folder of its own, through npm, which checks the registry's integrity
 * hash. A version once fetched is not fetched again. Throws when npm cannot bring it.
 * @returns the binary's path
 */
export async function fetchRuntime(name: RuntimeName, version: string, cacheDirectory: string): Promise<string> {
  const { package: packageName, binary } = platformPackage(name);
  const home = join(cacheDirectory, `${name}-${version}`);
  const file = join(home, "node_modules", packageName, binary);
  if (!existsSync(file)) {
    mkdirSync(cacheDirectory, { recursive: true });
    const fresh = mkdtempSync(join(cacheDirectory, ".fetch-"));
    const wanted = `${packageName}@${version}`;
    const args = ["install", "--prefix", fresh, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", wanted];
    const { code, stderr } = await runToEnd("npm", args, fresh, FETCH_TIMEOUT_MS);
    if (code !== 0) {
      rmSync(fresh, { recursive: true, force: true });
      const why = stderr.split("\n").find((line) => /^npm (error|ERR!) [^c]/.test(line)) ?? stderr.split("\n")[0];
      throw failure(
        `${name} ${version} could not be fetched: ${why?.replace(/^npm (error|ERR!) /, "") || "npm failed"}`,
        `see the versions there are with "npm view ${packageName} versions", or give a file: ${name}=/path`,
      );
    }
    rmSync(home, { recursive: true, force: true });
    renameSync(fresh, home);
  }
  return realpathSync(file);
}
