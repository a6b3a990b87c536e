/** Packs Levelfield for npm: `bin/pack [FOLDER]` leaves a tarball in FOLDER, the current one by default. It publishes nothing. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { stageStatistics } from "./jsr.ts";
import { type Build, stagePackage } from "./stage.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/**
 * Packs the checkout into a folder and returns the path of the tarball. Throws as {@link stagePackage}.
 *
 * @param statistics the folder that gets what JSR is given, if any
 */
export function packPackage(folder: string, build?: Build, statistics?: string): string {
  const stage = mkdtempSync(join(tmpdir(), "levelfield-package-"));
  try {
    mkdirSync(folder, { recursive: true });
    stagePackage(stage, build);
    if (statistics !== undefined) stageStatistics(ROOT, stage, statistics);
    const packed = execFileSync("npm", ["pack", stage, "--pack-destination", folder, "--silent"], { encoding: "utf8" });
    return join(folder, packed.trim().split("\n").at(-1)!);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(`${packPackage(resolve(process.argv[2] ?? "."))}\n`);
