import { createHash } from "node:crypto";
import { join } from "node:path";
import { orElse } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { lookAt, readPlainFile, writePlainFile } from "../files/plain-file.ts";
import { JOURNAL, PACKED_JOURNAL } from "./journal-file.ts";
import { cardFilesOf } from "./read-run.ts";

const SEAL = "SHA256SUMS";
/** The size of a seal with a line for each of the most files of a run. */
const MOST_SEAL_BYTES = 8 * 2 ** 20;
const SEALED = [JOURNAL, PACKED_JOURNAL, "run.json", "summary.json"];

function sealedFiles(path: string): string[] {
  return [...cardFilesOf(path), ...SEALED.filter((name) => lookAt(join(path, name)) !== undefined)].sort();
}

/** Writes the hash of every file, as `sha256sum --check` reads it, against accidents: forgers can seal anew. */
export function sealRun(path: string): void {
  const lines = sealedFiles(path).map((name) => `${sha256Of(join(path, name))}  ${name}\n`);
  writePlainFile(join(path, SEAL), lines.join(""));
}

const sha256Of = (file: string): string => createHash("sha256").update(readPlainFile(file)).digest("hex");

function hashOf(file: string): string | null {
  return orElse(() => sha256Of(file), null);
}

/** Files of a run that are not as they were sealed, one sentence each. */
export function sealFaults(path: string): string[] {
  if (lookAt(join(path, SEAL)) === undefined) return [`${SEAL} is missing: the run was not finished`];
  const faults: string[] = [];
  const sealed = new Map<string, string>();
  let text = "", garbled = 0;
  try {
    text = readPlainFile(join(path, SEAL), MOST_SEAL_BYTES).toString("utf8");
  } catch (error) {
    faults.push((error as Error).message.replaceAll(`${path}/`, ""));
  }
  for (const line of text.split("\n")) {
    const match = /^([0-9a-f]{64}) {2}(.+)$/.exec(line);
    if (match !== null) sealed.set(match[2]!, match[1]!);
    else if (line !== "" && garbled++ === 0) faults.push(`${SEAL} has a line that is none: "${line.slice(0, 40)}"`);
  }
  if (garbled > 1) faults.push(`${SEAL} has ${counted(garbled - 1, "line")} more of that kind`);
  let files: string[] = [];
  try {
    files = sealedFiles(path);
  } catch (error) {
    faults.push((error as Error).message.replaceAll(`${path}/`, ""));
  }
  for (const name of files) {
    const hash = sealed.get(name);
    const now = hashOf(join(path, name));
    if (hash === undefined) faults.push(`${name} is not in ${SEAL}`);
    else if (now === null) faults.push(`${name} cannot be read`);
    else if (hash !== now) faults.push(`${name} changed after the run`);
  }
  for (const name of sealed.keys()) if (!files.includes(name)) faults.push(`${name} is gone`);
  return faults;
}
