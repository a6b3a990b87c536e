import { copyFileSync, linkSync } from "node:fs";
import { join } from "node:path";

/** Name of the data set's file inside a store's folder. */
export const USERS_FILE = "users.jsonl";
/** Name of the log of users created after the build. */
export const CREATED_FILE = "created.jsonl";

/** Puts the data set's file into a store's folder: a second name for the same bytes where the file system can, else a copy. */
export function linkUsers(usersFile: string, directory: string): void {
  const target = join(directory, USERS_FILE);
  try {
    linkSync(usersFile, target);
  } catch {
    copyFileSync(usersFile, target);
  }
}
