import { formatBytes } from "../../basics/units.ts";
import type { FolderFacts, MachineFacts, ToolFacts } from "./facts.ts";
import { about, type Finding, isGuest, noneHere } from "./finding.ts";
import { LIMITS } from "./limits.ts";

/** Whether a program runs and is the version this project is pinned to. */
export function judgeTool({ name, version, pinned: { versions, by }, install, onlyFor }: ToolFacts): Finding {
  const { ok, costs, blocks, unknown } = about(
    name,
    name,
    "figures differ between versions: runs with the pinned one do not compare with these",
  );
  const mend = { command: install };
  if ("unreadable" in version && onlyFor !== undefined) {
    return unknown(version.unreadable, mend, `needed for ${onlyFor}`);
  }
  if ("unreadable" in version) return blocks(version.unreadable, mend, "it cannot be measured with");
  if (versions.includes(version.value)) return ok(`${version.value}, ${by}`);
  return costs(`${version.value}, not ${versions.join(" or ")} (${by})`, mend);
}

const DISKS = { ssd: "solid state", spinning: "spinning disk", memory: "memory", network: "network" } as const;

/** Whether a folder can be written and has room; for the data folder also what holds it. */
export function judgeFolder(folder: FolderFacts, machine: MachineFacts): Finding[] {
  const data = folder.name === "data";
  const space = about(
    `${folder.name}-folder`,
    `${data ? "Data" : "Results"} folder`,
    "it may fill up in the middle of a run",
  );
  const elsewhere = { command: `bin/bench all --${folder.name} FOLDER` };
  const least = data ? LIMITS.freeBlocks.value : LIMITS.resultsFreeBlocks.value;
  const room = !folder.writable
    ? space.blocks(`${folder.path} cannot be written`, elsewhere, "nothing can be kept there")
    : space.from(folder.freeBytes, elsewhere, (free, { ok, costs, blocks }) => {
      const seen = `${formatBytes(free)} free`;
      if (free < least) return blocks(seen, elsewhere, "what a run writes does not fit");
      return data && free < LIMITS.freeCosts.value ? costs(seen, elsewhere, "large data sets do not fit") : ok(seen);
    });
  if (!data) return [room];
  const none = noneHere(machine);
  const disk = about("data-disk", "Data disk", "servers that read or write files depend on it")
    .from(folder.disk, none, (kind, { ok, costs, unknown }) => {
      const waiting = "servers that write wait for it";
      if (kind === "ssd") return ok(DISKS[kind]);
      if (kind === "spinning" && isGuest(machine)) {
        return unknown("shown as spinning, but a guest sees what its hypervisor shows", none, waiting);
      }
      const cost = kind === "memory" ? "writes cost nothing here, unlike on a disk" : waiting;
      return costs(DISKS[kind], elsewhere, cost);
    });
  return [room, disk];
}
