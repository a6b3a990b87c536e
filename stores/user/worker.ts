/**
 * The process in which a user's module is opened to see what becomes of it: started by process-checks.ts as
 * `create FILE DIRECTORY`, it creates users without end and prints the id of each once the store has taken it; as
 * `close FILE DIRECTORY`, it opens the store, reads, closes it and ends by itself if nothing keeps it.
 */
import { writeSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { userMaker } from "../dataset/user-at.ts";
import { CHECKED_SEED } from "./context.ts";
import { firstLine, userDriver } from "./user-driver.ts";
import { CREATED_FROM } from "./process-checks.ts";

const [task, file, directory] = process.argv.slice(2) as [string, string, string];
const userAt = userMaker(CHECKED_SEED);

try {
  const store = await (await userDriver(file)).open(directory);
  if (task === "close") {
    await store.find(userAt(0).id);
    await store.close();
    writeSync(1, "closed\n");
  } else {
    for (let n = 0;; n++) {
      const user = userAt(CREATED_FROM + n);
      await store.create(user);
      writeSync(1, `${user.id}\n`);
      await setImmediate();
    }
  }
} catch (error) {
  writeSync(2, `${firstLine(error)}\n`);
  process.exitCode = 1;
}
