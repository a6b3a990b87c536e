import { machineId } from "./look-around.ts";
import { dataFolder, PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { levelfieldVersion, sourceSha256 } from "../runs/provenance.ts";
import { type Hello, PROTOCOL } from "./protocol.ts";

/** What this side of a pipe is. */
export function identity(): Hello {
  return {
    schema: PROTOCOL,
    version: levelfieldVersion(),
    source_sha256: sourceSha256(null),
    root: PROJECT_ROOT,
    data: dataFolder(),
    machine: machineId(),
  };
}

/** Why two sides must not work together, naming both; null where they may. */
export function differenceOf(driver: Hello, agent: Hello): string | null {
  if (driver.source_sha256 === agent.source_sha256) return null;
  const text = ({ version, source_sha256 }: Hello) => `${version}, source ${source_sha256.slice(0, 12)}`;
  return `the driver is Levelfield ${text(driver)}, and its agent is ${text(agent)}`;
}

/** What to do about another one. */
export const SAME_SOURCE = "check out the same revision on both hosts, with no file changed on one alone";
