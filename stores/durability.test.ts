import assert from "node:assert/strict";
import { folderTest, startScript } from "../tests/testing.ts";
import { userMaker } from "./dataset/user-at.ts";
import { prepareDataset, prepareStore } from "./prepared/prepare.ts";
import { loadStore, STORE_NAMES } from "./registry.ts";

const SEED = 7;
const ENOUGH = 200;

for (const name of STORE_NAMES) {
  const driver = await loadStore(name);
  if (driver.durability === "memory") continue;
  folderTest(`${name}: what it acknowledged is there after its process was killed`, async (folder) => {
    const request = { dataDirectory: folder, seed: SEED, size: 300 };
    const { directory } = await prepareStore(request, await prepareDataset(request), name);
    const child = startScript("tests/create-until-killed.ts", name, directory, String(SEED));
    try {
      await child.line((_, index) => index >= ENOUGH);
    } finally {
      child.child.kill("SIGKILL");
    }
    assert.equal((await child.ended).signal, "SIGKILL");
    const acknowledged = child.stdout().split("\n").slice(0, -1);
    assert.ok(acknowledged.length >= ENOUGH);
    const userAt = userMaker(SEED);
    const store = await driver.open(directory);
    for (const [n, id] of acknowledged.entries()) {
      assert.deepEqual({ ...await store.find(id) }, userAt(2_000_000_000 + n));
    }
    assert.deepEqual({ ...await store.find(userAt(0).id) }, userAt(0));
    await store.close();
  });
}
