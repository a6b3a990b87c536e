import type { Axis, Suite, UserModule } from "../../suites/suite.ts";
import type { Args } from "./args.ts";
import { asPath, type ReadConfig } from "./config.ts";
import { optionName } from "../plan/plan-parts.ts";
import { failure, usageError } from "../basics/errors.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Plan } from "../record/plan.ts";

/** The axes of a suite that take the user's modules. */
export const moduleAxesOf = ({ axes, withModules }: Suite): (Axis & { readonly modules: string })[] =>
  axes.filter((axis): axis is Axis & { readonly modules: string } =>
    axis.modules !== undefined && withModules !== undefined
  );

/**
 * Finds the modules a command line names among values: `./mine.ts,map`. Gives the suites with them, and the arguments
 * with their names in place of their files. Throws where a file is not there, is no such module, or has a name taken.
 */
export async function withUserModules(
  args: Args,
  suites: readonly LoadedSuite[],
  config: ReadConfig | null = null,
): Promise<{ readonly args: Args; readonly suites: readonly LoadedSuite[] }> {
  const given = new Map(args.axes());
  const changed = new Map<string, readonly string[]>();
  const bound = await Promise.all(suites.map(async (loaded): Promise<LoadedSuite> => {
    const modules: UserModule[] = [];
    for (const axis of moduleAxesOf(loaded.suite)) {
      const said = given.get(optionName(axis.name));
      if (said === undefined) continue;
      const named = namedModules(config, axis);
      const { inspectModule, parseNamedModule } = await import("../sources/user-module.ts");
      const words = said.map((word) => ({ word, wish: named.get(word.trim()) ?? parseNamedModule(word) }));
      for (const { word, wish } of words) {
        if (wish === undefined) continue;
        refuseTaken(axis, wish.value, word, modules);
        modules.push(await inspectModule(axis.modules, wish));
      }
      if (modules.length > 0) {
        changed.set(optionName(axis.name), words.map(({ word, wish }) => wish?.value ?? word));
      }
    }
    return modules.length === 0 ? loaded : { ...loaded, suite: loaded.suite.withModules!(modules), userModules: true };
  }));
  return { args: args.withWords(changed), suites: bound };
}

function namedModules(config: ReadConfig | null, { name }: Axis) {
  const said = Object.entries(config?.config.modules ?? {}).find(([axis]) => optionName(axis) === optionName(name));
  return new Map(
    Object.entries(said?.[1] ?? {}).map(([value, path]) => [value, { value, file: asPath(config!.folder, path) }]),
  );
}

function refuseTaken(axis: Axis, value: string, word: string, modules: readonly UserModule[]): void {
  const listed = [...axis.values, ...axis.others ?? []].includes(value);
  if (!listed && !modules.some((module) => module.value === value)) return;
  throw usageError(
    `"${word}" would be called "${value}", which ${listed ? "is listed already" : "another file is called"}`,
    `a name of its own: --${optionName(axis.name)} other-${value}=${word.replace(/^[^=/\\]+=/, "")}`,
  );
}

/** Modules a plan names, as they are here: null for one that is not. */
export function plannedModules({ axes }: Pick<Plan, "axes">, folder: string) {
  return axes.flatMap((axis) =>
    axis.values.flatMap(({ value, facts: { file, sha256 } }) => {
      if (file === undefined || sha256 === undefined) return [];
      const found = [resolve(file), resolve(folder, file)].find((path) => existsSync(path)) ?? null;
      return [{ axis: axis.name, value: String(value), file, sha256, found }];
    })
  );
}

/** A suite with the modules of a plan. Throws if one of them is missing or differs from the planned one. */
export async function withPlannedModules(suite: Suite, plan: Plan, folder: string): Promise<Suite> {
  const modules: UserModule[] = [];
  const { inspectModule } = await import("../sources/user-module.ts");
  const { fileSha256 } = await import("../runtimes/runtimes.ts");
  for (const { axis: name, value, file, sha256, found } of plannedModules(plan, folder)) {
    const axis = moduleAxesOf(suite).find((each) => each.name === name);
    // A suite may use the same words for other facts.
    if (axis === undefined) continue;
    if (found === null) {
      throw usageError(
        `"${value}" was planned from "${file}", which is not here`,
        "go to the folder it was planned in",
      );
    }
    if (fileSha256(found) !== sha256) {
      throw failure(`"${file}" is not what was planned: it has changed since`, "put it back, or make a new run");
    }
    const module = await inspectModule(axis.modules, { value, file: found });
    modules.push({ ...module, facts: { ...module.facts, file } });
  }
  return modules.length === 0 ? suite : suite.withModules!(modules);
}
