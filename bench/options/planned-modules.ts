import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { OwnModule, Suite } from "../../suites/suite.ts";
import { failure, usageError } from "../basics/errors.ts";
import { inspectModule } from "../sources/user-module.ts";
import { fileSha256 } from "../runtimes/runtimes.ts";
import type { Plan } from "../record/plan.ts";
import { moduleAxesOf } from "./own-modules.ts";

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

/** A suite with the modules a plan names. Throws where one of them is not here or is another than was planned. */
export async function withPlannedModules(suite: Suite, plan: Plan, folder: string): Promise<Suite> {
  const modules: OwnModule[] = [];
  for (const { axis: name, value, file, sha256, found } of plannedModules(plan, folder)) {
    const axis = moduleAxesOf(suite).find((each) => each.name === name);
    // A suite may use the same words for facts of its own.
    if (axis === undefined) continue;
    if (found === null) {
      throw usageError(
        `"${value}" was planned from "${file}", which is not here`,
        "go to the folder it was planned in",
      );
    }
    if (fileSha256(found) !== sha256) {
      throw failure(
        `"${file}" is not what was planned: it has changed since`,
        "put it back as it was, or make a new run",
      );
    }
    const module = await inspectModule(axis.modules, { value, file: found });
    modules.push({ ...module, facts: { ...module.facts, file } });
  }
  return modules.length === 0 ? suite : suite.withModules!(modules);
}
