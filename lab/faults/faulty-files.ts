/**
 * The process that builds what a faulty server is given: a file of random bytes. See `FilesEvent` in suites/suite.ts for how
 * it is called and what it prints.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { FilesEvent } from "../../suites/suite.ts";

/** More bytes than a full disk has room for. */
const BYTES = 64 * 1024;

const { data } = parseArgs({ options: { data: { type: "string" } }, allowPositionals: true }).values;

function build(): FilesEvent {
  const started = performance.now();
  const directory = join(data!, "faults");
  const bytes = randomBytes(BYTES);
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "bytes"), bytes);
  } catch (error) {
    return { event: "failed", message: (error as Error).message };
  }
  return {
    event: "ready",
    request: 0,
    directory,
    title: "random bytes",
    sha256: createHash("sha256").update(bytes).digest("hex"),
    diskBytes: BYTES,
    built: "it is made each time",
    buildMs: performance.now() - started,
  };
}

process.stdout.write(`${JSON.stringify(build())}\n`);
