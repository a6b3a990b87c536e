/** Creates users in a store without end and prints each id once the store has taken it; see durability.test.ts. */
import { writeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { userMaker } from "../stores/dataset/user-at.ts";
import { loadStore } from "../stores/registry.ts";

const [name, directory, seed, options = "{}"] = process.argv.slice(2) as [string, string, string, string?];
const store = await (await loadStore(name)).open(directory, JSON.parse(options));
const userAt = userMaker(Number(seed));
for (let n = 0;; n++) {
  const user = userAt(2_000_000_000 + n);
  await store.create(user);
  writeSync(1, `${user.id}\n`);
  await setImmediate();
}
