import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { failuresOf } from "../tests/check-store.ts";
import { isServiceHere } from "../tests/service-here.ts";
import { withStoreServices } from "../tests/store-services.ts";
import { folderTest, inTemporaryFolder, startScript } from "../tests/testing.ts";
import { userMaker } from "./dataset/user-at.ts";
import { ROWS_FILE } from "./files/service-rows.ts";
import { CHECKED_SEED, CHECKED_SIZE } from "./user/context.ts";
import { prepareDataset, prepareStore } from "./prepared/prepare.ts";
import { loadStore, SERVICE_STORES } from "./registry.ts";
import { StoreError } from "./store.ts";

const SEED = CHECKED_SEED;
const ENOUGH = 100;

for (const [name, { service }] of Object.entries(SERVICE_STORES)) {
  const linuxTest = isServiceHere(service) ? test : test.skip;
  const driver = await loadStore(name);

  linuxTest(`${name}: does all that every store must, over a service filled as the suite fills it`, async () => {
    await withStoreServices(name, async (optionsOf) => {
      const wrong = await failuresOf(driver, optionsOf);
      assert.deepEqual([...wrong].map(([check, error]) => `${check}: ${error}`), []);
    });
  });

  linuxTest(`${name}: what it acknowledged is there after its process was killed`, async () => {
    await inTemporaryFolder(async (folder) => {
      const request = { dataDirectory: folder, seed: SEED, size: CHECKED_SIZE };
      const { directory } = await prepareStore(request, await prepareDataset(request), name);
      await withStoreServices(name, async (optionsOf) => {
        const options = await optionsOf(directory);
        const args = [name, directory, String(SEED), JSON.stringify(options)];
        const child = startScript("tests/create-until-killed.ts", ...args);
        try {
          await child.line((_, index) => index >= ENOUGH);
        } finally {
          child.child.kill("SIGKILL");
        }
        assert.equal((await child.ended).signal, "SIGKILL");
        const userAt = userMaker(SEED);
        const store = await driver.open(directory, options);
        for (const [n, id] of child.stdout().split("\n").slice(0, -1).entries()) {
          assert.deepEqual({ ...await store.find(id) }, userAt(2_000_000_000 + n));
        }
        await store.close();
      });
    });
  });

  folderTest(`${name}: without its service it says so, and its rows are a file`, async (folder) => {
    const { usersFile } = await prepareDataset({ dataDirectory: folder, seed: SEED, size: 3 });
    await driver.prepare({ usersFile, size: 3 }, folder);
    assert.ok(existsSync(join(folder, ROWS_FILE)));
    await assert.rejects(
      async () => await driver.open(folder),
      (error) => error instanceof StoreError && /none was started/.test(error.message),
    );
  });
}
