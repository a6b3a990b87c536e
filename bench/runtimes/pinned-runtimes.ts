import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RuntimeName } from "../../servers/runtime.ts";
import { compareVersions } from "../plan/versions.ts";
import { fetchedRuntime, fetchRuntime } from "./fetch-runtime.ts";
import { LIMITS } from "../machine/clock.ts";
import { dataFolder, INSTALLED, PROJECT_ROOT } from "./project-folders.ts";

const TITLES: Readonly<Record<RuntimeName, string>> = { node: "Node", deno: "Deno", bun: "Bun" };
/** Sizes of the binaries on Linux; docs/environment.md has them, too. */
const SIZES_MB: Readonly<Record<RuntimeName, number>> = { node: 150, deno: 96, bun: 107 };

const folder = () => join(dataFolder(), "runtimes");

/** The version of a runtime that this project is tried with: a checkout depends on it, a package names it. */
export function pinnedVersion(name: RuntimeName): string {
  return readPins()[INSTALLED ? "triedWith" : "dependencies"][name]!;
}

function readPins(): Record<"dependencies" | "triedWith" | "peerDependencies", Readonly<Record<string, string>>> {
  return JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8"));
}

/** The binary of a runtime's pinned version, where it was fetched. */
export const fetchedPinned = (name: RuntimeName): string | undefined =>
  fetchedRuntime(name, pinnedVersion(name), folder());

/** Fetches the pinned versions of runtimes, all after one line that says so. Throws where npm cannot bring one. */
export async function fetchPinned(names: readonly RuntimeName[], say: (line: string) => void = () => {}) {
  if (names.length === 0) return;
  const list = names.map((name) => `${TITLES[name]} ${pinnedVersion(name)}`).join(", ");
  const size = names.reduce((sum, name) => sum + SIZES_MB[name], 0);
  say(`Fetching ${list}: about ${size} MB, once, into ${folder()}`);
  for (const name of names) await fetchRuntime(name, pinnedVersion(name), folder());
}

const known = new Map<string, boolean>();

/** Returns true if a program reports the lowest version that servers may run on, or a newer one. Each is run once. */
export function isNewEnough(name: RuntimeName, file: string): boolean {
  const answer = known.get(file) ?? reaches(versionIn(file), readPins().peerDependencies[name]!);
  known.set(file, answer);
  return answer;
}

function versionIn(file: string): string {
  try {
    return execFileSync(file, ["--version"], {
      encoding: "utf8",
      timeout: LIMITS.shortProgramMs,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "0.0";
  }
}

/** Returns true if the first version in one text is at least the first one in the other. */
function reaches(said: string, least: string): boolean {
  const [found, wanted] = [said, least].map((text) => /\d+(\.\d+)*/.exec(text)?.[0] ?? "0");
  return compareVersions(found!, wanted!) >= 0;
}
