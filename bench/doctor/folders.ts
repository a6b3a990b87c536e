import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { formatBytes } from "../basics/units.ts";
import type { Finding } from "../record/finding.ts";
import type { Reading } from "../record/samples.ts";
import { attempt, type FileTree, fileTree } from "../machine/readings.ts";
import { DOCTOR_LIMITS } from "./doctor-limits.ts";
import { type Around, blocks, costs, findingOf, isGuest, noneHere, ok, unknown } from "./row.ts";

/** A folder this project writes to. Nothing is made: a folder not there yet is judged by the nearest one that is. */
export interface FolderFacts {
  readonly name: "data" | "results";
  readonly path: string;
  readonly freeBytes: Reading<number>;
  readonly writable: boolean;
  readonly disk: Reading<DiskKind>;
}

const DISKS = { ssd: "solid state", spinning: "spinning disk", memory: "memory", network: "network" } as const;
const NETWORK = ["nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "fuse.sshfs", "ceph", "glusterfs"];

type DiskKind = keyof typeof DISKS;

/** Reads the facts of a folder without making it: the nearest existing folder above a missing one is judged. */
export function folderFacts(name: FolderFacts["name"], path: string): FolderFacts {
  let nearest = resolve(path);
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  return {
    name,
    path,
    freeBytes: attempt("free space", () => {
      const { bavail, bsize } = statfsSync(nearest);
      return bavail * bsize;
    }),
    writable: isWritable(nearest),
    disk: process.platform === "linux"
      ? attempt("the disk's kind", () => linuxDisk(fileTree("/"), nearest))
      : { unreadable: "macOS does not tell the kind of disk quickly" },
  };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Returns the kind of disk below a folder: its mount by the longest path in mountinfo, its kind by the block device's
 * queue. Throws if the mount does not name its disk.
 */
export function linuxDisk(files: FileTree, folder: string): DiskKind | undefined {
  const mounts = files.line("proc/self/mountinfo").split("\n").map((line) => {
    const [left, right] = line.split(" - ");
    const [, , device, , at] = left!.split(" ");
    return { device: device ?? "", at: (at ?? "").replaceAll("\\040", " "), type: right?.split(" ")[0] ?? "" };
  });
  const holding = mounts.filter(({ at }) => at === "/" || folder === at || folder.startsWith(`${at}/`));
  // The last of several mounts on one folder covers the others.
  const mount = holding.reduce((best, next) => next.at.length >= best.at.length ? next : best, holding[0]!);
  if (mount === undefined) return undefined;
  if (mount.type === "tmpfs" || mount.type === "ramfs") return "memory";
  if (NETWORK.includes(mount.type)) return "network";
  const block = `sys/dev/block/${mount.device}`;
  // A partition has no queue: its disk, the folder above it, has one.
  const device = files.has(block) ? files.real(block) : "none";
  const queue = [device, dirname(device)].map((path) => `${path}/queue/rotational`).find(files.has);
  if (queue === undefined) throw new Error(`${mount.type} does not tell its disk`);
  return files.line(queue) === "0" ? "ssd" : "spinning";
}

/** Judges if a folder can be written and has room; for the data folder its disk, too. */
export function judgeFolder(folder: FolderFacts, around: Around): Finding[] {
  const data = folder.name === "data";
  const elsewhere = `bin/bench all --${folder.name} FOLDER`;
  const space = { title: `${data ? "Data" : "Results"} folder`, cost: "it may fill up in the middle of a run" };
  const room = findingOf(`${folder.name}-folder`, space, judgeRoom(folder, elsewhere));
  if (!data) return [room];
  const disk = { title: "Data disk", cost: "servers that read or write files depend on it" };
  return [room, findingOf("data-disk", disk, judgeDisk(folder.disk, elsewhere, around))];
}

function judgeRoom({ name, path, writable, freeBytes }: FolderFacts, elsewhere: string) {
  if (!writable) return blocks(`${path} cannot be written`, elsewhere, "nothing can be kept there");
  if ("unreadable" in freeBytes) return unknown(freeBytes.unreadable, elsewhere);
  const seen = `${formatBytes(freeBytes.value)} free`;
  if (freeBytes.value < (name === "data" ? DOCTOR_LIMITS.freeBlocks : DOCTOR_LIMITS.resultsFreeBlocks)) {
    return blocks(seen, elsewhere, "what a run writes does not fit");
  }
  const tight = name === "data" && freeBytes.value < DOCTOR_LIMITS.freeCosts;
  return tight ? costs(seen, elsewhere, "large data sets do not fit") : ok(seen);
}

function judgeDisk(disk: FolderFacts["disk"], elsewhere: string, around: Around) {
  if ("unreadable" in disk) return unknown(disk.unreadable, noneHere(around));
  const waiting = "servers that write wait for it";
  if (disk.value === "ssd") return ok(DISKS.ssd);
  if (disk.value === "spinning" && isGuest(around)) {
    return unknown("shown as spinning, but a guest sees what its hypervisor shows", noneHere(around), waiting);
  }
  const cost = disk.value === "memory" ? "writes cost nothing here, unlike on a disk" : waiting;
  return costs(DISKS[disk.value], elsewhere, cost);
}
