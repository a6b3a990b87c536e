import { type AnswerCard, answerOf } from "../result/answer.ts";
import type { Answer } from "../record/answer-schema.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";

/**
 * The answer for the cells that are shown: the run's answer if all are, else one from the verdicts between them.
 */
export function shownAnswer(
  { run, summary, cells }: {
    readonly run: Pick<RunRecord, "plan">;
    readonly summary: Summary;
    readonly cells: readonly AnswerCard[];
  },
  shown: readonly AnswerCard[],
): Answer {
  const { answer } = summary;
  const names = new Set(shown.map(({ name }) => name));
  const hidden = new Set(cells.map(({ name }) => name).filter((name) => !names.has(name)));
  if (hidden.size === 0) return answer;
  const among = <Family extends Pick<Summary["families"][number], "comparisons">>(families: readonly Family[]) =>
    families.map((family) => ({
      ...family,
      comparisons: family.comparisons.filter(({ over, under }) => !hidden.has(over) && !hidden.has(under)),
    }));
  const { rounds, machine } = answer;
  return answerOf({
    ...summary,
    plan: run.plan,
    families: among(summary.families),
    memory: summary.memory?.map((one) => ({ ...one, families: among(one.families) })),
    cards: shown,
    rounds,
    roundMs: null,
    machine,
    of: "what is shown",
  });
}
