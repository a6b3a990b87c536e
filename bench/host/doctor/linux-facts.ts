import type { MachineFacts } from "../../core/doctor/facts.ts";
import { linuxMachine } from "../linux.ts";
import { filesBelow } from "./files.ts";
import { linuxCpus } from "./linux-cpus.ts";
import { linuxLimits } from "./linux-limits.ts";
import { linuxLoad } from "./linux-load.ts";
import { linuxMemory } from "./linux-memory.ts";
import { linuxPlace } from "./linux-place.ts";
import { linuxQuota } from "./linux-quota.ts";

/**
 * Everything Linux says of itself at once, from /proc and /sys alone: no program is started, nothing is waited for.
 *
 * @param root put before every path, so that made-up trees can be read
 */
export function linuxFacts(root = "/", env: Readonly<Record<string, string | undefined>> = process.env): MachineFacts {
  const files = filesBelow(root);
  const topology = linuxMachine(root).topology();
  const allowed = topology.cpus?.map(({ id }) => id) ?? [];
  return {
    os: "linux",
    root: process.getuid?.() === 0,
    topology,
    ...linuxCpus(files, allowed),
    ...linuxLoad(files, allowed),
    cpuQuota: linuxQuota(files),
    ...linuxMemory(files),
    ...linuxLimits(files),
    ...linuxPlace(files, env),
  };
}
