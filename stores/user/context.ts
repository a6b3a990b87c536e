import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { userMaker } from "../dataset/user-at.ts";
import { prepareDataset } from "../prepared/prepare.ts";
import type { StoreCheckContext } from "../store-checks.ts";
import type { OpenOptions, StoreDriver } from "../store.ts";

/** Seed of the data set stores are checked with. */
export const CHECKED_SEED = 20_260_101;
/** Users in it. */
export const CHECKED_SIZE = 1000;

/**
 * Returns the context of the store contract's checks: a driver, and fresh copies of the files it prepares.
 * @param folder an empty folder to fill; whoever gives it removes it
 * @param options how each directory is opened, or what tells that
 */
export function checkContext(
  driver: StoreDriver,
  folder: string,
  options: OpenOptions | ((directory: string) => Promise<OpenOptions>) = {},
): StoreCheckContext {
  const sources = new Map<number, Promise<string>>();
  const prepare = async (size: number) => {
    const { usersFile } = await prepareDataset({ dataDirectory: folder, seed: CHECKED_SEED, size });
    const source = join(folder, `source-${size}`);
    mkdirSync(source);
    await driver.prepare({ usersFile, size }, source);
    return source;
  };
  let copies = 0;
  return {
    driver,
    size: CHECKED_SIZE,
    userAt: userMaker(CHECKED_SEED),
    async fresh(size = CHECKED_SIZE) {
      if (!sources.has(size)) sources.set(size, prepare(size));
      const copy = join(folder, `copy-${copies++}`);
      cpSync(await sources.get(size)!, copy, { recursive: true });
      return copy;
    },
    open: async (directory: string) =>
      await driver.open(directory, typeof options === "function" ? await options(directory) : options),
  };
}
