import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RUNTIME_NAMES, type RuntimeName } from "../../servers/runtime.ts";
import { inspectRuntime, locateRuntime } from "./runtimes.ts";

/** The version of each runtime there is, by name; those that are not there are left out. */
export async function runtimeVersions(): Promise<Map<string, string>> {
  const found = await Promise.allSettled(RUNTIME_NAMES.map(versionHere));
  return new Map(found.flatMap((result) => result.status === "fulfilled" ? [result.value] : []));
}

/** What npm installed says so in its package, which is quicker than to start it; any other is asked. */
async function versionHere(name: RuntimeName): Promise<readonly [string, string]> {
  const { file, origin } = locateRuntime(name);
  for (let folder = dirname(file); origin === "npm" && folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { name: found, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      if (found === name) return [name, version];
    } catch {
      // The package is further up.
    }
  }
  return [name, (await inspectRuntime(name)).version];
}
