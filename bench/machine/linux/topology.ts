import { parseCpuList } from "../../basics/cpu-list.ts";
import type { Cpu, Topology } from "../../plan/placement.ts";
import { findProgram } from "../child.ts";
import { attempt } from "../attempt.ts";
import type { FileTree } from "./file-tree.ts";
import { parseStatusField } from "./proc-text.ts";

/** The CPUs this process may use, and how they share cores and memory; null where they cannot be chosen, with why. */
export function readTopology({ text, list }: FileTree): Topology {
  if (findProgram("taskset") === undefined) return { cpus: null, why: "taskset is not installed" };
  const allowed = attempt(
    "Cpus_allowed_list",
    () => parseCpuList(parseStatusField(text("proc/self/status"), "Cpus_allowed_list") ?? ""),
  );
  if ("unreadable" in allowed) return { cpus: null, why: allowed.unreadable };
  const cpus = allowed.value.map((id): Cpu => {
    const folder = `sys/devices/system/cpu/cpu${id}`;
    // Without topology files each CPU counts as a core of its own.
    const siblings = attempt("siblings", () => parseCpuList(text(folder, "topology/thread_siblings_list")));
    const node = attempt("node", () => {
      const name = list(folder).find((entry) => /^node\d+$/.test(entry));
      return name === undefined ? 0 : Number(name.slice(4));
    });
    return {
      id,
      core: "value" in siblings ? siblings.value[0]! : id,
      node: "value" in node ? node.value : 0,
    };
  });
  return { cpus, why: "" };
}
