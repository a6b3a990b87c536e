/** The memory that values need, in words. */
import type { Plan } from "../record/plan.ts";
import type { Summary } from "../record/summary.ts";
import { saidOf } from "./claims.ts";
import { timesText } from "./claim-texts.ts";
import { picksOf } from "./picks.ts";
import { listed, type Question, questionsOf } from "./questions.ts";

/** The moments of reading memory, in words. */
export const MOMENTS = { started: "after start", loaded: "under load", rested: "after a rest" } as const;

/** Up to so many values are named one by one. */
const MOST_NAMED = 3;

/**
 * `Memory after start: node needs 1.31 × as much as bun; under load: …`, moment by moment; empty if no verdict says
 * which needs least.
 */
export function memorySentence(
  plan: Pick<Plan, "axes">,
  { memory = [], cells }: Pick<Summary, "memory"> & { readonly cells: Parameters<typeof questionsOf>[2] },
): string {
  const texts = memory.flatMap(({ moment, families }) => {
    const text = questionsOf(plan, families, cells).map(needsText).find((text) => text !== "");
    return text === undefined ? [] : [`${MOMENTS[moment]}: ${text}`];
  });
  return texts.length === 0 ? "" : `Memory ${texts.join("; ")}.`;
}

/** Returns the memory of other values over that of those that need least, by the first question that decides it. */
function needsText(question: Question): string {
  const picks = picksOf(question);
  const claims = picks.flatMap((least) => question.values.flatMap((value) => saidOf(question, least, value).claims))
    .filter(({ says, over }) => says === "faster" && !picks.includes(over));
  if (claims.length === 0) return "";
  const most = [...Map.groupBy(claims, ({ over }) => over).values()].map((ofOver) => ({
    over: ofOver[0]!.over,
    least: Math.min(...ofOver.map((one) => one.least)),
    greatest: Math.max(...ofOver.map((one) => one.greatest)),
    // One that holds at all places holds at these, too.
    where: [...new Set(ofOver.map((one) => one.where))].filter((where) => where !== "").join(" or "),
  })).toSorted((a, b) => a.greatest - b.greatest);
  const [{ where }] = most as [typeof most[number]];
  const same = most.every((one) => one.where === where);
  const at = (text: string) => text && ` at ${text}`;
  const text = most.length > MOST_NAMED
    ? `the others need ${
      timesText(Math.min(...most.map((one) => one.least)), Math.max(...most.map((one) => one.greatest)))
    }`
    : most.map((one, n) =>
      `${one.over} ${n === 0 ? "needs " : ""}${timesText(one.least, one.greatest)}${same ? "" : at(one.where)}`
    ).join(", ");
  return `${text} as much as ${listed(picks, "or")}${
    same ? at(where) : most.length > MOST_NAMED ? " at some places" : ""
  }`;
}
