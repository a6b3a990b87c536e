import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { openIndex, writeIndex } from "./binary/index-file.ts";
import { openAppendLog } from "./files/append-log.ts";
import { diskBytes } from "./files/disk-bytes.ts";
import { sortLines } from "./files/sorted-lines.ts";
import { CREATED_FILE, linkUsers, USERS_FILE } from "./files/users-file.ts";
import { describedBy, type StoreDriver } from "./store.ts";
import { copyUser, encodeUser, type User } from "./user.ts";

const INDEX_FILE = "index.bin";

/**
 * A sorted index on disk over the JSON lines file: two reads a request, no memory that grows with the users but
 * the fences. Users created later wait in a log that is read into memory on open, as in a log-structured store.
 */
export const driver: StoreDriver = {
  name: "binary",
  title: "binary search in a sorted index on disk",
  complexity: "O(log n)",
  durability: "buffered",
  runtimes: ["node", "deno", "bun"],
  layout: "binary-1",
  prepare(source, directory) {
    linkUsers(source.usersFile, directory);
    writeIndex(join(directory, INDEX_FILE), sortLines(source.usersFile, source.size));
  },
  open(directory) {
    const users = openSync(join(directory, USERS_FILE), "r");
    const index = openIndex(join(directory, INDEX_FILE));
    const created = new Map<string, User>();
    const log = openAppendLog(join(directory, CREATED_FILE), (line) => {
      const user: User = JSON.parse(line);
      created.set(user.id, user);
    });
    let closed = false;
    let buffer = Buffer.allocUnsafe(4096);
    return Promise.resolve({
      find(id) {
        if (created.size > 0) {
          const user = created.get(id);
          if (user !== undefined) return user;
        }
        const place = index.find(parseInt(id.slice(0, 8), 16), parseInt(id.slice(8), 16));
        if (place === undefined) return undefined;
        if (place.length > buffer.length) buffer = Buffer.allocUnsafe(place.length);
        readSync(users, buffer, 0, place.length, place.offset);
        return JSON.parse(buffer.toString("utf8", 0, place.length));
      },
      create(user) {
        log.append(encodeUser(user));
        created.set(user.id, copyUser(user));
      },
      describe: () => describedBy("file", diskBytes(directory)),
      close() {
        if (closed) return;
        closed = true;
        log.close();
        index.close();
        closeSync(users);
      },
    });
  },
};
