import { failure } from "../core/errors.ts";
import type { Generator } from "../generators/generator.ts";
import { findProgram } from "../host/child.ts";
import { runToEnd } from "../host/run-to-end.ts";

/** Finds a generator's program and asks it for its version. Throws with what to install when it is missing. */
export async function inspectGenerator(generator: Generator): Promise<{ program: string; version: string }> {
  const program = findProgram(generator.program);
  const { apt, brew, nix } = generator.install;
  if (program === undefined) {
    throw failure(`${generator.name} is not installed`, `install it: "${apt}", "${brew}" or "${nix}"`);
  }
  const { stdout, stderr } = await runToEnd(program, generator.versionArgs);
  const version = generator.parseVersion(stdout + stderr);
  if (version === undefined) {
    throw failure(`"${program}" does not say its version`, `install it again: "${apt}", "${brew}" or "${nix}"`);
  }
  return { program, version };
}
