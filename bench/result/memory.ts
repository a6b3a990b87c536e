import { mark, markOf, rowOf } from "../record/mark.ts";
import { isOfCalls } from "../record/in-words.ts";
import type { Plan } from "../record/plan.ts";
import type { Summary } from "../record/summary.ts";
import type { Lines } from "../judge/lines.ts";
import { median } from "../statistics/median.ts";
import { noiseFloor } from "../statistics/noise-floor.ts";
import type { ComparisonInput } from "../statistics/verdict.ts";
import { spanOf, spanText } from "./claim-texts.ts";
import { claimsOnPairs } from "./claims.ts";
import { judgedFamilies, twinsOf } from "./judged-families.ts";
import type { MeasuredCell } from "./measured-cells.ts";
import { picksOf } from "./picks.ts";
import { listed, type Question, questionsOf } from "./questions.ts";

/** Compares the memory of servers as their speed; a process that only calls a function is no server. */
export function memoryOf(
  plan: Plan,
  cells: readonly MeasuredCell[],
  lines: Lines,
  looks: number,
): Pick<Summary, "memory"> {
  const memory = (["started", "loaded", "rested"] as const).flatMap((moment) => {
    const held = new Map(cells.map((cell) => [cell, readingsOf(cell, lines, moment)]));
    const known = cells.filter((cell) => held.get(cell)!.size > 0);
    const inputOf = (over: MeasuredCell, under: MeasuredCell): ComparisonInput => {
      const [one, other] = [held.get(over)!, held.get(under)!];
      const rounds = [...new Set([...one.keys(), ...other.keys()])].toSorted((a, b) => a - b);
      const pairs = rounds.map((round) => ({ round, over: one.get(round) ?? null, under: other.get(round) ?? null }));
      const growing = [over, under].flatMap(({ name, marks }) =>
        marks.filter((one) => rowOf(one).grows)
          .map(({ text }) => markOf(name, mark("memory-unsettled", text)))
      );
      return {
        ...{ over: over.name, under: under.name, basis: "memory", marks: moment === "started" ? [] : growing },
        evidence: { kind: "rounds", pairs, better: "lower" },
      };
    };
    const noise_floor = noiseFloor(twinsOf(cells).map(([cell, twin]) => inputOf(cell, twin)));
    const { families } = judgedFamilies(plan, cells, { tables: [], floors: { memory: noise_floor }, inputOf, looks });
    return known.length === 0 ? [] : [{
      moment,
      noise_floor,
      cells: known.map((cell) => ({ name: cell.name, bytes: median([...held.get(cell)!.values()]) })),
      families: families.map(({ kind, axis, title, at, comparisons }) => ({ kind, axis, title, at, comparisons })),
    }];
  });
  return memory.length === 0 || isOfCalls(plan) ? {} : { memory };
}

/** Bytes by round, the first where a cell was measured more than once. A voided observation says nothing of memory. */
function readingsOf(
  { key }: MeasuredCell,
  { solo, together }: Lines,
  moment: NonNullable<Summary["memory"]>[number]["moment"],
): ReadonlyMap<number, number> {
  const all = together.get(key) ?? [];
  const alone = (solo.get(key) ?? []).filter(({ status, member }) =>
    status === "ok" && all.every((shared) => shared.line.status === "ok" || shared.member !== member)
  );
  const shared = all.filter(({ line, member }) => line.status === "ok" && member.marks.length === 0);
  return new Map(
    [...shared, ...alone].toReversed().flatMap(({ line, member }) => {
      const bytes = member.memory?.[moment];
      return bytes === undefined ? [] : [[line.round, bytes]];
    }),
  );
}

/** The moments of reading memory, in words. */
export const MOMENTS = { started: "after start", loaded: "under load", rested: "after a rest" } as const;

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
  const pairs = picks.flatMap((least) => question.values.map((value) => [least, value] as const));
  const claims = claimsOnPairs(question, pairs).claims
    .filter(({ says, over }) => says === "faster" && !picks.includes(over));
  if (claims.length === 0) return "";
  const most = [...Map.groupBy(claims, ({ over }) => over)].map(([over, some]) => ({ over, span: spanOf(some) }))
    .toSorted((a, b) => a.span[1] - b.span[1]);
  const isWhole = claims.every(({ where, places, of }) => where === "" && places === of);
  const least = `${listed(picks)} 1`;
  const others = most.length > 3
    ? [`the others ${spanText(spanOf(claims))}`]
    : most.map(({ over, span }) => `${over} ${spanText(span)}`);
  return `${[least, ...others].join(", ")}${isWhole ? "" : " where decided"}`;
}
