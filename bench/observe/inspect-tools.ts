import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RUNTIME_NAMES, type RuntimeName } from "../../servers/runtime.ts";
import type { ToolFacts } from "../core/doctor/facts.ts";
import type { Reading } from "../core/samples.ts";
import { wrk } from "../generators/wrk.ts";
import { inspectRuntime, PROJECT_ROOT } from "../host/runtimes.ts";
import { inspectGenerator } from "./inspect-generator.ts";

/** Versions of wrk whose output and histogram were checked: Debian's and the one of nixpkgs and Homebrew. */
const KNOWN_WRK = ["4.1.0", "4.2.0"];

/** Every program results depend on, its version and the version it is pinned to. */
export async function inspectTools(): Promise<ToolFacts[]> {
  return await Promise.all([...RUNTIME_NAMES.map(inspectRuntimeTool), inspectWrk()]);
}

async function inspectRuntimeTool(name: RuntimeName): Promise<ToolFacts> {
  const pins = JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8")).dependencies as Record<
    string,
    string
  >;
  const version = await asReading(inspectRuntime(name));
  const fromPath = "value" in version && version.value.origin === "path" && process.env["LEVELFIELD_TOOLS"] === "path";
  return {
    name,
    version: "value" in version ? { value: version.value.version.replace(/^v/, "") } : version,
    // Inside the Nix shell flake.lock pins what is on PATH, so whatever is there is meant.
    pinned: fromPath && process.env["IN_NIX_SHELL"] !== undefined
      ? { versions: [version.value.version], by: "pinned by flake.lock" }
      : { versions: [pins[name]!], by: "pinned by package-lock.json" },
    install: "npm ci",
  };
}

async function inspectWrk(): Promise<ToolFacts> {
  const found = await asReading(inspectGenerator(wrk));
  const { apt, brew, nix } = wrk.install;
  const install = process.platform === "darwin"
    ? `${brew}   # or: ${nix}`
    : process.getuid?.() === 0
    ? apt
    : `sudo ${apt}`;
  return {
    name: "wrk",
    // Debian's build puts its own name before the number and its revision after it.
    version: "value" in found
      ? { value: /\d+\.\d+\.\d+/.exec(found.value.version)?.[0] ?? found.value.version }
      : found,
    pinned: { versions: KNOWN_WRK, by: "tried with this project" },
    install,
  };
}

async function asReading<T>(promise: Promise<T>): Promise<Reading<T>> {
  try {
    return { value: await promise };
  } catch (error) {
    return { unreadable: (error as Error).message };
  }
}
