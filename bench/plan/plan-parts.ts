import type { At, Point, RequestPlan, Suite } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import { cellName, hasValues } from "../record/cell.ts";
import type { PlanExpectation } from "../record/plan.ts";
import type { Values } from "./points.ts";

/** The option an axis's name makes: `dataSeed` is `data-seed`, `items / page` is `items-page`. */
export function optionName(axis: string): string {
  return axis.replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1-$2").toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
}

/** The axes with their chosen values, each with its text and facts. */
export async function planAxes(suite: Suite, values: Values): Promise<PlanAxis[]> {
  const axes = await Promise.all(suite.axes.map(async (axis): Promise<PlanAxis> => {
    const chosen = values[axis.name]!;
    return {
      name: axis.name,
      title: axis.title,
      role: axis.role,
      unit: axis.unit ?? null,
      option: optionName(axis.name),
      shown: axis.role === "contrast" || axis.values.length > 1 || chosen.length > 1 || chosen[0] !== axis.values[0],
      default: axis.values[0]!,
      values: await Promise.all(chosen.map(async (value) => {
        const facts = Object.entries(await axis.describe?.(value) ?? {});
        const given = facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
        return { value, text: axis.format(value), facts: Object.fromEntries(given) };
      })),
    };
  }));
  // A name must not be empty: then all axes are shown.
  return axes.some(({ shown }) => shown) ? axes : axes.map((axis) => ({ ...axis, shown: true }));
}

/** Refuses cells with equal names, since a run's files name cells. Throws a usage error. */
export function refuseEqualNames(suite: Suite, axes: readonly PlanAxis[], cells: readonly Cell[]): void {
  const seen = new Map<string, Cell>();
  for (const cell of cells) {
    const name = cellName(axes, cell);
    const other = seen.get(name);
    if (other !== undefined) {
      const values = (at: At) => suite.axes.map((axis) => `${axis.name} ${JSON.stringify(at[axis.name])}`).join(", ");
      throw usageError(
        `suite "${suite.name}": "${name}" is the name of ${values(other.point.at)} and of ${values(cell.point.at)}`,
        "give each value of an axis a text of its own: see its format",
      );
    }
    seen.set(name, cell);
  }
}

/** The suite's expectations about cells of the plan; a ratio needs both sides in it. */
export function expectationsFor({ expectations = [] }: Suite, points: readonly Point[]): PlanExpectation[] {
  const measured = (at: At) => points.filter((point) => hasValues(point.at, at));
  const valuesOn = (axis: string, at: At) => new Set(measured(at).map((point) => point.at[axis]));
  const touching = expectations.filter((expectation) => {
    switch (expectation.kind) {
      case "ratio":
        return measured(expectation.over).length > 0 && measured(expectation.under).length > 0;
      case "scaling":
        return valuesOn(expectation.axis, expectation.at).size > 1;
      case "steps":
        return expectation.values.some((value) => valuesOn(expectation.axis, expectation.at ?? {}).has(value));
      default:
        return measured(expectation.at).length > 0;
    }
  });
  return structuredClone(touching) as PlanExpectation[];
}

/** Connections of a load: all are busy in a closed loop; an open loop uses at most so many. */
export function connectionsOf({ pace }: RequestPlan): number {
  return "closed" in pace ? pace.closed : pace.connections;
}
