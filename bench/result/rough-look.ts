import { MAIN, shownAxes, textOf } from "../record/cell.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Plan } from "../record/plan.ts";
import { exp, log } from "../statistics/logarithms.ts";
import { mean } from "../statistics/variation.ts";

/** A question as the rounds so far show it, before there is a verdict. */
export interface RoughLook {
  readonly title: string;
  /** Its values, the cheapest first, with their CPU time over that of the cheapest: means over places and rounds. */
  readonly values: readonly { readonly text: string; readonly times: number }[];
}

/**
 * Returns a look at each question from the loads of several servers so far, also those that others disturbed: what one
 * round shows without any proof. A value counts at the places that all values of its question have.
 */
export function roughLooks({ axes }: Pick<Plan, "axes">, lines: readonly Observation[]): RoughLook[] {
  const known = lines.filter(({ kind }) => kind === "ensemble").flatMap(({ round, members }) =>
    members.flatMap(({ cell: { point, label }, cpu_ns_per_request: cost }) =>
      cost === null || label !== MAIN ? [] : [{ round, at: point.at, cost: log(cost) }]
    )
  );
  const shown = shownAxes(axes);
  return shown.filter(({ role }) => role === "contrast").flatMap((axis): RoughLook[] => {
    const others = shown.filter((one) => one !== axis);
    const places = [
      ...Map.groupBy(known, ({ round, at }) => JSON.stringify([round, ...others.map((one) => textOf(one, at))]))
        .values(),
    ];
    const most = Math.max(0, ...places.map((place) => new Set(place.map(({ at }) => textOf(axis, at))).size));
    const whole = places.filter(({ length }) => length === most && most > 1);
    const beyond = whole.flatMap((place) => {
      const middle = mean(place.map(({ cost }) => cost));
      return place.map(({ at, cost }) => ({ text: textOf(axis, at), cost: cost - middle }));
    });
    const values = [...Map.groupBy(beyond, ({ text }) => text)]
      .map(([text, some]) => ({ text, cost: mean(some.map(({ cost }) => cost)) }))
      .toSorted((a, b) => a.cost - b.cost);
    return values.length < 2 ? [] : [{
      title: axis.title,
      values: values.map(({ text, cost }) => ({ text, times: exp(cost - values[0]!.cost) })),
    }];
  });
}
