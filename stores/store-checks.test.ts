import { test } from "node:test";
import { failuresOf } from "../tests/check-store.ts";
import { runtime } from "../tests/testing.ts";
import { loadStore, STORE_NAMES } from "./registry.ts";
import { storeChecks } from "./store-checks.ts";

for (const name of STORE_NAMES) {
  const driver = await loadStore(name);
  if (!driver.runtimes.includes(runtime.name)) {
    test.skip(`${name} does not run on ${runtime.name}`, () => {});
    continue;
  }
  const choosesEngine = runtime.name === "bun" && driver.layout.startsWith("sqlite");
  for (const engine of choosesEngine ? ["native", "node"] as const : ["native"] as const) {
    for (const check of storeChecks) {
      test(`${name}${engine === "node" ? " over node:sqlite" : ""}: ${check.name}`, async () => {
        const failures = await failuresOf(driver, { engine }, (other) => other === check.name);
        for (const error of failures.values()) throw error;
      });
    }
  }
}
