import type { MachineFacts } from "../../core/doctor/facts.ts";
import { failure } from "../../basics/errors.ts";
import { ask } from "./ask.ts";
import { darwinFacts } from "./darwin-facts.ts";
import { linuxFacts } from "./linux-facts.ts";

/**
 * Everything this machine says of itself at once, for grading a run: a few milliseconds on Linux, which is files alone.
 * Throws where neither Linux nor macOS runs.
 */
export function machineFacts(): MachineFacts {
  if (process.platform === "linux") return linuxFacts();
  if (process.platform === "darwin") return darwinFacts(ask);
  throw failure(`Levelfield measures on Linux and macOS, not on "${process.platform}"`, "use a container or WSL 2");
}
