/**
 * The baseline of the linear store: reads the file line by line and parses each, as a first version would. Run as a
 * process: `naive-linear.ts DIRECTORY SEED SIZE LOOKUPS` prints nanoseconds per look-up of both on one JSON line.
 */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { idMaker } from "../../stores/dataset/user-at.ts";
import { USERS_FILE } from "../../stores/files/users-file.ts";
import { driver } from "../../stores/linear.ts";

const [directory, seed, size, lookups] = process.argv.slice(2);

async function naive(id: string): Promise<boolean> {
  const lines = createInterface({ input: createReadStream(join(directory!, USERS_FILE)) });
  try {
    for await (const line of lines) {
      if (JSON.parse(line).id === id) return true;
    }
    return false;
  } finally {
    lines.close();
  }
}

const idOf = idMaker(Number(seed));
// Evenly over the file, so that either direction of reading meets the same mean distance.
const ids = Array.from(
  { length: Number(lookups) },
  (_, n) => idOf(Math.floor((n + 0.5) / Number(lookups) * Number(size))),
);
const store = await driver.open(directory!);

async function nsPerLookup(find: (id: string) => unknown): Promise<number> {
  const started = process.hrtime.bigint();
  for (const id of ids) {
    const found = await find(id);
    if (found === undefined || found === false) throw new Error(`"${id}" was not found`);
  }
  return Number(process.hrtime.bigint() - started) / ids.length;
}

for (const id of ids) await store.find(id);
const storeNs = await nsPerLookup((id) => store.find(id));
const naiveNs = await nsPerLookup(naive);
process.stdout.write(JSON.stringify({ storeNs, naiveNs }) + "\n");
process.exit(0);
