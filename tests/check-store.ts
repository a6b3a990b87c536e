import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { userMaker } from "../stores/dataset/user-at.ts";
import { prepareDataset } from "../stores/prepared/prepare.ts";
import { storeChecks } from "../stores/store-checks.ts";
import type { OpenOptions, StoreDriver } from "../stores/store.ts";
import { inTemporaryFolder } from "./testing.ts";

const SEED = 20_260_101;
const SIZE = 1000;

/** Runs the checks named, or all, over fresh files; gives each that fails, by name, with its failure. */
export async function failuresOf(
  driver: StoreDriver,
  options: OpenOptions = {},
  wanted: (name: string) => boolean = () => true,
): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>();
  await inTemporaryFolder(async (folder) => {
    const sources = new Map<number, Promise<string>>();
    const prepare = async (size: number) => {
      const { usersFile } = await prepareDataset({ dataDirectory: folder, seed: SEED, size });
      const source = join(folder, `source-${size}`);
      mkdirSync(source);
      await driver.prepare({ usersFile, size }, source);
      return source;
    };
    let copies = 0;
    const context = {
      driver,
      size: SIZE,
      userAt: userMaker(SEED),
      async fresh(size = SIZE) {
        if (!sources.has(size)) sources.set(size, prepare(size));
        const copy = join(folder, `copy-${copies++}`);
        cpSync(await sources.get(size)!, copy, { recursive: true });
        return copy;
      },
      open: async (directory: string) => await driver.open(directory, options),
    };
    for (const check of storeChecks.filter(({ name }) => wanted(name))) {
      await check.run(context).catch((error) => failures.set(check.name, error));
    }
  });
  return failures;
}
