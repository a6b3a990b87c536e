/** Axes that several suites share, and how to make others. */
import { RUNTIME_NAMES, type RuntimeName } from "../servers/runtime.ts";
import { WAY_TITLES, wayOn, WORKER_WAYS, type WorkerWay } from "../servers/workers/ways.ts";
import type { Axis, Point, Value, ValueFacts, WorkersSpec } from "./suite.ts";

type Named = Pick<Axis, "name" | "title" | "help"> & Partial<Pick<Axis, "role" | "unit" | "inEveryRound">>;

/**
 * An axis of a few words; a contrast unless it says otherwise.
 *
 * @param axis with a phrase for each value that is a key: what stands in sentences, and in lists where it has no title
 */
export function wordAxis(
  { phrases, ...axis }: Named & {
    readonly values: readonly string[];
    readonly others?: readonly string[];
    readonly phrases?: Readonly<Record<string, string>>;
    describe?(value: Value): ValueFacts | Promise<ValueFacts>;
  },
): Axis {
  const known = [...axis.values, ...axis.others ?? []];
  const named = { role: "contrast" as const, ...axis, parse: (text: string) => known.find((word) => word === text) };
  if (phrases === undefined) return { ...named, format: String };
  return {
    ...named,
    format: String,
    describe: async (value) => {
      const phrase = phrases[value];
      const facts = await axis.describe?.(value) ?? {};
      return phrase === undefined ? facts : { title: phrase, ...facts, phrase };
    },
  };
}

/** A condition whose values are the words that have a phrase: the first ones are measured by default, or all. */
export function conditionAxis(
  { measured, ...axis }: Omit<Parameters<typeof wordAxis>[0], "values" | "others" | "role"> & {
    readonly phrases: Readonly<Record<string, string>>;
    readonly measured?: number;
  },
): Axis {
  const words = Object.keys(axis.phrases);
  const count = measured ?? words.length;
  return wordAxis({ ...axis, role: "condition", values: words.slice(0, count), others: words.slice(count) });
}

/** The condition that a driver's service does nothing, or is a real one. */
export const serviceAxis = (name: string): Axis =>
  conditionAxis({
    name: "service",
    title: "Service",
    help: `a ${name} that does nothing, so that the driver is the limit, or a real one`,
    phrases: { null: "a null service", real: `a real ${name}` },
    measured: 1,
  });

/** An axis of whole numbers from `least` to `most`; a condition unless it says otherwise. */
export function numberAxis(
  axis: Named & { readonly values: readonly number[]; readonly least: number; readonly most: number },
): Axis {
  const { least, most, ...rest } = axis;
  return {
    role: "condition",
    ...rest,
    parse(text) {
      const value = /^\d+$/.test(text) ? Number(text) : NaN;
      return value >= least && value <= most ? value : undefined;
    },
    format: String,
  };
}

/** Reads a count such as `10k`, `1m`, `1_000_000`; undefined when it is none. */
function parseCount(text: string): number | undefined {
  const match = /^(\d+(?:_\d+)*)([km]?)$/i.exec(text.trim());
  if (match === null) return undefined;
  return Number(match[1]!.replaceAll("_", "")) * { "": 1, k: 1e3, m: 1e6 }[match[2]!.toLowerCase() as "" | "k" | "m"];
}

/** The shortest form that {@link parseCount} reads back: `10k`, `1m`, `1234`. */
export function formatCount(count: number): string {
  if (count >= 1e6 && count % 1e6 === 0) return `${count / 1e6}m`;
  if (count >= 1e3 && count % 1e3 === 0) return `${count / 1e3}k`;
  return String(count);
}

/** An axis of counts written `10k` or `1m`; a scale unless it says otherwise. */
export function countAxis(
  axis: Named & { readonly values: readonly number[]; readonly least: number; readonly most: number },
): Axis {
  const { least, most, ...rest } = axis;
  return {
    role: "scale",
    ...rest,
    parse(text) {
      const count = parseCount(text);
      return count !== undefined && count >= least && count <= most ? count : undefined;
    },
    format: (value) => formatCount(value as number),
  };
}

/**
 * The runtimes: each pinned one by default; `node@24.21.0` is that version from npm, `node@22..26` the newest of each major
 * between, `node@lts` what npm calls so, `node=/path` that file.
 */
export const runtimeAxis: Axis = {
  name: "runtime",
  title: "Runtime",
  role: "contrast",
  help: "runtimes: node, deno, bun; node@24.21.0, node@lts, bun@1.2..1.4, node=/path",
  values: RUNTIME_NAMES,
  binds: "runtime",
  parse: (text) => RUNTIME_NAMES.some((name) => new RegExp(`^${name}([@=].+)?$`).test(text)) ? text : undefined,
  format: String,
};

/** Which runtime the value of {@link runtimeAxis} names, whatever its version. */
export function runtimeOf({ at }: Point): RuntimeName {
  return String(at["runtime"]).split(/[@=]/)[0] as RuntimeName;
}

/** Connections of a closed loop to each server. */
export function connectionsAxis(connections: number): Axis {
  return numberAxis({
    name: "connections",
    title: "Connections",
    help: "connections of the load generator to each server",
    values: [connections],
    least: 1,
    most: 10_000,
    unit: "connections",
  });
}

/** Axes for the number of workers of a server, and the way they share its port; see docs/workers.md. */
export const workersAxes: readonly Axis[] = [
  numberAxis({
    name: "workers",
    title: "Workers",
    role: "scale",
    help: "processes or threads that serve one port, a core each: 1 to 64",
    values: [1],
    least: 1,
    most: 64,
    unit: "workers",
  }),
  conditionAxis({
    name: "workersBy",
    title: "Workers by",
    help: "how several workers share their port: reuse-port; cluster on Node; parallel on Deno",
    measured: 1,
    phrases: {
      "reuse-port": "workers that share a port",
      cluster: "workers of node:cluster",
      parallel: "deno serve --parallel",
    },
    describe: (value) => ({ title: WAY_TITLES[value as WorkerWay] }),
  }),
];

/** Workers at a point; nothing of one process by itself, which no way changes. */
export function workersAt({ at }: Point): { readonly workers?: WorkersSpec } {
  const [count, by] = [Number(at["workers"] ?? 1), at["workersBy"] as WorkerWay];
  return count === 1 && by === WORKER_WAYS[0] || by === undefined ? {} : { workers: { count, by } };
}

/** True, or why a runtime's workers cannot share a port this way. */
export const workersOn = (point: Point): true | string =>
  point.at["workersBy"] === undefined ? true : wayOn(runtimeOf(point), point.at["workersBy"] as WorkerWay);
