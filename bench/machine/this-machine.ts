import { failure } from "../basics/errors.ts";
import { darwinMachine } from "./darwin.ts";
import { linuxMachine } from "./linux.ts";
import type { Machine } from "./machine.ts";

/** The machine the driver runs on. Throws where neither Linux nor macOS runs. */
export function thisMachine(): Machine {
  if (process.platform === "linux") return linuxMachine();
  if (process.platform === "darwin") return darwinMachine();
  throw failure(`Levelfield measures on Linux and macOS, not on "${process.platform}"`, "use a container or WSL 2");
}
