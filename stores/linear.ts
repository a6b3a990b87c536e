import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { openAppendLog } from "./files/append-log.ts";
import { diskBytes } from "./files/disk-bytes.ts";
import { lastFinder } from "./files/find-last.ts";
import { CREATED_FILE, linkUsers, USERS_FILE } from "./files/users-file.ts";
import { describedBy, type StoreDriver } from "./store.ts";
import { encodeUser, type User } from "./user.ts";

const LINE_BYTES = 16_384;
const NEWLINE = 10;

/**
 * No index at all: each request searches the file. It searches bytes and parses only the line it wants, which is as
 * good as the idea gets. It reads from the end, so that the user created last is met first.
 */
export const driver: StoreDriver = {
  name: "linear",
  title: "searches the JSON lines file from end to start",
  complexity: "O(n)",
  durability: "buffered",
  runtimes: ["node", "deno", "bun"],
  layout: "jsonl-1",
  prepare: (source, directory) => linkUsers(source.usersFile, directory),
  open(directory) {
    const base = openSync(join(directory, USERS_FILE), "r");
    const baseBytes = fstatSync(base).size;
    const log = openAppendLog(join(directory, CREATED_FILE));
    let created = existsSync(log.file) ? openSync(log.file, "r") : undefined;
    let closed = false;
    const finder = lastFinder();
    let line = Buffer.allocUnsafe(LINE_BYTES);

    const findIn = (handle: number, bytes: number, needle: string): User | undefined => {
      const at = finder.find(handle, bytes, needle);
      if (at < 0) return undefined;
      for (;;) {
        const end = line.subarray(0, readSync(handle, line, 0, line.length, at)).indexOf(NEWLINE);
        if (end >= 0) return JSON.parse(line.toString("utf8", 0, end));
        line = Buffer.allocUnsafe(line.length * 2);
      }
    };

    return Promise.resolve({
      find(id) {
        // A quote inside a value is escaped in JSON, so only the start of a record can look like this.
        const needle = `{"id":"${id}"`;
        return (created === undefined ? undefined : findIn(created, log.bytes(), needle)) ??
          findIn(base, baseBytes, needle);
      },
      create(user) {
        log.append(encodeUser(user));
        created ??= openSync(log.file, "r");
      },
      describe: () => describedBy("file", diskBytes(directory)),
      close() {
        if (closed) return;
        closed = true;
        log.close();
        closeSync(base);
        if (created !== undefined) closeSync(created);
      },
    });
  },
};
