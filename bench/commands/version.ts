import { detectRuntime, RUNTIME_NAMES } from "../../servers/runtime.ts";
import { EXIT, type ExitCode } from "../basics/errors.ts";
import { GENERATORS } from "../generators/registry.ts";
import { levelfieldVersion, toolsEnvironment } from "../runs/provenance.ts";
import { inspectRuntime } from "../runtimes/runtimes.ts";
import { INSTALLED } from "../runtimes/project-folders.ts";
import { inspectGenerator } from "../observe/equip.ts";
import { inColumns } from "../report/wrap.ts";
import type { Context } from "./context.ts";

const TOOLS = {
  npm: INSTALLED ? "npm, as the project around it has them" : "npm, pinned by package-lock.json",
  nix: "Nix, pinned by flake.lock",
  image: "container image",
} as const;

/** `bench --version`: the versions of everything a result depends on. */
export async function versionCommand(context: Context): Promise<ExitCode> {
  const rows: [string, string][] = [["levelfield", levelfieldVersion()], ["tools", TOOLS[toolsEnvironment()]]];
  const pinned = INSTALLED ? "from node_modules" : "pinned by package-lock.json";
  const origins: Readonly<Record<string, string>> = { path: "from PATH", fetched: "fetched" };
  for (const name of RUNTIME_NAMES) {
    const version = await inspectRuntime(name)
      .then(({ version, origin }) => `${version} (${origins[origin] ?? pinned})`, (error) => (error as Error).message);
    rows.push([name, version]);
  }
  for (const generator of Object.values(GENERATORS)) {
    const version = await inspectGenerator(generator)
      .then(({ generatorVersion }) => generatorVersion, (error) => (error as Error).message);
    rows.push([generator.name, version]);
  }
  const driver = detectRuntime();
  rows.push(["driver", `${driver.name} ${driver.version}`]);
  context.print(
    rows.flatMap(([name, version]) => inColumns(name, version, { width: 11, columns: context.columns })).join("\n") +
      "\n",
  );
  return EXIT.done;
}
