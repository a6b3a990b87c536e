import { shellQuoted } from "../basics/shell.ts";
import type { Answer } from "../record/answer-schema.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { leftOutCommand, type Rerun, settleCommand, whyCommand } from "./rerun-command.ts";

/** A step that a reader can take next: what it settles, the time it takes, and its commands. */
export interface NextStep {
  readonly what: string;
  /** In ms; null where it takes no time worth telling. */
  readonly ms: number | null;
  readonly commands: readonly string[];
}

/** The time that a quick plan takes at most, in ms. */
const QUICK_MS = 600_000;

/** The next steps of a run, at most three: what decides more, what was not run, and what shows all of it. */
export function nextSteps(
  run: Rerun & Pick<RunRecord, "run" | "state" | "hosts">,
  summary: Summary,
  given: { readonly run?: string | undefined; readonly results?: string | undefined } = {},
): NextStep[] {
  const results = given.results === undefined ? "" : ` --results ${shellQuoted(given.results)}`;
  const named = `${given.run === undefined ? "" : ` ${shellQuoted(given.run)}`}${results}`;
  const why = run.state === "finished" && summary.latency === undefined ? whyCommand(run, summary) : null;
  const all = { what: why === null ? "all figures, a page" : "all figures, a page, why", ms: null };
  return [
    ...(run.state === "finished"
      ? [...settleSteps(run, summary.answer, results), ...leftOutSteps(run, results)]
      : [{ what: "go on with it", ms: null, commands: [`bench run --resume ${shellQuoted(run.run)}${results}`] }]),
    {
      ...all,
      commands: [
        `bench show${named} --all`,
        `bench report${named}`,
        ...(why === null ? [] : [`${why.command}${results}`]),
      ],
    },
  ];
}

/** The step that settles open questions, for the cells that an answer is about; none where nothing is open. */
export function settleSteps(
  run: Rerun,
  { settle }: Answer,
  results = "",
  cells: readonly Cell[] = run.plan.cells,
): NextStep[] {
  if (settle === null) return [];
  const { sentence, minutes, rounds, warmup_ms: ms, helps } = settle;
  const command = rounds === null
    ? null
    : settleCommand(ms === undefined ? run : withWarmup(run, ms), cells, rounds, helps);
  return [{
    what: sentence,
    ms: minutes === null ? null : 60_000 * minutes,
    commands: command === null ? [] : [`${command}${results}`],
  }];
}

const withWarmup = (run: Rerun, ms: number): Rerun => ({
  ...run,
  plan: { ...run.plan, warmup: { kind: "fixed", ms, loads: 1 } },
});

/** The step that measures what a quick plan left out. */
function leftOutSteps({ plan }: Rerun, results: string): NextStep[] {
  const [first] = plan.left_out ?? [];
  const axis = plan.axes.find(({ name }) => name === first?.axis);
  const command = axis === undefined ? null : leftOutCommand(plan, axis, first!.values);
  return command === null ? [] : [{
    what: `${axis!.title.toLowerCase()} ${first!.values.join(", ")}`,
    ms: QUICK_MS,
    commands: [`${command}${results}`],
  }];
}
