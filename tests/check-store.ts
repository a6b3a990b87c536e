import { checkContext } from "../stores/user/context.ts";
import { storeChecks } from "../stores/store-checks.ts";
import type { StoreDriver } from "../stores/store.ts";
import { inTemporaryFolder } from "./testing.ts";

/** Runs the checks named, or all, over fresh files; gives each that fails, by name, with its failure. */
export async function failuresOf(
  driver: StoreDriver,
  options: Parameters<typeof checkContext>[2] = {},
  wanted: (name: string) => boolean = () => true,
): Promise<Map<string, unknown>> {
  const failures = new Map<string, unknown>();
  await inTemporaryFolder(async (folder) => {
    const context = checkContext(driver, folder, options);
    for (const check of storeChecks.filter(({ name }) => wanted(name))) {
      await check.run(context).catch((error) => failures.set(check.name, error));
    }
  });
  return failures;
}
