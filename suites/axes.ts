/** Axes that several suites share, and how to make others. */
import { RUNTIME_NAMES, type RuntimeName } from "../servers/runtime.ts";
import type { Axis, Point, Value, ValueFacts } from "./suite.ts";

type Named = Pick<Axis, "name" | "title" | "help"> & Partial<Pick<Axis, "role" | "unit">>;

/** An axis of a few words; a contrast unless it says otherwise. */
export function wordAxis(
  axis: Named & {
    readonly values: readonly string[];
    readonly others?: readonly string[];
    describe?(value: Value): ValueFacts | Promise<ValueFacts>;
  },
): Axis {
  const known = [...axis.values, ...axis.others ?? []];
  return { role: "contrast", ...axis, parse: (text) => known.find((word) => word === text), format: String };
}

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
export function parseCount(text: string): number | undefined {
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
