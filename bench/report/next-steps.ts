import { counted } from "../basics/units.ts";
import { shellQuoted } from "../basics/shell.ts";
import { PROFILES } from "../plan/profile.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { settlePlanOf } from "../result/settle-plan.ts";
import { leftOutCommand, type Rerun, whyCommand } from "./rerun-command.ts";

/** A next step for the reader: its effect, its time, and its commands. */
export interface OfferedStep {
  readonly what: string;
  /** In ms; null where it takes no time worth telling. */
  readonly ms: number | null;
  readonly commands: readonly string[];
}

/** The time that a quick plan takes at most, and that of a settle, in ms. */
const QUICK_MS = PROFILES.quick.timeMs, SETTLE_MS = 600_000;

/** The next steps of a run, at most three: one that decides more, one for cells not run, and one that shows all. */
export function nextSteps(
  run: Rerun & Pick<RunRecord, "run" | "state" | "hosts">,
  summary: Summary,
  given: { readonly run?: string | undefined; readonly results?: string | undefined } = {},
): OfferedStep[] {
  const results = given.results === undefined ? "" : ` --results ${shellQuoted(given.results)}`;
  const named = `${given.run === undefined ? "" : ` ${shellQuoted(given.run)}`}${results}`;
  const why = run.state === "finished" && summary.latency === undefined ? whyCommand(run, summary) : null;
  const all = { what: why === null ? "all figures, a page" : "all figures, a page, why", ms: null };
  return [
    ...(run.state === "finished"
      ? [...settleStep(run, summary, named), ...leftOutSteps(run, results)]
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

/** The step that decides more: rounds if they help, else another remedy; none if nothing is open. */
function settleStep(run: Rerun & Pick<RunRecord, "state">, summary: Summary, named: string): OfferedStep[] {
  const found = settlePlanOf(run, summary, SETTLE_MS);
  const settle = (time = "") => [`bench settle${named}${time}`];
  if (found.kind === "settles") {
    const { decides, open, comparisons, minutes } = found;
    const some = decides === 0
      ? `more of ${counted(comparisons, "open comparison")}`
      : `${decides} of ${counted(open, "open comparison")}`;
    return [{ what: `decide ${some}`, ms: 60_000 * minutes, commands: settle() }];
  }
  if (found.code === "time") {
    const minutes = Math.ceil((found.roundMs ?? 0) / 60_000) * LEAST_SETTLE_ROUNDS;
    return [{
      what: `decide more of ${counted(found.open, "open comparison")}`,
      ms: 60_000 * minutes,
      commands: settle(` --time ${minutes}m`),
    }];
  }
  const said = summary.answer.settle;
  return said === null || found.code === "decided" ? [] : [{ what: said.sentence, ms: null, commands: [] }];
}

/** Rounds for which time is given where one takes longer than a settle has by default. */
const LEAST_SETTLE_ROUNDS = 3;

function leftOutSteps({ plan }: Rerun, results: string): OfferedStep[] {
  const [first] = plan.left_out ?? [];
  const axis = plan.axes.find(({ name }) => name === first?.axis);
  const command = axis === undefined ? null : leftOutCommand(plan, axis, first!.values);
  return command === null ? [] : [{
    what: `${axis!.title.toLowerCase()} ${first!.values.join(", ")}`,
    ms: QUICK_MS,
    commands: [`${command}${results}`],
  }];
}
