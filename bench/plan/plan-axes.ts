import type { Suite } from "../../suites/suite.ts";
import type { PlanAxis } from "../record/cell-schema.ts";
import { optionName } from "./axis-options.ts";
import type { Values } from "./points.ts";

/** The axes with their chosen values, each with its text and facts. */
export async function planAxes(suite: Suite, values: Values): Promise<PlanAxis[]> {
  const axes = await Promise.all(suite.axes.map(async (axis): Promise<PlanAxis> => {
    const own = values[axis.name]!;
    return {
      name: axis.name,
      title: axis.title,
      role: axis.role,
      unit: axis.unit ?? null,
      option: optionName(axis.name),
      shown: axis.role === "contrast" || axis.values.length > 1 || own.length > 1 || own[0] !== axis.values[0],
      values: await Promise.all(own.map(async (value) => {
        const facts = Object.entries(await axis.describe?.(value) ?? {});
        const given = facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
        return { value, text: axis.format(value), facts: Object.fromEntries(given) };
      })),
    };
  }));
  // A name must not be empty, so where no axis would be shown all are.
  return axes.some(({ shown }) => shown) ? axes : axes.map((axis) => ({ ...axis, shown: true }));
}
