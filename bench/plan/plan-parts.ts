import type { At, Draw, Point, RequestPlan, RequestTemplate, Suite } from "../../suites/suite.ts";
import { bodyBytes } from "../basics/body-bytes.ts";
import { usageError } from "../basics/errors.ts";
import { present } from "../basics/present.ts";
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

/** Returns the parts of a draw that change its cost for a generator: all but its numbers and its file. */
function shapeOf(draw: Draw): unknown {
  const { below: _, from: __, file: ___, keys: ____, ...rest } = { below: 0, from: 0, file: "", keys: 0, ...draw };
  return "as" in rest && typeof rest.as === "object" ? { ...rest, as: "hex16" } : rest;
}

/**
 * A text that is equal for plans whose requests cost a generator the same to make: same templates, same kinds of draws,
 * whatever the range. The generator's ceiling is measured once for each.
 */
export function requestKind(requests: RequestPlan): string {
  const { pace, mix, websocket, draws = {} } = ceilingRequests(requests);
  // Of messages the length counts: they are made before the load.
  const sent = websocket?.asGiven !== true ? mix : mix.map(({ body = "", ...rest }) => [rest, bodyBytes(body).length]);
  return JSON.stringify([pace, sent, websocket, Object.entries(draws).map(([name, draw]) => [name, shapeOf(draw)])]);
}

/**
 * Returns requests as a null server can answer them, which sends each message back: the longer one of message and reply
 * stands for both, so that the generator's ceiling is none that is too high.
 */
export function ceilingRequests({ websocket, mix, ...requests }: RequestPlan): RequestPlan {
  if (websocket?.asGiven !== true) return { ...requests, mix, ...present({ websocket }) };
  const { reply, firstReplies: _, ...echo } = websocket,
    [{ first: __, body = "", ...template }] = mix as [RequestTemplate];
  const longer = reply !== undefined && bodyBytes(reply).length > bodyBytes(body).length ? reply : body;
  return { ...requests, mix: [{ ...template, body: longer }], websocket: echo };
}

/** Connections of a load: all are busy in a closed loop; an open loop uses at most so many. */
export function connectionsOf({ pace }: RequestPlan): number {
  return "closed" in pace ? pace.closed : pace.connections;
}
