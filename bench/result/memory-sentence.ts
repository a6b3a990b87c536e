import type { Plan } from "../record/plan.ts";
import type { Summary } from "../record/summary.ts";
import { saidOf } from "./claims.ts";
import { spanOf, spanText } from "./claim-texts.ts";
import { picksOf } from "./picks.ts";
import { listed, type Question, questionsOf } from "./questions.ts";

/** The moments of reading memory, in words. */
export const MOMENTS = { started: "after start", loaded: "under load", rested: "after a rest" } as const;

const MOST_NAMED = 3;

/** The memory of values over that of those that need least, by moment; empty if no verdict says which do. */
export function memorySentence(
  plan: Pick<Plan, "axes">,
  { memory = [], cells }: Pick<Summary, "memory"> & { readonly cells: Parameters<typeof questionsOf>[2] },
): string {
  return memory.flatMap(({ moment, families }) => {
    const text = questionsOf(plan, families, cells).map(needsText).find((text) => text !== "");
    return text === undefined ? [] : [`${MOMENTS[moment]}: ${text}`];
  }).join("; ");
}

/** Returns the memory of other values over that of those that need least, by the first question that decides it. */
function needsText(question: Question): string {
  const picks = picksOf(question);
  const claims = picks.flatMap((least) => question.values.flatMap((value) => saidOf(question, least, value).claims))
    .filter(({ says, over }) => says === "faster" && !picks.includes(over));
  if (claims.length === 0) return "";
  const most = [...Map.groupBy(claims, ({ over }) => over)].map(([over, some]) => ({ over, span: spanOf(some) }))
    .toSorted((a, b) => a.span[1] - b.span[1]);
  const isWhole = claims.every(({ where, places, of }) => where === "" && places === of);
  const least = `${listed(picks)} 1`;
  const others = most.length > MOST_NAMED
    ? [`the others ${spanText(spanOf(claims))}`]
    : most.map(({ over, span }) => `${over} ${spanText(span)}`);
  return `${[least, ...others].join(", ")}${isWhole ? "" : " where decided"}`;
}
