import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { loadStore, SERVICE_STORES, STORE_NAMES } from "./registry.ts";
import { StoreError } from "./store.ts";

test("the registry names each file of the folder that exports a driver, and nothing else", () => {
  const folder = new URL("./", import.meta.url);
  const drivers = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .filter((name) => /^export const driver\b/m.test(readFileSync(new URL(name, folder), "utf8")))
    .map((name) => name.slice(0, -".ts".length));
  assert.deepEqual([...STORE_NAMES, ...Object.keys(SERVICE_STORES)].sort(), drivers.sort());
});

test("each name of the registry loads the driver of that name", async () => {
  for (const name of STORE_NAMES) assert.equal((await loadStore(name)).name, name);
  for (const [name, { elsewhere }] of Object.entries(SERVICE_STORES)) {
    const driver = await loadStore(name);
    assert.deepEqual([driver.name, driver.elsewhere], [name, elsewhere]);
  }
});

test("an unknown name is refused with the names there are", async () => {
  for (const name of ["mongodb", "", "__proto__"]) {
    await assert.rejects(
      loadStore(name),
      (error) => error instanceof StoreError && error.message.includes(`"${name}"`) && error.message.includes("linear"),
    );
  }
});
