import { isJudged } from "../record/verdicts.ts";
import { percent } from "../basics/units.ts";
import { MOST_TRIES, type NextStep } from "../why/bisect.ts";
import type { Bisection } from "../record/bisection.ts";
import type { Comparison } from "../record/comparison.ts";
import { comparisonOf } from "../record/inverse.ts";
import { printable } from "./align.ts";
import { change } from "./comparison-table.ts";
import type { Style } from "./style.ts";
import { tableLines } from "./table.ts";
import { wrapped } from "./wrap.ts";

type BisectReport = ReturnType<typeof bisectReport>;

/** A bisection that has come to its end, in data and sentences. */
export function bisectReport(
  { versions, left_out, steps }: Bisection,
  reported: Extract<NextStep, { kind: "found" }>,
) {
  const { finding, ends, beyond, unclear } = reported;
  const name = (place: number) => versions[place]!;
  const [before, after] = "after" in finding ? [finding.before, finding.after] : [null, null];
  const listOf = (text: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${text}: ${names.join(", ")}.`];
  return {
    finding: finding.kind,
    good: versions[0]!,
    bad: versions.at(-1)!,
    /** The version with the change, or its largest part, and the measured one before it; null without one. */
    after: after === null ? null : name(after),
    before: before === null ? null : name(before),
    /** `before` over `after`: the ratio is CPU time per request of the second over the first. */
    step: "step" in finding ? finding.step : null,
    /** The good end over the bad one, by the last step that separated them, or the last step. */
    ends,
    sentences: [
      sentenceOf(reported, versions),
      ...listOf(
        "It may have come with one between, which could not be told",
        before === null ? [] : versions.slice(before + 1, after),
      ),
      ...listOf("Beyond both ends, so that something went the other way", beyond.map(name)),
      ...listOf(`On no side after ${MOST_TRIES} tries`, unclear.map(name)),
      ...left_out.map(({ version, reason }) => `Stepped over: ${name(version)}: ${reason}.`),
    ],
    left_out: left_out.map(({ version, reason }) => ({ version: name(version), reason })),
    steps: steps.map(({ middle, ...step }) => ({ ...step, version: middle === null ? null : name(middle) })),
  };
}

function sentenceOf({ finding, ends }: Extract<NextStep, { kind: "found" }>, versions: readonly string[]): string {
  const [good, bad] = [versions[0]!, versions.at(-1)!];
  const isAlike = ends?.verdict === "equivalent";
  const whole = `${bad} needs ${changeText(ends)} than ${good}`;
  const cameWith = ({ step, before, after }: { step: Comparison; before: number; after: number }) =>
    `came with ${versions[after]}: it needs ${changeText(step)} than ${versions[before]}; ${whole}.`;
  switch (finding.kind) {
    case "step":
      return `The change ${cameWith(finding)}`;
    case "narrowed":
      return `The change came after ${versions[finding.before]}, with ${versions[finding.after]} at the latest. ` +
        `Between these two no step was proven in ${MOST_TRIES} tries; ${whole}.`;
    case "several":
      return finding.step === null
        ? `No version alone made the change: ${versions[finding.after]} made a part of it at most; ${whole}.`
        : `No version alone made the change. The largest step found ${cameWith({ ...finding, step: finding.step })}`;
    case "came-and-went":
      return `It came and went: ${
        isAlike ? "the ends are alike" : "whether the ends differ is not decided"
      } here, and ${versions[finding.at]} differs from both.`;
    case "no-difference":
      return `${
        isAlike ? "The two ends are alike here" : "Whether the two ends differ is not decided here"
      }: ${whole}.`;
    case "undecided":
      return `Nothing was decided: ${finding.mark.text}.`;
  }
}

function changeText(one: Comparison | null): string {
  if (one === null || one.ratio === null) return "no known part more CPU time per request";
  const { ratio, interval: { low, high } } = one;
  return `${percent(Math.abs(ratio - 1))} ${ratio >= 1 ? "more" : "less"} CPU time per request (${change(low)} to ${
    change(high)
  })`;
}

/** The same for a terminal: the finding, then each step. */
export function bisectText({ good, bad, sentences, steps }: BisectReport, style: Style, columns = Infinity): string {
  const over = (from: string, to: string, comparisons: readonly Comparison[]) => {
    const seen = comparisonOf(from, to, comparisons);
    if (seen === undefined) return "–";
    if (!isJudged(seen)) return "no verdict";
    return `${change(seen.ratio)}${seen.verdict === "faster" || seen.verdict === "slower" ? "" : " ~"}`;
  };
  const rows = steps.map(({ run, rounds, version, comparisons }, n) => [
    String(n + 1),
    printable(version ?? "the neighbours"),
    over(good, version ?? bad, comparisons),
    version === null ? "–" : over(version, bad, comparisons),
    String(rounds),
    run,
  ]);
  const heads = ["step", "version", "over good", "bad over it", "rounds", "run"];
  const table = { heads, rows, isText: (column: number) => column === 1 || column === 5 };
  return [
    ...sentences.flatMap((text, n) =>
      wrapped(printable(text), columns).map((line) => n === 0 ? style.bold(line) : line)
    ),
    "",
    ...tableLines(table, { style, columns }),
    style.dim("  CPU time per request, measured together on one core; ~ is not proven to differ"),
    "",
  ].join("\n");
}
