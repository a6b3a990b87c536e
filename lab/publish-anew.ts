/** Publishes runs anew in their folders, from their records and lines: `node lab/publish-anew.ts FOLDER…`. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { journalName, PACKED_JOURNAL, packJournal, unpackJournal } from "../bench/runs/journal-file.ts";
import { readRun } from "../bench/runs/read-run.ts";
import { sealRun } from "../bench/runs/seal.ts";
import { writeSealedRun } from "./write-run.ts";

for (const folder of process.argv.slice(2)) {
  const recorded = readRun(folder), isPacked = journalName(folder) === PACKED_JOURNAL;
  unpackJournal(folder);
  rmSync(join(folder, "cells"), { recursive: true, force: true });
  writeSealedRun(folder, recorded);
  if (isPacked) {
    packJournal(folder);
    sealRun(folder);
  }
  process.stdout.write(`${folder}: published anew\n`);
}
