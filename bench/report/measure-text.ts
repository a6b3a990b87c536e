import { counted, formatDurationMs } from "../basics/units.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { longestWindowMs } from "../plan/lengths.ts";
import { roundsText } from "../plan/plan-rounds.ts";
import { AA } from "../record/cell.ts";
import { type Grade, reasonText } from "../record/finding.ts";
import type { Plan, PlanLengths } from "../record/plan.ts";

/** The size of a plan in one line: cells, rounds, ensembles and generator. */
export function headline(plan: Plan): string {
  const cells = plan.cells.filter(({ label }) => label !== AA).length;
  const [few, many] = [Math.min, Math.max].map((pick) => pick(...plan.ensembles.map((one) => one.cells.length)));
  const parts = [
    `${counted(cells, "cell")} in ${roundsText(plan)}`,
    ...(plan.ensembles.length === 0 ? [] : [
      `${counted(plan.ensembles.length, "ensemble")} of ${few === many ? few : `${few} to ${many}`} servers`,
    ]),
    ...(plan.spare_rounds === undefined ? [] : [`at most ${counted(plan.spare_rounds, "spare round")}`]),
    ...(plan.unsupported.length === 0 ? [] : [`${counted(plan.unsupported.length, "point")} unsupported`]),
  ];
  const preset = plan.preset === null ? "" : `, preset ${plan.preset}`;
  if (plan.generator === "in-process") parts.push("called in their own processes");
  else if (plan.generator === "websocket") parts.push("measured by websocket");
  else if (plan.generator !== "wrk") {
    parts.push(`measured by ${plan.generator}, one server at a time, and warmed up by wrk`);
  }
  return `${plan.suite.name}: ${parts.join(", ")} (profile ${plan.profile}${preset}, seed ${plan.seed})`;
}

/** Values that a quick plan leaves out, each with the option that measures it; null if it has all. */
export function leftOutText({ axes, left_out: left = [] }: Pick<Plan, "axes" | "left_out">): string | null {
  if (left.length === 0) return null;
  const texts = left.map(({ axis, values }) =>
    `${values.join(", ")} (--${axes.find(({ name }) => name === axis)?.option ?? axis})`
  );
  return `left out, so that the rest is decided in the time: ${texts.join("; ")}`;
}

/** How a plan spreads its time; null if its rounds and windows are fixed. */
export function timedText({ timed, ensemble_ms }: Plan): string | null {
  if (timed === undefined) return null;
  const { ms, window_ms, looks } = timed;
  const end = looks === undefined ? "" : `; it ends once a look after round ${looks.join(", ")} is sure`;
  return window_ms === undefined
    ? `${formatDurationMs(ms)} for the answer: round 1 counts ${
      formatDurationMs(ensemble_ms)
    } of each server, and what rounds ` +
      `cost and vary by decides the others${end}`
    : `${formatDurationMs(ms)} for the answer, ${formatDurationMs(window_ms)} of each server in each round${end}`;
}

/** The grade of a machine with its first reason. */
export function gradeLine({ grade, reasons }: Grade): string {
  const more = reasons.length > 1 ? ` and ${reasons.length - 1} more ("bench doctor" has them)` : "";
  return `grade ${grade}: ${reasons[0] === undefined ? "nothing known" : reasonText(reasons[0])}${more}`;
}

/** The expected time of steps, and the duration of replies from which windows grow. */
export function takesText(
  { duration_ms: ms, timed }: PlanLengths & Pick<Plan, "timed">,
  aheadMs: number,
): string {
  const slowMs = ms / THRESHOLDS.windowReplies, mostMs = longestWindowMs(ms);
  const longer = mostMs === ms
    ? ""
    : `; where replies take over ${formatDurationMs(slowMs)}, windows grow to ${formatDurationMs(mostMs)} at most`;
  const over = timed !== undefined && aheadMs > timed.ms ? ", more than its time, as a verdict needs three rounds" : "";
  return `${timed?.looks === undefined ? "about" : "at most"} ${formatDurationMs(aheadMs)}${over}${longer}`;
}
