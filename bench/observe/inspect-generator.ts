import { failure } from "../basics/errors.ts";
import { installHint } from "../generators/install.ts";
import type { Generator, KnownWrong } from "../generators/generator.ts";
import { KEEPS_SCHEDULE } from "../generators/names.ts";
import { GENERATORS } from "../generators/registry.ts";
import { refusal } from "../generators/known-wrong.ts";
import type { Host } from "../host/host.ts";
import { localHost } from "../host/local-host.ts";
import type { Tool } from "./site.ts";

/**
 * Finds a generator's program and asks it for its version. Throws with what to install when it is missing, or when its
 * version is known to be wrong in such a load.
 */
export async function inspectGenerator(
  generator: Generator,
  load: KnownWrong["in"] = "every load",
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
  const wrong = refusal(generator, version, load);
  if (wrong !== null) throw failure(wrong, `install a later one: ${installHint(generator)}`);
  return { generator, ...place, generatorVersion: version };
}

/**
 * Finds a generator that counts latencies from when requests were due: the wished one, else the first that is there.
 * Throws with what to install when there is none, or when the one found is known to be wrong.
 */
export async function inspectScheduler(
  wished: string | undefined,
  host: Pick<Host, "findProgram"> = localHost(),
): Promise<Tool> {
  const able = wished === undefined ? KEEPS_SCHEDULE.map((name) => GENERATORS[name]!) : [GENERATORS[wished]!];
  for (const each of able) {
    if (await host.findProgram(each) !== null) return await inspectGenerator(each, "open loop", host);
  }
  const names = able.map(({ name }) => name).join(" nor ");
  const none = able.length === 1 ? `${names} is not installed` : `neither ${names} is installed, and one is needed`;
  throw failure(none, `install it: ${installHint(able[0]!)}`);
}
