/** Cells and their names. */
import type { Protocol } from "../../servers/protocol.ts";
import { fnv1aOf, hexOf } from "../basics/fnv.ts";
import type { At, Value } from "../../suites/suite.ts";
import type { Cell, PlanAxis } from "./cell-schema.ts";

/** Label of what is measured unless another is given. */
export const MAIN = "main";
/** The axis of suites whose servers need a service: its default is a null service, which answers at next to no cost. */
export const SERVICE_AXIS = "service";

/** Label of the second cell of the A/A pair. */
export const AA = "aa";

/** Name of the suite that is made of the user's servers. */
export const USER_SUITE = "own";

/** The axis of the user's servers: its values come from their options. */
export const APP_AXIS = "app";

/** Name of the axis whose values are rates. A plan has it only if rates were requested. */
export const RATE = "rate";
/** Its value for the loop that the suite defines. */
export const CLOSED_LOOP = "closed";

type Point = Cell["point"];

/** A point as text that is equal exactly for equal points, whatever order its axes were given in; no name for people. */
export function pointKey({ suite, at }: { readonly suite: string; readonly at: At }): string {
  return JSON.stringify([suite, Object.entries(at).sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0)]);
}

/** A cell as text that is equal exactly for equal cells. */
export function cellKey({ point, label }: Cell): string {
  return JSON.stringify([pointKey(point), label]);
}

/** The text of an axis's value at a point; of a value the plan does not have, the value itself. */
export function textOf(axis: PlanAxis, at: At): string {
  const here = at[axis.name];
  return axis.values.find(({ value }) => value === here)?.text ?? String(here);
}

/** Position of a point's value among those of the axis; after all others if it is none of them. */
export function placeOnAxis(axis: PlanAxis, at: At): number {
  const place = axis.values.findIndex(({ value }) => value === at[axis.name]);
  return place < 0 ? axis.values.length : place;
}

/** Facts about an axis's value at a point; empty if there are none. */
export function factsOf(axis: PlanAxis, at: At): Readonly<Record<string, string>> {
  return axis.values.find(({ value }) => value === at[axis.name])?.facts ?? {};
}

/** The axes that names show. */
export function shownAxes(axes: readonly PlanAxis[]): PlanAxis[] {
  return axes.filter((axis) => axis.shown);
}

/** A value without a slash, so that a name has as many slashes as axes but one; a percent sign is escaped where it must be. */
const unslashed = (text: string) => text.replaceAll(/%(?=25|2F)/g, "%25").replaceAll("/", "%2F");

/** `steam/iron/10k`: the values of a point on the shown axes; never read back. */
export function pointName(axes: readonly PlanAxis[], { at }: Pick<Point, "at">): string {
  return shownAxes(axes).map((axis) => unslashed(textOf(axis, at))).join("/");
}

/** A cell's name for people, unique within a plan: its point's, and its label where it is not `main`. */
export function cellName(axes: readonly PlanAxis[], { point, label }: Cell): string {
  return label === MAIN ? pointName(axes, point) : `${pointName(axes, point)}@${label}`;
}

/** `steam, 10k kg`: the values on some axes for a sentence, with units. */
export function placeText(axes: readonly PlanAxis[], at: At): string {
  return axes.filter((axis) => axis.name in at)
    .map((axis) => {
      if (axis.unit === null || typeof at[axis.name] !== "number") return textOf(axis, at);
      return `${textOf(axis, at)} ${at[axis.name] === 1 ? axis.unit.replace(/(?<=..)s$/, "") : axis.unit}`;
    }).join(", ");
}

/** The values on some axes in a sentence: the suite's phrase for a value that is a key, else as {@link placeText}. */
export function phraseText(axes: readonly PlanAxis[], at: At): string {
  return axes.filter((axis) => axis.name in at).map((axis) => factsOf(axis, at)["phrase"] ?? placeText([axis], at))
    .join(", ");
}

/** Longest name of a card's file without its folder: file systems take 255 bytes, seals and temporary names add some. */
const MOST_NAME = 180;

/** `cells/mills/steam,iron,10k.json`: the path of a cell's card in its run's folder; unique within a plan. */
export function cardFile(axes: readonly PlanAxis[], cell: Cell): string {
  const safe = (text: string) =>
    encodeURIComponent(text).replaceAll("%40", "@")
      .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const name = shownAxes(axes).map((axis) => safe(textOf(axis, cell.point.at))).join(",") || "only";
  const whole = cell.label === MAIN ? name : `${name}@${safe(cell.label)}`;
  const short = whole.length <= MOST_NAME ? whole : `${whole.slice(0, MOST_NAME)}-${hexOf(fnv1aOf(whole))}`;
  return `cells/${safe(cell.point.suite).replaceAll(".", "_")}/${short}.json`;
}

/** True if a point has all of the wanted values. */
export function hasValues(at: At, wanted: At): boolean {
  return Object.entries(wanted).every(([name, value]) => at[name] === value);
}

/** A point's values without those of some axes. */
export function atWithout(at: At, ...names: readonly string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(at).filter(([name]) => !names.includes(name)));
}

/** Name of the axis whose values are protocols. A plan has it only if protocols were requested. */
export const PROTOCOL_AXIS = "protocol";

/** Name of the axis whose values are kinds of request. A plan has it only if a gate judges each by itself. */
export const ROUTE = "route";

/** The value of {@link ROUTE} at which all requests are sent in their shares. */
export const ALL_ROUTES = "all";

/** Protocols between generator and server, the default first. */
export const PROTOCOLS: readonly [Protocol, ...Protocol[]] = ["http", "https", "h2", "h2c"];

/** Returns the protocol at a point. */
export const protocolAt = (at: At): Protocol => (at[PROTOCOL_AXIS] ?? "http") as Protocol;

/** True if a point is that of an open loop. */
export const isAtRate = (at: At): boolean => RATE in at && at[RATE] !== CLOSED_LOOP;

/** Returns the cell of a closed loop at one of the rates, or at the closed loop. */
export const atRateOf = ({ point, label }: Cell, rate: Value): Cell => ({
  point: { ...point, at: { ...point.at, [RATE]: rate } },
  label,
});
