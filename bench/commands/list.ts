import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { loadStore, STORE_NAMES } from "../../stores/registry.ts";
import { EXIT, type ExitCode } from "../core/errors.ts";
import { PROFILES } from "../core/profile.ts";
import { formatSize } from "../core/units.ts";
import { GENERATORS } from "../generators/registry.ts";
import type { Context } from "./context.ts";
import { DEFAULT_SIZES, SUITES } from "./plan-from-args.ts";
import { runtimeVersions } from "./version.ts";

/** `bench list`: everything that can be named on the command line. */
export async function listCommand(context: Context): Promise<ExitCode> {
  const { args, stdout, outStyle } = context;
  const runtimes = await runtimeVersions();
  const stores = await Promise.all(STORE_NAMES.map(loadStore));
  if (args.has("json")) {
    stdout.write(
      JSON.stringify({
        suites: Object.entries(SUITES).map(([name, suite]) => ({ name, ...suite })),
        runtimes: RUNTIME_NAMES.map((name) => ({ name, version: runtimes.get(name) ?? null })),
        stores: stores.map(({ name, title, complexity, durability, runtimes }) => ({
          name,
          title,
          complexity,
          durability,
          runtimes,
        })),
        sizes: DEFAULT_SIZES,
        profiles: Object.values(PROFILES),
        generators: Object.keys(GENERATORS),
      }) + "\n",
    );
    return EXIT.done;
  }
  const section = (title: string, rows: readonly (readonly string[])[]) => {
    const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
    const lines = rows.map((row) =>
      `  ${row.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd()}`
    );
    stdout.write(`${outStyle.bold(title)}\n${lines.join("\n")}\n`);
  };
  section("Suites", Object.entries(SUITES).map(([name, suite]) => [name, suite.title]));
  section("Runtimes", RUNTIME_NAMES.map((name) => [name, runtimes.get(name) ?? "not installed"]));
  section("Stores", stores.map((store) => [store.name, store.complexity, store.durability, store.title]));
  section("Sizes", [[DEFAULT_SIZES.map(formatSize).join(", "), "any from 1 to 10m works"]]);
  section("Profiles", Object.values(PROFILES).map((profile) => [profile.name, profile.title]));
  section("Load generators", Object.keys(GENERATORS).map((name) => [name]));
  return EXIT.done;
}
