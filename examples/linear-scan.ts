/**
 * How many times as fast the linear store finds a user as reading the file line by line and parsing each, as a first version
 * would: `node examples/linear-scan.ts [users] [look-ups]`, or with deno run -A, or bun. Prints one JSON line.
 */
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { idMaker } from "../stores/dataset/user-at.ts";
import { USERS_FILE } from "../stores/files/users-file.ts";
import { driver } from "../stores/linear.ts";
import { prepareDataset, prepareStore } from "../stores/prepared/prepare.ts";

const [sizeText = "100000", lookupsText = "5"] = process.argv.slice(2);
const size = Number(sizeText), lookups = Number(lookupsText);
const folder = mkdtempSync(join(tmpdir(), "levelfield-linear-"));
try {
  const request = { dataDirectory: folder, seed: 42, size };
  const { directory } = await prepareStore(request, await prepareDataset(request), driver.name);
  const naive = async (id: string): Promise<unknown> => {
    const lines = createInterface({ input: createReadStream(join(directory, USERS_FILE)) });
    try {
      for await (const line of lines) {
        const user = JSON.parse(line);
        if (user.id === id) return user;
      }
    } finally {
      lines.close();
    }
    return undefined;
  };
  // Evenly over the file, so that either direction of reading meets the same mean distance.
  const idOf = idMaker(request.seed);
  const ids = Array.from({ length: lookups }, (_, n) => idOf(Math.floor((n + 0.5) / lookups * size)));
  const store = await driver.open(directory);
  const nsPerLookup = async (find: (id: string) => unknown): Promise<number> => {
    const started = process.hrtime.bigint();
    for (const id of ids) {
      if (await find(id) === undefined) throw new Error(`"${id}" was not found`);
    }
    return Number(process.hrtime.bigint() - started) / lookups;
  };
  for (const id of ids) await store.find(id);
  const storeNs = await nsPerLookup((id) => store.find(id));
  const naiveNs = await nsPerLookup(naive);
  await store.close();
  process.stdout.write(JSON.stringify({ size, storeNs, naiveNs, timesAsFast: naiveNs / storeNs }) + "\n");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
