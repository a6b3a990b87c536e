/** The conditions verdicts were found under, in words. It takes no library, because the page runs it too. */
import { placeText } from "../record/cell.ts";
import type { Plan } from "../record/plan.ts";
import type { Summary } from "../record/summary.ts";
import { listed } from "./questions.ts";

/** Axes that say what is asked and by how many, told even where they have one value only. */
const ALWAYS: readonly string[] = ["workload", "connections"];

/** `10k kg, 50 connections`: of each condition the values at which anything has a verdict; empty without verdicts. */
export function conditionsText({ axes }: Pick<Plan, "axes">, families: Summary["families"]): string {
  const judged = families.filter(({ comparisons }) => comparisons.some(({ verdict }) => verdict !== "no-verdict"));
  return axes.filter(({ role, shown, name }) => role !== "contrast" && (shown || ALWAYS.includes(name)))
    .toSorted((a, b) => Number(b.shown) - Number(a.shown))
    .flatMap((axis) => {
      const texts = [...new Set(judged.map(({ at }) => placeText([axis], at)).filter((text) => text !== ""))];
      return texts.length === 0 ? [] : [listed(texts)];
    }).join(", ");
}
