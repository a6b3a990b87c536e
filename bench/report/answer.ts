import type { Answer } from "../record/answer-schema.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { formatDurationMs } from "../basics/units.ts";
import { aboutPercent } from "../result/claim-texts.ts";
import { questionTexts } from "./question-texts.ts";
import { type Rerun, settleCommand } from "./rerun-command.ts";
import { markdownText } from "./table.ts";

/** A way to settle open questions: in words, with the time it takes, and as a command if one exists. */
interface Settling {
  readonly text: string;
  readonly command: string | null;
}

/** See {@link Settling}; null where nothing is open that may change the answer. */
export function settlingOf(run: Rerun, { settle }: Answer): Settling | null {
  if (settle === null) return null;
  const { sentence, minutes, rounds, warmup_ms: ms, helps } = settle;
  const time = minutes === null ? "" : ` A run of them takes about ${formatDurationMs(60_000 * minutes)}.`;
  return {
    text: `${sentence}${time}`,
    command: rounds === null
      ? null
      : settleCommand(ms === undefined ? run : withWarmup(run, ms), run.plan.cells, rounds, helps),
  };
}

const withWarmup = (run: Rerun, ms: number): Rerun => ({
  ...run,
  plan: { ...run.plan, warmup: { kind: "fixed", ms, loads: 1 } },
});

/** `Valid for 10k kg, 50 connections, on AMD EPYC, 2 CPUs.`; empty without an answer. */
function scopeText({ none, conditions, machine }: Answer): string {
  const on = machine === "" ? "" : `on ${machine}`;
  return conditions === "" || none !== null
    ? ""
    : `Valid for ${[conditions, on].filter((text) => text !== "").join(", ")}.`;
}

/** The scope of an answer, the share of services in a request, and the memory needed; without an answer only the last. */
export function contextTexts(answer: Answer): string[] {
  const reported = answer.none === null
    ? [scopeText(answer), ...(answer.services ?? []).map(({ sentence }) => sentence)]
    : [];
  return [...reported, answer.memory ?? ""].filter((text) => text !== "");
}

/** Returns further reasons for which there is no answer, and the texts of its marks. */
export function furtherTexts({ none, marks }: Answer): string[] {
  return [...(none ?? []).slice(1).map(({ text }) => `Besides: ${text}.`), ...marks.map(({ text }) => text)];
}

/**
 * How fine a run could see, by the basis of its verdicts: `differences above about 19 % would as a rule have been seen`,
 * the median over its comparisons.
 */
export function visibleText(
  { noise_floor, families }: Pick<Summary, "noise_floor"> & {
    readonly families: readonly Pick<Summary["families"][number], "comparisons">[];
  },
): string {
  const judged = families.flatMap(({ comparisons }) => comparisons)
    .flatMap((one) => one.verdict === "no-verdict" ? [] : [one]);
  const seen = [...Map.groupBy(judged, ({ basis }) => basis)].map(([basis, same]) => {
    const shares = same.map((one) => one.smallest_detectable ?? Infinity).sort((a, b) => a - b);
    return { basis, share: shares[shares.length >> 1]! };
  });
  const known = seen.filter(({ share }) => Number.isFinite(share));
  if (known.length > 0) {
    const which = known.map(({ basis, share }) =>
      `${aboutPercent(share)}${
        seen.length === 1 ? "" : basis === "solo" ? " (by single rates)" : " (measured together)"
      }`
    );
    return `differences above about ${which.join(" or ")} would as a rule have been seen`;
  }
  const unknown = [noise_floor.together, noise_floor.solo].flatMap((one) =>
    one.kind === "unknown" ? [one.mark.text] : []
  );
  return `what differences would have been seen is not known${unknown.length === 0 ? "" : `: ${unknown[0]}`}`;
}

/**
 * Returns how fine a run could see, for a screen with its answer; nothing where no comparison was judged, of which the
 * answer has the reason.
 */
export const visibleTexts = (
  summary: Parameters<typeof visibleText>[0] & Pick<Summary, "answer" | "latency">,
): string[] =>
  summary.latency !== undefined || summary.answer.none !== null &&
      summary.families.every(({ comparisons }) => comparisons.every(({ verdict }) => verdict === "no-verdict"))
    ? []
    : [visibleText(summary)];

/** A run's answer in Markdown: its sentence, then a line for all else of each question, its scope, each caveat, and what would settle the rest. */
export function answerMarkdown(run: Pick<RunRecord, "plan" | "against">, { answer }: Summary): string[] {
  const settling = settlingOf(run, answer);
  return [
    `**${markdownText(answer.sentence)}**`,
    "",
    ...questionTexts(answer).flatMap(({ title, texts, decided }) =>
      [...texts.slice(1), `${decided}.`].map((text) => `- ${markdownText(`${title}: ${text}`)}`)
    ),
    ...contextTexts(answer).map((text) => `- ${markdownText(text)}`),
    ...furtherTexts(answer).map((text) => `- ${markdownText(text)}`),
    ...(settling === null ? [] : [
      `- To settle it: ${markdownText(settling.text)}${
        settling.command === null ? "" : ` ${codeText(settling.command)}`
      }`,
    ]),
  ];
}

/** A command as code, or as text if it contains backquotes, line ends or markup. */
export function codeText(command: string): string {
  return /[`<\p{Cc}]/u.test(command) ? markdownText(command) : `\`${command}\``;
}
