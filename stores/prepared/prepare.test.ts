import assert from "node:assert/strict";
import { appendFileSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprint, folderTest } from "../../tests/testing.ts";
import { loadStore, STORE_NAMES } from "../registry.ts";
import { StoreError } from "../store.ts";
import { datasetHome, prepareDataset, prepareStore, storeHome } from "./prepare.ts";

const SEED = 5;
const SIZE = 400;

folderTest("everything is built once and reused after", async (dataDirectory) => {
  const request = { dataDirectory, seed: SEED, size: SIZE };
  const layouts = new Set<string>();
  const dataset = await prepareDataset(request);
  assert.equal(dataset.built, "not built yet");
  for (const name of STORE_NAMES) {
    const { layout } = await loadStore(name);
    const { built } = await prepareStore(request, dataset, name);
    assert.equal(built, layouts.has(layout) ? null : "not built yet", name);
    layouts.add(layout);
  }
  assert.deepEqual(readdirSync(datasetHome(request)).sort(), ["dataset", ...layouts].sort());
  const times = () =>
    ["dataset", ...layouts].map((part) =>
      readdirSync(join(datasetHome(request), part)).filter((name) => name !== ".stamp.json")
        .map((name) => String(statSync(join(datasetHome(request), part, name), { bigint: true }).mtimeNs))
    );
  const before = times();
  const again = await prepareDataset(request);
  assert.deepEqual([again.built, again.sha256], [null, dataset.sha256]);
  for (const name of STORE_NAMES) assert.equal((await prepareStore(request, again, name)).built, null);
  assert.deepEqual(times(), before);
});

folderTest("a store's files are the same bytes each time they are built", async (folder) => {
  for (const name of STORE_NAMES) {
    const prints = [];
    for (const attempt of ["first", "second"]) {
      const request = { dataDirectory: join(folder, name, attempt), seed: SEED, size: SIZE };
      const { directory, manifest } = await prepareStore(request, await prepareDataset(request), name);
      prints.push(manifest.files);
      assert.ok(Object.keys(fingerprint(directory)).length >= 3);
    }
    assert.deepEqual(prints[0], prints[1], name);
  }
});

folderTest("data sets of other seeds and sizes are kept apart", async (dataDirectory) => {
  const wanted = [{ seed: 1, size: 10 }, { seed: 2, size: 10 }, { seed: 1, size: 11 }];
  const hashes = new Set<string>();
  for (const one of wanted) hashes.add((await prepareDataset({ dataDirectory, ...one })).sha256);
  assert.equal(hashes.size, 3);
  for (const one of wanted) assert.equal((await prepareDataset({ dataDirectory, ...one })).built, null);
});

folderTest("a damaged data set is built again, and a store that shares its bytes too", async (dataDirectory) => {
  const request = { dataDirectory, seed: SEED, size: SIZE };
  const first = await prepareDataset(request);
  await prepareStore(request, first, "map");
  const bytes = Buffer.alloc(statSync(first.usersFile).size, "x");
  writeFileSync(first.usersFile, bytes);
  utimesSync(first.usersFile, new Date(), new Date(Date.now() + 60_000));
  const second = await prepareDataset(request);
  assert.match(second.built ?? "", /"users.jsonl" is damaged/);
  assert.equal(second.sha256, first.sha256);
  assert.match((await prepareStore(request, second, "map")).built ?? "", /"users.jsonl" is damaged/);
});

folderTest("users created in a prepared folder itself are cleared away by the next build", async (dataDirectory) => {
  const request = { dataDirectory, seed: SEED, size: SIZE };
  const dataset = await prepareDataset(request);
  for (const name of STORE_NAMES) {
    const driver = await loadStore(name);
    const { directory } = await prepareStore(request, dataset, name);
    const store = await driver.open(directory);
    await store.create({
      ...JSON.parse(`{"id":"0000000000000000"}`),
      name: "n",
      email: "e",
      age: 1,
      country: "DK",
      createdAt: "c",
    });
    await store.close();
    const { built } = await prepareStore(request, dataset, name);
    assert.equal(built !== null, driver.durability !== "memory", `${name}: ${built}`);
    const clean = await driver.open(await storeHome(request, name));
    assert.equal(await clean.find("0000000000000000"), undefined);
    await clean.close();
  }
});

folderTest("a store built from another data set is built again", async (dataDirectory) => {
  const request = { dataDirectory, seed: SEED, size: SIZE };
  const dataset = await prepareDataset(request);
  await prepareStore(request, dataset, "binary");
  const { built } = await prepareStore(request, { ...dataset, sha256: "0".repeat(64) }, "binary");
  assert.match(built ?? "", /its dataset is/);
});

folderTest("a file that holds another number of users than it should is refused", async (dataDirectory) => {
  const request = { dataDirectory, seed: SEED, size: SIZE };
  const dataset = await prepareDataset(request);
  appendFileSync(dataset.usersFile, `{"id":"0000000000000000"}\n`);
  for (const name of ["binary", "sqlite"]) {
    await assert.rejects(prepareStore(request, dataset, name), /users in ".*": 401, expected 400/);
  }
  const parts = readdirSync(datasetHome(request));
  assert.deepEqual(parts, ["dataset"]);
});

folderTest("impossible sizes and seeds are refused in one line", async (dataDirectory) => {
  for (const size of [0, -1, 1.5, NaN, 10_000_001]) {
    await assert.rejects(prepareDataset({ dataDirectory, seed: 1, size }), StoreError);
  }
  for (const seed of [-1, 1.5, NaN, 2 ** 32]) {
    await assert.rejects(prepareDataset({ dataDirectory, seed, size: 10 }), StoreError);
  }
  assert.deepEqual(readdirSync(dataDirectory), []);
});
