/** What points and lines of a page about latency look like. */
import type { LatencySpot } from "../latency-spots.ts";
import type { Limit } from "../../basics/limit.ts";
import type { Look } from "../look.ts";

/** The limit a search kept, as it is drawn. */
export type DrawnLimit = Pick<Limit, "us" | "text">;

/** What each kind of point looks like, in the order of the legend. */
export const KINDS: Readonly<Record<LatencySpot["kind"] | "sender", { readonly text: string; readonly look: Look }>> = {
  tail: { text: "median over windows", look: { colour: 3, shape: "circle" } },
  sender: { text: "the same by the sender's clock", look: { colour: 2, shape: "diamond" } },
  holds: { text: "step that holds the limit", look: { colour: 4, shape: "triangle" } },
  fails: { text: "step that does not", look: { colour: 1, shape: "cross" } },
  unknown: { text: "step that was not judged", look: { colour: 5, shape: "wye" } },
};

/** What lines over connections look like. */
export const PERCENTILES: ReadonlyMap<string, Look> = new Map([
  ["p50", { colour: 3, shape: "circle" }],
  ["p99", { colour: 1, shape: "square" }],
]);
