/** What every store is held to, a check each. Longer than 300 lines because whoever adds a store should find it in one place. */
import assert from "node:assert/strict";
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { CREATED_FILE } from "./files/users-file.ts";
import type { Store, StoreDriver } from "./store.ts";
import { encodeUser, type User } from "./user.ts";

/*
 * The store contract as data, longer than most files because it is the whole contract in one place. Checks about values
 * compare fields; the two about field order compare bytes; so a fault fails the checks that name it and no others.
 */

/** A store to check and a data set to check it with. */
export interface StoreCheckContext {
  readonly driver: StoreDriver;
  /** A user's module, whose engine may be anything. */
  readonly own?: true;
  /** Number of users in the data set, at least 500. */
  readonly size: number;
  /** The user of an index: below `size` in the data set, from there on certainly not. */
  userAt(index: number): User;
  /** A new copy of the store's prepared files, for the data set or for the same seed at another size. */
  fresh(size?: number): Promise<string>;
  open(directory: string): Promise<Store>;
}

/** One thing a store must do. */
export interface StoreCheck {
  readonly name: string;
  /** What to do where a store does otherwise. */
  readonly advice: string;
  /** Throws when the store does otherwise. */
  run(context: StoreCheckContext): Promise<void>;
}

/** Opens a directory, works with it and closes it once. */
async function session<T>(
  context: StoreCheckContext,
  directory: string,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await context.open(directory);
  let result: T;
  try {
    result = await work(store);
  } catch (error) {
    await Promise.resolve(store.close()).catch(() => {});
    throw error;
  }
  await store.close();
  return result;
}

/** A check in one session over fresh files. */
const inOne = (
  name: string,
  advice: string,
  work: (store: Store, context: StoreCheckContext) => Promise<void>,
): StoreCheck => ({
  name,
  advice,
  run: async (context) => await session(context, await context.fresh(), async (store) => await work(store, context)),
});

async function holds(store: Store, user: User): Promise<void> {
  assert.deepEqual({ ...await store.find(user.id) }, { ...user });
}

async function lacks(store: Store, id: string): Promise<void> {
  assert.equal(await store.find(id), undefined);
}

/** First, middle and last index, and a spread of others that is the same in each run. */
function sampled(size: number): number[] {
  const indexes = new Set([0, size >> 1, size - 1]);
  for (let i = 1; i <= 60; i++) indexes.add((i * 7919) % size);
  return [...indexes];
}

/** Users of data sets that are looked at whole: one, and about as many as a byte counts. */
export const SMALL_SIZES = [1, 256, 257] as const;

const CREATED = 2_000_000_000;

/** A user that is not in the data set. */
const strangerOf = (context: StoreCheckContext, n: number, change: Partial<User> = {}): User => ({
  ...context.userAt(CREATED + n),
  ...change,
});

const TEXTS: readonly string[] = [
  `"quoted" and \\"escaped\\" and 'single' and \\`,
  "two\nlines\r\nand\ttabs\u2028and separators\u2029",
  "雪 Łukasz Søren Zoë 👩‍🚀 \u{10ffff}",
  "",
  `x"},{"id":"0000000000000000","name":"look-alike"}`,
  `'); DROP TABLE users; --`,
  "x".repeat(20_000),
  "雪".repeat(7_000),
  "\u0001\u001f\u007f\ufeff",
];

/** Data in another process's memory outlives a close. */
const forgets = ({ driver }: StoreCheckContext) => driver.durability === "memory" && driver.elsewhere === undefined;

/** Content of the files that last: SQLite's shared memory and an empty write-ahead log say nothing. */
function lastingFiles(directory: string): Record<string, string> {
  const names = readdirSync(directory).filter((name) =>
    !name.endsWith("-shm") && !(name.endsWith("-wal") && statSync(join(directory, name)).size === 0)
  );
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(directory, name), "latin1")]));
}

