import { readFileSync } from "node:fs";
import os from "node:os";
import { failure, orElse } from "../basics/errors.ts";
import { cpuKind } from "../plan/cpu-kind.ts";
import { darwinMachine } from "./darwin.ts";
import { linuxMachine } from "./linux.ts";
import type { Machine } from "./machine.ts";

/** The machine the driver runs on. Throws on any system but Linux and macOS. */
export function thisMachine(): Machine {
  if (process.platform === "linux") return linuxMachine();
  if (process.platform === "darwin") return darwinMachine();
  throw failure(`Levelfield measures on Linux and macOS, not on "${process.platform}"`, "use a container or WSL 2");
}

/** The model's name as the system gives it; `unknown` where it gives none. */
export function thisCpuModel(): string {
  return os.cpus()[0]?.model.trim() || "unknown";
}

/** The kind of this machine's CPU: see {@link cpuKind}. */
export function thisCpuKind(): string {
  // macOS has none: the brand string is the model's name.
  const cpuinfo = orElse(() => readFileSync("/proc/cpuinfo", "utf8"), "");
  return cpuKind(cpuinfo, thisCpuModel());
}
