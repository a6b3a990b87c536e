import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder, with a slash at its end. */
export const PROJECT_ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** True for an installed package, which is built; a checkout runs as it is written. */
export const INSTALLED = !import.meta.url.endsWith(".ts");

/** The file that starts the driver. */
export const LAUNCHER = join(PROJECT_ROOT, ...(INSTALLED ? ["package", "levelfield.js"] : ["bin", "bench"]));

/**
 * Returns the default folder of runs: LEVELFIELD_RESULTS, else `results` of the checkout around the current folder, else
 * `levelfield-results` of the current folder. A package is never written to, nor a checkout from outside.
 */
export function resultsFolder(): string {
  const inCheckout = !INSTALLED && `${process.cwd()}/`.startsWith(PROJECT_ROOT);
  return process.env["LEVELFIELD_RESULTS"] ||
    (inCheckout ? join(PROJECT_ROOT, "results") : resolve("levelfield-results"));
}

/** Returns the folder of the run named `reference`: a checkout carries one, from wherever it is started. */
export function referencesFolder(): string {
  return process.env["LEVELFIELD_RESULTS"] || (INSTALLED ? resultsFolder() : join(PROJECT_ROOT, "results"));
}

/** Returns the default folder of files built for servers: LEVELFIELD_DATA, else the checkout's or the user's cache. */
export function dataFolder(): string {
  return process.env["LEVELFIELD_DATA"] || (INSTALLED ? userFolder() : join(PROJECT_ROOT, ".data"));
}

/** Returns the folder of other revisions of this project, below that of data. */
export const revisionsFolder = (data: string): string => join(data, "revisions");

/** Returns the user's cache folder of this project, shared by all its checkouts and packages. */
export function userFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "levelfield");
}
