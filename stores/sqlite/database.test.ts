import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folderTest } from "../../tests/testing.ts";
import { writeUsers } from "../dataset/write-users.ts";
import { buildDatabase } from "./database.ts";

folderTest("a database is the same whether its users are read as a whole or one by one", async (folder) => {
  const source = { usersFile: join(folder, "users.jsonl"), size: 3_000 };
  await writeUsers(source.usersFile, 42, source.size, () => {});
  const files = [];
  for (const mostReadWhole of [2 ** 29, 0]) {
    const into = join(folder, String(mostReadWhole));
    mkdirSync(into);
    await buildDatabase(source, into, mostReadWhole);
    files.push(readdirSync(into).map((name) => [name, readFileSync(join(into, name), "base64")]));
  }
  assert.ok(files[0]!.some(([, bytes]) => bytes!.length > 100_000));
  assert.deepEqual(files[1], files[0]);
});
