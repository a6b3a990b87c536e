import type { Preset, Suite, Value } from "../../suites/suite.ts";
import { optionName } from "../plan/plan-parts.ts";
import { BenchError } from "../basics/errors.ts";
import { present, unlessEmpty } from "../basics/present.ts";
import { type LoadedSuite, loadSuite, suiteFault } from "../sources/load-suite.ts";
import { asPath, configFault, type ConfigPreset, type ReadConfig } from "./config.ts";
import { seconds } from "./types.ts";

/**
 * The suites a config brings. Throws a usage error that names file and key where one has a part missing or wrong, or
 * the name of another.
 * @param taken names of the suites of this project
 */
export async function suitesOfConfig(read: ReadConfig, taken: readonly string[]): Promise<LoadedSuite[]> {
  const { config, file, folder } = read;
  const loaded: LoadedSuite[] = [];
  for (const [n, given] of (config.suites ?? []).entries()) {
    const refused = (what: string) => configFault(read, ["suites", n], what, "see docs/adding-a-suite.md");
    const each = typeof given === "string"
      ? await loadSuite(asPath(folder, given)).catch((error) => {
        throw error instanceof BenchError ? refused(`is no suite: ${error.message}`) : error;
      })
      : { suite: given, module: file };
    const wrong = suiteFault(each.suite);
    if (wrong !== null) throw refused(`is no suite: ${wrong}`);
    const { name } = each.suite;
    if (taken.includes(name)) throw refused(`is called "${name}", as a suite of this project is`);
    if (loaded.some(({ suite }) => suite.name === name)) throw refused(`is the second suite called "${name}"`);
    loaded.push({ ...each, named: true });
  }
  return loaded;
}

/**
 * Suites with the presets of a config, each with those whose axes and values it has. They replace its presets of that name.
 * Throws a usage error that names file and key for a preset no suite can have.
 */
export function withPresets(suites: readonly LoadedSuite[], read: ReadConfig): readonly LoadedSuite[] {
  const presets = Object.entries(read.config.presets ?? {});
  const made = suites.map(({ suite }) =>
    presets.flatMap(([name, preset]) => {
      const fit = presetOf(suite, { title: `of ${read.file}`, ...preset });
      return fit === null ? [] : [[name, fit] as const];
    })
  );
  for (const [name, { at = {} }] of presets) {
    if (made.flat().some(([each]) => each === name)) continue;
    const valuesText = Object.entries(at).map(([axis, values]) => `${axis} ${[values].flat().join(", ")}`).join(
      " and ",
    );
    const hint = "bench list SUITE has the axes and values of one";
    throw configFault(read, ["presets", name, "at"], `has values no suite has: ${valuesText}`, hint);
  }
  return suites.map((loaded, n) =>
    made[n]!.length === 0
      ? loaded
      : { ...loaded, suite: { ...loaded.suite, presets: { ...loaded.suite.presets, ...Object.fromEntries(made[n]!) } } }
  );
}

/** A preset as a suite has it; null where it names an axis or a value the suite does not have. */
function presetOf(suite: Suite, { title = "", duration, warmup, at = {}, ...amounts }: ConfigPreset): Preset | null {
  const values: Record<string, Value[]> = {};
  for (const [key, given] of Object.entries(at)) {
    const axis = suite.axes.find(({ name }) => optionName(name) === optionName(key));
    const read = [given].flat().map((value) => axis?.parse(String(value)));
    if (axis === undefined || read.includes(undefined)) return null;
    values[axis.name] = read as Value[];
  }
  const ms = (given: typeof duration) => given === undefined ? undefined : seconds.read(given) as number;
  return {
    title,
    ...amounts,
    ...present({ durationMs: ms(duration), warmupMs: ms(warmup), at: unlessEmpty(values) }),
  };
}