/** Checks for every store, on every runtime and engine. */
export const storeChecks: readonly StoreCheck[] = [
  inOne(
    "first, middle, last and sampled users are found",
    "see that prepare() takes every line of source.usersFile",
    async (store, context) => {
      for (const index of sampled(context.size)) await holds(store, context.userAt(index));
    },
  ),
  inOne(
    "users of the data set have their fields in the one order",
    "answer id, name, email, age, country, createdAt in this order, with age as a number",
    async (store, context) => {
      for (const index of sampled(context.size)) {
        const user = context.userAt(index);
        assert.equal(JSON.stringify(await store.find(user.id)), encodeUser(user));
      }
    },
  ),
  inOne(
    "created users have their fields in the one order, however they were given",
    "copy the six fields one by one in create(), as copyUser of stores/user.ts does",
    async (store, context) => {
      const user = strangerOf(context, 0);
      await store.create(Object.fromEntries(Object.entries(user).reverse()) as unknown as User);
      assert.equal(JSON.stringify(await store.find(user.id)), encodeUser(user));
    },
  ),
  inOne(
    "ids of nobody find nobody",
    "answer undefined for an id nobody has, not null and no other user",
    async (store, context) => {
      for (let n = 0; n < 50; n++) await lacks(store, context.userAt(context.size + n).id);
      await lacks(store, "0000000000000000");
      await lacks(store, "ffffffffffffffff");
    },
  ),
  inOne(
    "ids that differ in one digit find nobody",
    "compare the whole id",
    async (store, context) => {
      for (const index of [0, context.size >> 1, context.size - 1]) {
        const { id } = context.userAt(index);
        for (let at = 0; at < id.length; at++) {
          const digit = (parseInt(id[at]!, 16) ^ 1).toString(16);
          await lacks(store, id.slice(0, at) + digit + id.slice(at + 1));
        }
      }
    },
  ),
  {
    name: "data sets of 1, 256 and 257 users are found whole",
    advice: "look at both ends of the data set and at undefined for nobody",
    async run(context) {
      for (const size of SMALL_SIZES) {
        await session(context, await context.fresh(size), async (store) => {
          for (let index = 0; index < size; index++) await holds(store, context.userAt(index));
          for (let index = size; index < size + 20; index++) await lacks(store, context.userAt(index).id);
          await lacks(store, "0000000000000000");
          await lacks(store, "ffffffffffffffff");
        });
      }
    },
  },
  inOne(
    "a created user is found, and nobody before",
    "answer undefined until create() has ended, the user from then on",
    async (store, context) => {
      const user = strangerOf(context, 0);
      await lacks(store, user.id);
      await store.create(user);
      await holds(store, user);
      await holds(store, context.userAt(0));
    },
  ),
  inOne(
    "a created user is kept as it was given, whatever becomes of the object",
    "copy the six fields in create()",
    async (store, context) => {
      const user = strangerOf(context, 0);
      const given = { ...user, more: "not a field" };
      await store.create(given);
      given.name = "changed after it was given";
      await holds(store, user);
    },
  ),
  inOne(
    "the last user created with an id is the one found",
    "let create() replace a user with the same id",
    async (store, context) => {
      for (const name of ["first", "second, longer than the first", "third"]) {
        await store.create(strangerOf(context, 0, { name }));
        await store.create(strangerOf(context, 1));
      }
      await holds(store, strangerOf(context, 0, { name: "third" }));
    },
  ),
  inOne(
    "a user of the data set can be replaced",
    "look among created users before the data set",
    async (store, context) => {
      for (const index of [0, context.size - 1]) {
        const replaced = { ...context.userAt(index), name: "replaced", age: 99 };
        await store.create(replaced);
        await holds(store, replaced);
      }
      await holds(store, context.userAt(1));
    },
  ),
  inOne(
    "several hundred created users are all found",
    "see what create() does once a buffer or page is full",
    async (store, context) => {
      for (let n = 0; n < 400; n++) await store.create(strangerOf(context, n));
      for (let n = 0; n < 400; n++) await holds(store, strangerOf(context, n));
      for (const index of sampled(context.size)) await holds(store, context.userAt(index));
    },
  ),
  inOne(
    "texts are kept as they are",
    "store texts as UTF-8, whole, through parameters and never through pasted text",
    async (store, context) => {
      const users = TEXTS.map((text, n) => strangerOf(context, n, { name: text, email: text }));
      for (const user of users) await store.create(user);
      for (const user of users) await holds(store, user);
    },
  ),
  inOne(
    "text that looks like a record is not taken for one",
    "escape or measure what is stored; do not search raw bytes",
    async (store, context) => {
      const victim = strangerOf(context, 0);
      const forged = encodeUser({ ...victim, name: "forged" });
      await store.create(strangerOf(context, 1, { name: `\n${forged}\n`, email: forged }));
      await lacks(store, victim.id);
      await store.create(victim);
      await store.create(strangerOf(context, 2, { name: `\n${forged}\n`, email: forged }));
      await holds(store, victim);
    },
  ),
  {
    name: "created users survive a close, unless the store says it keeps them in memory",
    advice: "write in create() what open() reads again, or say the durability it really has",
    async run(context) {
      const directory = await context.fresh();
      const users = TEXTS.map((text, n) => strangerOf(context, n, { name: text }));
      await session(context, directory, async (store) => {
        for (const user of users) await store.create(user);
      });
      await session(context, directory, async (store) => {
        for (const user of users) {
          if (forgets(context)) await lacks(store, user.id);
          else await holds(store, user);
        }
        await holds(store, context.userAt(0));
      });
    },
  },
  {
    name: "the user created last is still the one found after two more sessions",
    advice: "go on with the same files in open()",
    async run(context) {
      const directory = await context.fresh();
      const versions = ["first", "second", "third", "fourth"];
      for (const pair of [versions.slice(0, 2), versions.slice(2)]) {
        await session(context, directory, async (store) => {
          for (const name of pair) {
            await store.create(strangerOf(context, 0, { name }));
            await store.create({ ...context.userAt(1), name });
          }
        });
      }
      await session(context, directory, async (store) => {
        if (forgets(context)) await lacks(store, strangerOf(context, 0).id);
        else await holds(store, strangerOf(context, 0, { name: "fourth" }));
        await holds(store, { ...context.userAt(1), ...(forgets(context) ? {} : { name: "fourth" }) });
      });
    },
  },
  {
    name: "a half-written last line of a log is cut off",
    advice: "cut off in open() what follows the log's last newline",
    async run(context) {
      const directory = await context.fresh();
      const log = join(directory, CREATED_FILE);
      const [whole, half, later] = [0, 1, 2].map((n) => strangerOf(context, n)) as [User, User, User];
      await session(context, directory, async (store) => await store.create(whole));
      if (!existsSync(log)) {
        // Its users are elsewhere: half a line of such a log is nobody's. What else lies next to a user's module is its affair.
        if (!context.own) appendFileSync(log, encodeUser(half).slice(0, 40));
        return await session(context, directory, async (store) => await lacks(store, half.id));
      }
      for (const kept of [encodeUser(half).length, 40, 1]) {
        appendFileSync(log, encodeUser(half).slice(0, kept));
        await session(context, directory, async (store) => {
          await holds(store, whole);
          await lacks(store, half.id);
          await store.create(later);
          await holds(store, later);
        });
        await session(context, directory, async (store) => {
          await holds(store, whole);
          await lacks(store, half.id);
          await holds(store, later);
        });
      }
      const ids = readFileSync(log, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line).id);
      assert.deepEqual(ids, [whole.id, later.id, later.id, later.id]);
    },
  },
  {
    name: "closing again does nothing",
    advice: "remember in close() that it was closed",
    async run(context) {
      const directory = await context.fresh();
      const store = await context.open(directory);
      await store.create(strangerOf(context, 0));
      await store.close();
      const closed = lastingFiles(directory);
      for (let times = 0; times < 2; times++) await store.close();
      assert.deepEqual(lastingFiles(directory), closed);
    },
  },
  inOne(
    "many finds at once each get their own user",
    "share no buffer or statement between finds that wait",
    async (store, context) => {
      const users = Array.from({ length: 300 }, (_, index) => context.userAt(index));
      const found = await Promise.all(users.map(async (user) => await store.find(user.id)));
      assert.deepEqual(found.map((user) => user?.email), users.map((user) => user.email));
    },
  ),
  inOne(
    "a found user stays as it was while others are found",
    "answer a new object, never one that is used again",
    async (store, context) => {
      const user = context.userAt(0);
      const found = await store.find(user.id);
      await store.create({ ...user, name: "replaced" });
      await store.find(context.userAt(1).id);
      assert.deepEqual({ ...found }, { ...user });
    },
  ),
  {
    name: "two may read at the same time, and one may close before the other",
    advice: "keep what open() makes to that store alone",
    async run(context) {
      const directory = await context.fresh();
      await session(context, directory, async (second) => {
        await session(context, directory, async (first) => {
          for (const index of [0, 1, 2]) {
            await holds(first, context.userAt(index));
            await holds(second, context.userAt(index));
          }
        });
        await holds(second, context.userAt(3));
      });
    },
  },
  {
    name: "opening, reading and closing changes no file",
    advice: "write only in create(): servers share the files, and their hashes are recorded",
    async run(context) {
      const directory = await context.fresh();
      const before = lastingFiles(directory);
      for (let times = 0; times < 2; times++) {
        await session(context, directory, async (store) => {
          for (let index = 0; index < context.size; index++) await store.find(context.userAt(index).id);
          await store.describe();
        });
      }
      const after = lastingFiles(directory);
      assert.deepEqual(Object.keys(after), Object.keys(before));
      for (const name of Object.keys(before)) assert.ok(after[name] === before[name], `"${name}" was changed`);
    },
  },
  {
    name: "closing leaves no file of SQLite's behind but the database",
    advice: "close every connection, the last one after a checkpoint",
    async run(context) {
      const directory = await context.fresh();
      await session(context, directory, async (store) => {
        await store.create(strangerOf(context, 0));
        await store.find(context.userAt(0).id);
        await store.describe();
      });
      assert.deepEqual(readdirSync(directory).filter((name) => /-(shm|wal|journal)$/.test(name)), []);
    },
  },
  inOne(
    "it describes its engine, its bytes on disk and the pragmas in force",
    "answer engine, sqliteVersion, sqliteSourceId, pragmas and diskBytes in describe()",
    async (store, context) => {
      const { engine, sqliteVersion, sqliteSourceId, pragmas, diskBytes } = await store.describe();
      assert.match(engine, /\S/);
      assert.ok(Number.isSafeInteger(diskBytes) && diskBytes > context.size * 100, `${diskBytes} bytes on disk`);
      if (context.own) {
        assert.ok(sqliteVersion === null || /^3\.\d+/.test(sqliteVersion), `sqliteVersion is ${sqliteVersion}`);
        assert.equal(typeof pragmas, "object");
        return;
      }
      if (!context.driver.layout.startsWith("sqlite")) {
        assert.deepEqual([sqliteVersion, sqliteSourceId, pragmas], [null, null, {}]);
        return;
      }
      assert.match(sqliteVersion!, /^3\.\d+\.\d+$/);
      assert.match(sqliteSourceId!, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [0-9a-f]{40,}/);
      assert.equal(pragmas["journal_mode"], "wal");
      assert.equal(pragmas["synchronous"], 1);
      assert.ok(Number(pragmas["mmap_size"]) > 0, `mmap_size ${pragmas["mmap_size"]}`);
      assert.equal(Number(pragmas["page_size"]) * Number(pragmas["page_count"]), diskBytes);
    },
  ),
];
