import assert from "node:assert/strict";
import { appendFileSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { failuresOf } from "../tests/check-store.ts";
import { onceTest } from "../tests/testing.ts";
import { driver as binary } from "./binary.ts";
import { CREATED_FILE, USERS_FILE } from "./files/users-file.ts";
import { driver as map } from "./map.ts";
import { driver as sqlite } from "./sqlite.ts";
import type { Store, StoreDriver } from "./store.ts";
import type { User } from "./user.ts";

/** Breaks what a driver opens. */
function broken(driver: StoreDriver, breakIt: (store: Store, directory: string) => Partial<Store>): StoreDriver {
  return {
    ...driver,
    async open(directory, options) {
      const store = await driver.open(directory, options);
      return { ...store, ...breakIt(store, directory) };
    },
  };
}

/** Deliberately broken stores and the checks that must fail for each: those, and no others, whatever runs the checks. */
const MUTANTS: readonly { fault: string; driver: StoreDriver; fails: readonly string[] }[] = [
  {
    fault: "finds the user created first",
    driver: broken(map, ({ create }) => {
      const ids = new Set<string>();
      return {
        create(user) {
          if (!ids.has(user.id)) return ids.add(user.id), create(user);
        },
      };
    }),
    fails: ["the last user created with an id is the one found"],
  },
  {
    fault: "keeps the user of the data set when it is created again",
    driver: broken(map, ({ find, create }) => ({
      create: async (user) => ((await find(user.id))?.email === user.email ? undefined : create(user)),
    })),
    fails: ["a user of the data set can be replaced", "the last user created with an id is the one found"],
  },
  {
    fault: "loses created users on reopen though it says buffered",
    driver: { ...map, durability: "buffered" },
    fails: [
      "created users survive a close, unless the store says it keeps them in memory",
      "the user created last is still the one found after two more sessions",
    ],
  },
  {
    fault: "keeps created users though it says memory",
    driver: { ...binary, durability: "memory" },
    fails: [
      "created users survive a close, unless the store says it keeps them in memory",
      "the user created last is still the one found after two more sessions",
    ],
  },
  {
    fault: "throws on a second close",
    driver: broken(map, ({ close }) => {
      let closed = false;
      return {
        close() {
          if (closed) throw new Error("closed already");
          closed = true;
          return close();
        },
      };
    }),
    fails: ["closing again does nothing"],
  },
  {
    fault: "answers with its fields in another order",
    driver: broken(map, ({ find }) => ({
      async find(id) {
        const user = await find(id);
        return user && Object.fromEntries(Object.entries(user).reverse()) as unknown as User;
      },
    })),
    fails: [
      "created users have their fields in the one order, however they were given",
      "users of the data set have their fields in the one order",
    ],
  },
  {
    fault: "looks at no more than fifteen digits",
    driver: broken(map, ({ find }) => ({
      async find(id) {
        for (const last of `${id[15]}0123456789abcdef`) {
          const found = await find(id.slice(0, 15) + last);
          if (found !== undefined) return found;
        }
        return undefined;
      },
    })),
    fails: ["ids that differ in one digit find nobody"],
  },
  {
    fault: "says null for nobody",
    driver: broken(map, ({ find }) => ({ find: async (id) => (await find(id)) ?? (null as unknown as undefined) })),
    fails: [
      "a created user is found, and nobody before",
      "a half-written last line of a log is cut off",
      "created users survive a close, unless the store says it keeps them in memory",
      "data sets of 1, 256 and 257 users are found whole",
      "ids of nobody find nobody",
      "ids that differ in one digit find nobody",
      "text that looks like a record is not taken for one",
      "the user created last is still the one found after two more sessions",
    ],
  },
  {
    fault: "completes a half-written line instead of cutting it off",
    driver: {
      ...binary,
      open(directory, options) {
        const log = join(directory, CREATED_FILE);
        if (existsSync(log) && statSync(log).size > 0) appendFileSync(log, "\n");
        return binary.open(directory, options);
      },
    },
    fails: [
      "a half-written last line of a log is cut off",
      "created users survive a close, unless the store says it keeps them in memory",
      "the user created last is still the one found after two more sessions",
    ],
  },
  {
    fault: "shortens long text",
    driver: broken(map, ({ create }) => ({ create: (user) => create({ ...user, name: user.name.slice(0, 8192) }) })),
    fails: ["texts are kept as they are"],
  },
  {
    fault: "writes to its files when it is only read",
    driver: broken(map, (_, directory) => {
      appendFileSync(join(directory, USERS_FILE), " ");
      return {};
    }),
    fails: ["opening, reading and closing changes no file"],
  },
  {
    fault: "says nothing of its bytes on disk",
    driver: broken(sqlite, ({ describe }) => ({ describe: async () => ({ ...await describe(), diskBytes: 0 }) })),
    fails: ["it describes its engine, its bytes on disk and the pragmas in force"],
  },
];

for (const { fault, driver, fails } of MUTANTS) {
  onceTest(`a store that ${fault} fails the checks that name it, and no others`, async () => {
    const failures = await failuresOf(driver);
    assert.deepEqual([...failures.keys()].sort(), [...fails].sort());
  });
}
