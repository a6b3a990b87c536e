/** A store of one's own: LMDB, a B+ tree in a memory map, by the npm package lmdb (MessagePack values, its defaults). */
import { createHash } from "node:crypto";
import { createReadStream, mkdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { open, type RootDatabase } from "lmdb";
import type { StoreDriver } from "../../stores/store.ts";
import { copyUser, type User } from "../../stores/user.ts";

const DATA = "data.mdb";
const LOCK = "lock.mdb";
/** Users of one transaction of the build. */
const BATCH = 10_000;

const { version } = JSON.parse(readFileSync(new URL("./node_modules/lmdb/package.json", import.meta.url), "utf8"));

/**
 * LMDB writes its table of readers beside the data, and the files of a store must not change when it is only read. So it
 * is given a folder of its own for the lock, in which the data are a link: one folder for all processes that open the
 * same directory, because they must see each other's locks.
 */
function besideItsLock(directory: string): string {
  const data = realpathSync(join(directory, DATA));
  // Not among the temporary files, where another user could have put a folder of that name first.
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "levelfield-lmdb");
  const folder = join(cache, createHash("sha256").update(data).digest("hex").slice(0, 16));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    symlinkSync(data, join(folder, DATA));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return folder;
}

export const driver: StoreDriver = {
  name: "lmdb",
  title: "LMDB, a B+ tree in a memory map",
  complexity: "O(log n)",
  durability: "buffered",
  runtimes: ["node", "deno", "bun"],
  layout: "lmdb-1",

  async prepare(source, directory) {
    const database: RootDatabase<User, string> = open({ path: directory });
    let batch: User[] = [];
    const write = () =>
      database.transaction(() => {
        for (const user of batch) database.put(user.id, user);
        batch = [];
      });
    for await (const line of createInterface({ input: createReadStream(source.usersFile) })) {
      batch.push(JSON.parse(line));
      if (batch.length === BATCH) await write();
    }
    await write();
    await database.close();
    rmSync(join(directory, LOCK), { force: true });
  },

  open(directory) {
    const path = besideItsLock(directory);
    const database: RootDatabase<User, string> = open({ path });
    let closed = false;
    return {
      find: (id) => database.get(id),
      create: async (user) => void await database.put(user.id, copyUser(user)),
      describe: () => ({
        engine: `lmdb ${version}`,
        sqliteVersion: null,
        sqliteSourceId: null,
        pragmas: {},
        diskBytes: statSync(join(directory, DATA)).size,
      }),
      async close() {
        if (closed) return;
        closed = true;
        await database.close();
      },
    };
  },
};
