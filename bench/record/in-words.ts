import type { Plan } from "./plan.ts";

/** A run, as far as its words depend on it. */
export type Worded = { readonly generator?: Plan["generator"] | undefined };

/** True if a run calls functions in their process, and sends no requests. */
export const isOfCalls = ({ generator }: Worded): boolean => generator === "in-process";

/** A label or a sentence of ours in a run's words: where functions are called, no call is a request. Names are left alone. */
export const inWords = (plan: Worded, text: string): string =>
  !isOfCalls(plan) ? text : text
    .replace(/\breq\/s\b/g, "calls/s")
    .replace(/\/req\b/g, "/call")
    .replace(/(?<![a-z])([Rr])equest(?=s?(?![a-z]))/g, (_, letter) => letter === "R" ? "Call" : "call");
