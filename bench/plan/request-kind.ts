import type { Draw, RequestPlan } from "../../suites/suite.ts";

/** What a draw may cost a generator, without which numbers and which file it draws from. */
function shapeOf(draw: Draw): unknown {
  const { below: _, from: __, file: ___, keys: ____, ...rest } = { below: 0, from: 0, file: "", keys: 0, ...draw };
  return "as" in rest && typeof rest.as === "object" ? { ...rest, as: "hex16" } : rest;
}

/**
 * A text that is equal for plans whose requests cost a generator the same to make: same templates, same kinds of draws,
 * whatever the range. The generator's ceiling is measured once for each.
 */
export function requestKind({ pace, mix, draws = {} }: RequestPlan): string {
  return JSON.stringify([pace, mix, Object.entries(draws).map(([name, draw]) => [name, shapeOf(draw)])]);
}

/** Connections of a load: all busy in a closed loop, in an open one at most so many. */
export function connectionsOf({ pace }: RequestPlan): number {
  return "closed" in pace ? pace.closed : pace.connections;
}
