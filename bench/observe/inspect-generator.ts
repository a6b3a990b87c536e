import { existsSync } from "node:fs";
import { join } from "node:path";
import { failure } from "../core/errors.ts";
import { installHint } from "../generators/install.ts";
import type { Generator, KnownWrong } from "../generators/generator.ts";
import { refusal } from "../generators/known-wrong.ts";
import { findProgram } from "../host/child.ts";
import { runToEnd } from "../host/run-to-end.ts";
import { foldersOfPackages, locateRuntime } from "../host/runtimes.ts";
import type { Tool } from "./site.ts";

/**
 * Finds a generator's program and asks it for its version. Throws with what to install when it is missing, or when its
 * version is known to be wrong in such a load.
 */
export async function inspectGenerator(
  generator: Generator,
  load: KnownWrong["in"] = "every load",
): Promise<Tool> {
  const { name } = generator;
  const found = locate(generator);
  if (found === undefined) throw failure(`${name} is not installed`, `install it: ${installHint(generator)}`);
  const { stdout, stderr } = await runToEnd(found.program, [...found.lead, ...generator.versionArgs]);
  const version = generator.parseVersion(stdout + stderr);
  if (version === undefined) {
    const file = found.lead[0] ?? found.program;
    throw failure(`"${file}" does not say its version`, `install it again: ${installHint(generator)}`);
  }
  const wrong = refusal(generator, version, load);
  if (wrong !== null) throw failure(wrong, `install a later one: ${installHint(generator)}`);
  return { generator, ...found, generatorVersion: version };
}

/** Where a generator is: on PATH, or a package of this project that the pinned Node runs. */
function locate({ program, module }: Generator): Pick<Tool, "program" | "lead"> | undefined {
  if (module === undefined) {
    const found = findProgram(program);
    return found === undefined ? undefined : { program: found, lead: [] };
  }
  const file = foldersOfPackages().map((folder) => join(folder, module)).find((path) => existsSync(path));
  return file === undefined ? undefined : { program: locateRuntime("node").file, lead: [file] };
}
