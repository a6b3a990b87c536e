/** Publishes runs anew in their folders, from their records and lines: `node lab/publish-anew.ts FOLDER…`. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { readRun } from "../bench/runs/read-run.ts";
import { writeSealedRun } from "./write-run.ts";

for (const folder of process.argv.slice(2)) {
  const recorded = readRun(folder);
  rmSync(join(folder, "cells"), { recursive: true, force: true });
  writeSealedRun(folder, recorded);
  process.stdout.write(`${folder}: published anew\n`);
}
