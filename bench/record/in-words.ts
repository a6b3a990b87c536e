import type { Plan } from "./plan.ts";

/** A run, as far as its words depend on it. */
export type WordedPlan = { readonly generator?: Plan["generator"] | undefined; readonly unit?: Plan["unit"] };

/** True if a run calls functions in their process, and sends no requests. */
export const isOfCalls = ({ generator }: WordedPlan): boolean => generator === "in-process";

/** A label or sentence of this project in a run's words: its suite's word for a request, or `call`. Names are unchanged. */
export function inWords(plan: WordedPlan, text: string): string {
  if (!isOfCalls(plan) && plan.unit === undefined) return text;
  const unit = plan.unit ?? "call";
  const capital = `${unit.charAt(0).toUpperCase()}${unit.slice(1)}`;
  return text
    .replace(/\breq\/s\b/g, `${unit}s/s`)
    .replace(/\/req\b/g, `/${unit}`)
    .replace(/(?<![a-z])([Rr])equest(?=s?(?![a-z]))/g, (_, letter) => letter === "R" ? capital : unit);
}
