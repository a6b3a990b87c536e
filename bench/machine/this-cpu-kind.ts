import { readFileSync } from "node:fs";
import os from "node:os";
import { orElse } from "../basics/errors.ts";
import { cpuKind } from "../plan/cpu-kind.ts";

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
