import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folderTest, inTemporaryFolder, onceTest, sha256 } from "../../tests/testing.ts";
import { encodeUser, isUserId, USER_FIELDS } from "../user.ts";
import { idMaker, MAX_SIZE, userMaker } from "./user-at.ts";
import { writeUsers } from "./write-users.ts";

async function fileOf(seed: number, size: number): Promise<Buffer> {
  return await inTemporaryFolder(async (folder) => {
    const file = join(folder, "users.jsonl");
    await writeUsers(file, seed, size, () => {});
    return readFileSync(file);
  });
}

test("the bytes of a data set are the same on all runtimes", async () => {
  assert.equal(
    sha256(await fileOf(20_260_101, 5000)),
    "512d44f072a740dbed1e73cfa426962ff2218031c755ec9975e45365cc5bd88d",
  );
  assert.equal(sha256(await fileOf(0, 1)), "5d60845eb8386439e9206c349cb229e2d3349aec2cd21718c443b447d688b80b");
});

test("a file holds the encoded users in order, one a line, across batches", async () => {
  const userAt = userMaker(3);
  for (const size of [1, 4096, 4097]) {
    const lines = (await fileOf(3, size)).toString().split("\n");
    assert.equal(lines.pop(), "");
    assert.equal(lines.length, size);
    for (const [index, line] of lines.entries()) assert.equal(line, encodeUser(userAt(index)));
  }
});

test("a smaller data set of a seed is the beginning of a larger one", async () => {
  const small = await fileOf(5, 100);
  assert.ok(small.length > 0);
  assert.deepEqual((await fileOf(5, 6000)).subarray(0, small.length), small);
});

folderTest("progress is told to the end, and never backwards", async (folder) => {
  const told: number[] = [];
  await writeUsers(join(folder, "users.jsonl"), 1, 10_000, (done) => told.push(done));
  assert.deepEqual(told, [4096, 8192, 10_000]);
});

test("an encoded user reads back as it was, and its fields stand in the one order", () => {
  const userAt = userMaker(11);
  for (let index = 0; index < 2000; index++) {
    const user = userAt(index);
    const read = JSON.parse(encodeUser(user));
    assert.deepEqual(read, user);
    assert.deepEqual(Object.keys(read), [...USER_FIELDS]);
  }
});

onceTest("users have plausible values at every index", () => {
  const userAt = userMaker(2 ** 32 - 1);
  for (const index of [0, 1, 4095, 4096, MAX_SIZE - 1, MAX_SIZE, 2 ** 31, 2 ** 32 - 1]) {
    const user = userAt(index);
    assert.ok(isUserId(user.id), user.id);
    assert.match(user.name, /^\S+ \S+$/);
    assert.equal(user.email, `user.${index}@example.com`);
    assert.ok(user.age >= 18 && user.age <= 81);
    assert.match(user.country, /^[A-Z]{2}$/);
    assert.equal(new Date(user.createdAt).toISOString(), user.createdAt);
  }
});

onceTest("ids are unique, and indexes from the size upwards have none of them", () => {
  for (const seed of [0, 1, 20_260_101]) {
    const idOf = idMaker(seed);
    const ids = new Set<string>();
    for (let index = 0; index < 100_000; index++) ids.add(idOf(index));
    assert.equal(ids.size, 100_000);
    for (let index = 100_000; index < 120_000; index++) assert.ok(!ids.has(idOf(index)), `seed ${seed}: ${index}`);
    for (let index = 2 ** 32 - 1000; index < 2 ** 32; index++) {
      assert.ok(!ids.has(idOf(index)), `seed ${seed}: ${index}`);
    }
  }
});

onceTest("both halves of an id fill 256 buckets evenly, by leading and by trailing digits", () => {
  const COUNT = 65_536;
  for (const seed of [0, 1, 20_260_101]) {
    const idOf = idMaker(seed);
    for (const at of [0, 6, 8, 14]) {
      const buckets = new Array<number>(256).fill(0);
      for (let index = 0; index < COUNT; index++) buckets[parseInt(idOf(index).slice(at, at + 2), 16)]! += 1;
      const chiSquare = buckets.reduce((sum, count) => sum + (count - 256) ** 2 / 256, 0);
      // 255 degrees of freedom: 99.99 % lie below 347. Evener than chance is welcome.
      assert.ok(chiSquare < 347, `seed ${seed}, digits ${at} and ${at + 1}: chi-square ${chiSquare}`);
    }
  }
});

onceTest("ids are in no order of their index", () => {
  const idOf = idMaker(1);
  let rising = 0;
  for (let index = 0; index < 10_000; index++) if (idOf(index) < idOf(index + 1)) rising++;
  assert.ok(rising > 4500 && rising < 5500, `${rising} of 10000 neighbours rise`);
});

onceTest("seeds differ, neighbouring ones too", () => {
  const shared = new Set(Array.from({ length: 5000 }, (_, index) => idMaker(1)(index)));
  for (const seed of [0, 2, 3, 2 ** 31, 2 ** 32 - 1]) {
    const idOf = idMaker(seed);
    const both = Array.from({ length: 5000 }, (_, index) => idOf(index)).filter((id) => shared.has(id));
    assert.deepEqual(both, [], `seeds 1 and ${seed}`);
  }
});
