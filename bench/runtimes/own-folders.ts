import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { INSTALLED, PROJECT_ROOT } from "./runtimes.ts";

/**
 * The folder of runs unless another is named: LEVELFIELD_RESULTS, else `results` of the checkout one stands in, else
 * `levelfield-results` of the current folder. Nothing is written into a package, or a checkout from outside.
 */
export function resultsFolder(): string {
  const inCheckout = !INSTALLED && `${process.cwd()}/`.startsWith(PROJECT_ROOT);
  return process.env["LEVELFIELD_RESULTS"] ||
    (inCheckout ? join(PROJECT_ROOT, "results") : resolve("levelfield-results"));
}

/** The folder that `reference` is looked for in: a checkout brings its own along, from wherever it is started. */
export function referencesFolder(): string {
  return process.env["LEVELFIELD_RESULTS"] || (INSTALLED ? resultsFolder() : join(PROJECT_ROOT, "results"));
}

/** The folder of what is built for servers unless another is named: LEVELFIELD_DATA, else the checkout's or the user's cache. */
export function dataFolder(): string {
  return process.env["LEVELFIELD_DATA"] || (INSTALLED ? userFolder() : join(PROJECT_ROOT, ".data"));
}

/** The folder of other revisions of this project, below that of data. */
export const revisionsFolder = (data: string): string => join(data, "revisions");

/** The user's own folder for what may be lost, whatever checkout or package this is. */
export function userFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "levelfield");
}
