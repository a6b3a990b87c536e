import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RuntimeName } from "../../servers/runtime.ts";
import type { StartAid } from "../record/user-spec.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { foldersUp, importsByPaths } from "./tsconfig-paths.ts";

const TSX = join(PROJECT_ROOT, "node_modules", "tsx", "dist", "loader.mjs");

/** Errors after which another way to load the app may work. */
const LOADING =
  /file extension|strip-only|Cannot find (module|package)|Directory import|Module not found|not a dependency|provide an export|SyntaxError|Unexpected token/;
/** Deno's error for CommonJS that no package.json declares. */
const COMMONJS = /--unstable-detect-cjs/;

/** Returns the flag that may help an app to start on a runtime, by its error; null if none would. */
export function helpfulFlag(runtime: RuntimeName, said: string): StartAid | null {
  if (runtime === "deno" && COMMONJS.test(said)) return "detect-cjs";
  if (!LOADING.test(said)) return null;
  if (runtime === "node") return existsSync(TSX) ? "tsx" : null;
  return runtime === "deno" ? "sloppy-imports" : null;
}

/**
 * Flags with which a runtime sees an app as it would in the app's folder: its settings and its packages, and nothing
 * written there, fetched or taken from a file of variables.
 * @param home the folder the app lives in
 */
export function runtimeFlags(runtime: RuntimeName, home: string, need: StartAid | undefined): string[] {
  if (runtime === "node") return need === "tsx" ? ["--import", pathToFileURL(TSX).href] : [];
  if (runtime === "bun") return ["--no-env-file"];
  const config = ["deno.json", "deno.jsonc", "tsconfig.json"].map((name) => join(home, name)).find(existsSync);
  return [
    "--no-lock",
    // Packages of a workspace are in the folder of the whole.
    `--node-modules-dir=${
      foldersUp(home).some((folder) => existsSync(join(folder, "node_modules"))) ? "manual" : "none"
    }`,
    ...(config === undefined ? [] : ["--config", config]),
    ...(need === "detect-cjs" ? ["--unstable-detect-cjs"] : []),
    ...(need === "sloppy-imports" ? ["--unstable-sloppy-imports", ...importMap(config, home)] : []),
  ];
}

/** Deno takes names of imports from an import map, not from a tsconfig.json: where that is all there is, they are given. */
function importMap(config: string | undefined, home: string): string[] {
  const imports = config === undefined || config.endsWith("tsconfig.json") ? importsByPaths(home) : null;
  return imports === null
    ? []
    : [`--import-map=data:application/json,${encodeURIComponent(JSON.stringify({ imports }))}`];
}
