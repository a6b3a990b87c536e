import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DiskKind, FolderFacts } from "../../core/doctor/facts.ts";
import type { Reading } from "../../record/samples.ts";
import { attempt } from "./attempt.ts";
import { type Files, filesBelow } from "./files.ts";

const NETWORK = ["nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "fuse.sshfs", "ceph", "glusterfs"];

/** What a folder offers, without making it: one not there yet is judged by the nearest above that is. */
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
      ? linuxDisk(filesBelow("/"), nearest)
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

/** The disk below a folder: its mount by the longest path in mountinfo, its kind by the block device's queue. */
export function linuxDisk(files: Files, folder: string): Reading<DiskKind> {
  return attempt("the disk's kind", () => {
    const mounts = files.text("proc/self/mountinfo").split("\n").map((line) => {
      const [left, right] = line.split(" - ");
      const [, , device, , at] = left!.split(" ");
      return { device: device ?? "", at: (at ?? "").replaceAll("\\040", " "), type: right?.split(" ")[0] ?? "" };
    });
    const holding = mounts.filter(({ at }) => at === "/" || folder === at || folder.startsWith(`${at}/`));
    // Of mounts on the same folder the last covers the others.
    const mount = holding.reduce((best, next) => next.at.length >= best.at.length ? next : best, holding[0]!);
    if (mount === undefined) return undefined;
    if (mount.type === "tmpfs" || mount.type === "ramfs") return "memory";
    if (NETWORK.includes(mount.type)) return "network";
    const block = `sys/dev/block/${mount.device}`;
    if (!files.has(block)) throw new Error(`${mount.type} does not tell its disk`);
    // A partition has no queue of its own: its disk, the folder above it, has.
    const device = files.real(block);
    const queue = [device, dirname(device)].map((path) => `${path}/queue`).find((path) =>
      files.has(`${path}/rotational`)
    );
    if (queue === undefined) throw new Error(`${mount.type} does not tell its disk`);
    return files.text(`${queue}/rotational`) === "0" ? "ssd" : "spinning";
  });
}
