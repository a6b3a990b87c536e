import { readFileSync } from "node:fs";
import os from "node:os";
import { cpuKind } from "../core/cpu-kind.ts";

/** The model's name as the system gives it; `unknown` where it gives none. */
export function thisCpuModel(): string {
  return os.cpus()[0]?.model.trim() || "unknown";
}

/** The kind of this machine's CPU: see {@link cpuKind}. */
export function thisCpuKind(): string {
  let cpuinfo = "";
  try {
    cpuinfo = readFileSync("/proc/cpuinfo", "utf8");
  } catch {
    // macOS has none: the brand string is the model's name.
  }
  return cpuKind(cpuinfo, thisCpuModel());
}
