import { test } from "node:test";
import { failuresOf } from "../tests/check-store.ts";
import { runtime } from "../tests/testing.ts";
import { loadStore, STORE_NAMES } from "./registry.ts";
import { loadEngine } from "./sqlite/engine.ts";
import { storeChecks } from "./store-checks.ts";
import { type SqliteEngineName, type StoreDriver, UnsupportedEngine } from "./store.ts";

/** The engines to check a store over; node:sqlite is `native` already where there is no other. */
function enginesOf(driver: StoreDriver): readonly SqliteEngineName[] {
  if (!driver.layout.startsWith("sqlite")) return ["native"];
  return runtime.name === "bun" ? ["native", "node", "library"] : ["native", "library"];
}

/** Why there is no such engine here; undefined when there is one. */
async function missing(engine: SqliteEngineName): Promise<string | undefined> {
  try {
    await loadEngine({ engine });
    return undefined;
  } catch (error) {
    if (error instanceof UnsupportedEngine) return error.message;
    throw error;
  }
}

for (const name of STORE_NAMES) {
  const driver = await loadStore(name);
  if (!driver.runtimes.includes(runtime.name)) {
    test.skip(`${name} does not run on ${runtime.name}`, () => {});
    continue;
  }
  for (const engine of enginesOf(driver)) {
    const title = engine === "native" ? name : `${name} over engine ${engine}`;
    const reason = engine === "native" ? undefined : await missing(engine);
    if (reason !== undefined) {
      test.skip(`${title}: ${reason}`, () => {});
      continue;
    }
    for (const check of storeChecks) {
      test(`${title}: ${check.name}`, async () => {
        const failures = await failuresOf(driver, { engine }, (other) => other === check.name);
        for (const error of failures.values()) throw error;
      });
    }
  }
}
