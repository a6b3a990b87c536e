import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Missed } from "./fault.ts";
import type { Stage } from "./stage.ts";

/** Why no disk can be mounted here; null where one can. */
export const noDisk = () =>
  process.platform !== "linux" ? "tmpfs is Linux's" : process.getuid?.() === 0 ? null : "mounting a disk needs root";

/** Runs something with a small, separate disk mounted in the stage's folder. */
export async function onDisk(stage: Stage, bytes: number, work: (disk: string) => Promise<void>): Promise<void> {
  const disk = join(stage.folder, "disk");
  mkdirSync(disk);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "levelfield-fault", disk], { stdio: "ignore" });
  } catch (error) {
    throw new Missed(`mount: ${(error as Error).message.split("\n")[0]}`);
  }
  try {
    await work(disk);
  } finally {
    await stage.orphans();
    execFileSync("umount", ["-l", disk], { stdio: "ignore" });
  }
}

/** Fills a disk but for so many bytes; gives what makes room again. */
export function fillDisk(disk: string, bytes: number, leave: number): () => void {
  const file = join(disk, "filler");
  writeFileSync(file, Buffer.alloc(bytes - leave));
  return () => rmSync(file);
}
