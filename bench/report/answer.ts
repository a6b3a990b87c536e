import type { Cell } from "../record/cell-schema.ts";
import { answerOf } from "../result/answer.ts";
import type { Answer } from "../record/answer-schema.ts";
import type { CellCard } from "../record/card.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { formatDurationMs } from "../basics/units.ts";
import { type Rerun, settleCommand } from "./rerun-command.ts";

/**
 * What to take of the cells that are shown: the run's own answer where all are, else one from the verdicts between those
 * that are.
 */
export function shownAnswer(
  { run, summary, cells }: {
    readonly run: Pick<RunRecord, "plan">;
    readonly summary: Summary;
    readonly cells: readonly CellCard[];
  },
  shown: readonly CellCard[],
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
  const { rounds, contended, machine } = answer;
  return answerOf({
    ...summary,
    plan: run.plan,
    families: among(summary.families),
    memory: summary.memory?.map((one) => ({ ...one, families: among(one.families) })),
    cards: shown,
    rounds,
    // What a round of these cells alone takes is not known.
    roundMs: null,
    contended,
    machine,
    of: "what is shown",
  });
}

/** What would settle what is open: in words, with the time it takes, and as a command where one would. */
export interface Settling {
  readonly text: string;
  readonly command: string | null;
}

/** See {@link Settling}, for the cells an answer is about; null where nothing is open that may change it. */
export function settlingOf(
  run: Rerun,
  { settle }: Answer,
  cells: readonly Cell[] = run.plan.cells,
): Settling | null {
  if (settle === null) return null;
  const { sentence, minutes, rounds } = settle;
  const time = minutes === null ? "" : ` A run of them takes about ${formatDurationMs(60_000 * minutes)}.`;
  return { text: `${sentence}${time}`, command: rounds === null ? null : settleCommand(run, cells, rounds) };
}

/** `Valid for 10k kg, 50 connections, on AMD EPYC, 2 CPUs.`; empty without an answer. */
export function scopeText({ none, conditions, machine }: Answer): string {
  const on = machine === "" ? "" : `on ${machine}`;
  return conditions === "" || none !== null
    ? ""
    : `Valid for ${[conditions, on].filter((text) => text !== "").join(", ")}.`;
}

/** What an answer holds for, how much of a request is that of services, what memory is needed; of these only the last without an answer. */
export function contextTexts(answer: Answer): string[] {
  const told = answer.none === null
    ? [scopeText(answer), ...(answer.services ?? []).map(({ sentence }) => sentence)]
    : [];
  return [...told, answer.memory ?? ""].filter((text) => text !== "");
}

/** What else there is to say: further reasons why there is no answer, and caveats. */
export function furtherTexts({ none, caveats }: Answer): string[] {
  return [...(none ?? []).slice(1).map((reason) => `Besides: ${reason}.`), ...caveats];
}
