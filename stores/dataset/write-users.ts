import { closeSync, openSync, writeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { encodeUser } from "../user.ts";
import { userMaker } from "./user-at.ts";

const BATCH = 4096;

/**
 * Writes a data set as JSON lines, a batch of users in memory at a time. Between batches the event loop gets a turn, so
 * that the writing process can receive a signal to stop.
 * @param onProgress called after each batch with the number of users written
 */
export async function writeUsers(
  file: string,
  seed: number,
  size: number,
  onProgress: (done: number) => void,
): Promise<void> {
  const userAt = userMaker(seed);
  const handle = openSync(file, "wx");
  try {
    for (let start = 0; start < size; start += BATCH) {
      const end = Math.min(start + BATCH, size);
      let text = "";
      for (let index = start; index < end; index++) text += encodeUser(userAt(index)) + "\n";
      writeAll(handle, Buffer.from(text));
      onProgress(end);
      await setImmediate();
    }
  } finally {
    closeSync(handle);
  }
}

function writeAll(handle: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(handle, bytes, written);
}
