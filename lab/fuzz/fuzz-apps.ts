import type { AppServer, Point, Suite } from "../../suites/suite.ts";
import { pointsOf, probeOf } from "../../bench/plan/points.ts";

/** An app on every runtime, with the points of its suite at which it is what answers. */
export interface FuzzApp {
  readonly suite: Suite;
  /** Suite and values of its contrast axes, without the runtime. */
  readonly title: string;
  /** By runtime: the first is the one whose files it gets. */
  readonly points: ReadonlyMap<string, readonly Point[]>;
}

/**
 * Every app of the suites: what servers differ in by contrast axes. Points whose conditions ask for other things of the
 * same app belong to it, so that it gets all of these requests. Servers that are started by a command are not ours to fuzz, nor
 * those that need a service, whose apps are Hono's like others, nor functions that call themselves.
 */
export function fuzzApps(suites: readonly Suite[]): FuzzApp[] {
  return suites.flatMap((suite) => {
    const plain = grouped(suite, pointsWith(suite, false));
    const all = grouped(suite, pointsWith(suite, true));
    return [...plain].map(([key, points]): FuzzApp => {
      const every = [...points, ...all.get(key) ?? []];
      const runtimes = Map.groupBy(every, (point) => appAt(suite, point)!.runtime);
      return { suite, title: titleOf(suite, points), points: runtimes };
    });
  });
}

/** @param others whether conditions take the values, too, that are measured only when they are requested */
function pointsWith(suite: Suite, others: boolean): readonly Point[] {
  const probe = probeOf(suite);
  const values = suite.axes.map(({ name, role, values, others: more = [] }) => [
    name,
    role === "contrast" ? values : role === "scale" ? [probe[name]!] : others ? [...values, ...more] : values,
  ]);
  return pointsOf(suite, Object.fromEntries(values)).points;
}

/** Points by what serves them, whatever the runtime. */
function grouped(suite: Suite, points: readonly Point[]): Map<string, Point[]> {
  const served = points.flatMap((point) => {
    const spec = appAt(suite, point);
    return spec === undefined ? [] : [{ point, key: JSON.stringify([spec.module, spec.options ?? {}]) }];
  });
  return new Map([...Map.groupBy(served, ({ key }) => key)].map(([key, all]) => [key, all.map(({ point }) => point)]));
}

function appAt(suite: Suite, point: Point): AppServer | undefined {
  if (suite.generator !== undefined || (suite.services?.(point, null) ?? []).length > 0) return undefined;
  const spec = suite.server(point, null);
  return spec.kind === "app" ? spec : undefined;
}

function titleOf(suite: Suite, points: readonly Point[]): string {
  const axes = suite.axes.filter(({ role, binds, values }) =>
    role === "contrast" && binds === undefined && values.length > 1
  );
  const words = axes.map(({ name, format }) => [...new Set(points.map(({ at }) => format(at[name]!)))].join("+"));
  return [suite.name, ...words].join(" ");
}
