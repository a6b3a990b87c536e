/** Packs Levelfield for npm: `bin/pack [FOLDER]` leaves a tarball in FOLDER, the current one by default. It publishes nothing. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { stagePackage } from "./stage.ts";

const target = resolve(process.argv[2] ?? ".");
const stage = mkdtempSync(join(tmpdir(), "levelfield-package-"));
try {
  mkdirSync(target, { recursive: true });
  stagePackage(stage);
  const packed = execFileSync("npm", ["pack", stage, "--pack-destination", target, "--silent"], { encoding: "utf8" });
  process.stdout.write(`${join(target, packed.trim().split("\n").at(-1)!)}\n`);
} finally {
  rmSync(stage, { recursive: true, force: true });
}
