import { spawnSync } from "node:child_process";
import { formatCpuList } from "../basics/cpu-list.ts";

/** Gives a running thread other CPUs; one that has ended meanwhile, or is somebody else's, keeps its own. Linux only. */
export function pinThread(id: number, cpus: readonly number[]): void {
  spawnSync("taskset", ["-p", "-c", formatCpuList(cpus), String(id)]);
}
