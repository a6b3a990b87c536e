import { failure } from "../basics/errors.ts";
import { type Generator, installHint } from "../generators/generator.ts";
import type { Host } from "../pipe/host.ts";
import { localHost } from "../pipe/local-host.ts";
import type { Tool } from "./site.ts";

/** Finds a generator's program and asks it for its version. Throws with what to install when it is missing. */
export async function inspectGenerator(
  generator: Generator,
  host: Pick<Host, "findProgram"> = localHost(),
): Promise<Tool> {
  const { name, program, module, versionArgs } = generator;
  const found = await host.findProgram({ program, module, versionArgs });
  if (found === null) throw failure(`${name} is not installed`, `install it: ${installHint(generator)}`);
  const { output, ...place } = found;
  const version = generator.parseVersion(output);
  if (version === undefined) {
    const file = found.lead[0] ?? found.program;
    throw failure(`"${file}" does not say its version`, `install it again: ${installHint(generator)}`);
  }
  return { generator, ...place, generatorVersion: version };
}
