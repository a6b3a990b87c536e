import { join } from "node:path";
import { diskBytes } from "./files/disk-bytes.ts";
import { scanLines } from "./files/scan-lines.ts";
import { linkUsers, USERS_FILE } from "./files/users-file.ts";
import { describedBy, type StoreDriver } from "./store.ts";
import { copyUser, type User } from "./user.ts";

/** All users as objects in one `Map`: the least work a request can cost, paid for with memory and start-up time. */
export const driver: StoreDriver = {
  name: "map",
  title: "all users in memory, in a Map",
  complexity: "O(1)",
  durability: "memory",
  runtimes: ["node", "deno", "bun"],
  layout: "jsonl-1",
  prepare: (source, directory) => linkUsers(source.usersFile, directory),
  open(directory) {
    const users = new Map<string, User>();
    scanLines(join(directory, USERS_FILE), (buffer, start, end) => {
      const user: User = JSON.parse(buffer.toString("utf8", start, end));
      users.set(user.id, user);
    });
    return Promise.resolve({
      find: (id) => users.get(id),
      create: (user) => void users.set(user.id, copyUser(user)),
      describe: () => describedBy("Map", diskBytes(directory)),
      close: () => users.clear(),
    });
  },
};
