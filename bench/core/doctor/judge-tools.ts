import { formatBytes } from "../units.ts";
import type { FolderFacts, MachineFacts, ToolFacts } from "./facts.ts";
import { about, type Finding } from "./finding.ts";
import { LIMITS } from "./limits.ts";
import { isGuest, noneHere } from "./surroundings.ts";

/** Whether a program runs and is the version this project is pinned to. */
export function judgeTool(tool: ToolFacts): Finding {
  const subject = about(tool.name, tool.name);
  const mend = { command: tool.install };
  if ("unreadable" in tool.version) return subject.blocks(tool.version.unreadable, "it cannot be measured with", mend);
  const { versions, by } = tool.pinned;
  const version = tool.version.value;
  if (versions.includes(version)) return subject.ok(`${version}, ${by}`);
  return subject.costs(
    `${version}, not ${versions.join(" or ")} (${by})`,
    "figures differ between versions: runs with the pinned one do not compare with these",
    mend,
  );
}

const DISKS = { ssd: "solid state", spinning: "spinning disk", memory: "memory", network: "network" } as const;

/** Whether a folder can be written and has room; for the data folder also what holds it. */
export function judgeFolder(folder: FolderFacts, machine: MachineFacts): Finding[] {
  const title = `${folder.name === "data" ? "Data" : "Results"} folder`;
  const space = about(`${folder.name}-folder`, title);
  const elsewhere = { command: `bin/bench all --${folder.name} FOLDER` };
  const least = folder.name === "data" ? LIMITS.freeBlocks.value : LIMITS.resultsFreeBlocks.value;
  const room = !folder.writable
    ? space.blocks(`${folder.path} cannot be written`, "nothing can be kept there", elsewhere)
    : space.from(folder.freeBytes, { cost: "it may fill up in the middle of a run", mend: elsewhere }, (free) => {
      const seen = `${formatBytes(free)} free`;
      if (free < least) return space.blocks(seen, "what a run writes does not fit", elsewhere);
      const tight = folder.name === "data" && free < LIMITS.freeCosts.value;
      return tight ? space.costs(seen, "large data sets do not fit", elsewhere) : space.ok(seen);
    });
  if (folder.name === "results") return [room];
  const disk = about("data-disk", "Data disk");
  const kind = disk.from(
    folder.disk,
    { cost: "servers that read or write files depend on it", mend: noneHere(machine) },
    (kind) => {
      if (kind === "spinning" && isGuest(machine)) {
        return disk.unknown(
          "shown as spinning, but a guest sees what its hypervisor shows",
          "servers that write wait for it",
          noneHere(machine),
        );
      }
      if (kind === "ssd") return disk.ok(DISKS[kind]);
      const cost = kind === "memory" ? "writes cost nothing here, unlike on a disk" : "servers that write wait for it";
      return disk.costs(DISKS[kind], cost, elsewhere);
    },
  );
  return [room, kind];
}
