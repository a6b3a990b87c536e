import { percent } from "../basics/percent.ts";
import { MOST_TRIES, type NextStep } from "../judge/bisect.ts";
import type { Bisection } from "../record/bisection.ts";
import type { Comparison } from "../record/comparison.ts";
import { seenFrom } from "../record/inverse.ts";
import { folded, printable } from "./align.ts";
import { change } from "./comparison-table.ts";
import type { Style } from "./style.ts";
import { wrapped } from "./wrap.ts";

/** A finished bisection as data, with its sentences. */
export interface BisectReport {
  readonly finding: "step" | "several" | "came-and-went" | "no-difference" | "undecided";
  readonly good: string;
  readonly bad: string;
  /** The version the change, or its largest part, came with, and the one before it that was measured; null without one. */
  readonly after: string | null;
  readonly before: string | null;
  /** `before` over `after`: the ratio is CPU time per request of the second over the first. */
  readonly step: Comparison | null;
  /** The good end over the bad one, as last measured. */
  readonly ends: Comparison | null;
  readonly sentences: readonly string[];
  readonly left_out: readonly { readonly version: string; readonly reason: string }[];
  readonly steps: readonly {
    readonly run: string;
    readonly rounds: number;
    readonly version: string | null;
    readonly comparisons: readonly Comparison[];
  }[];
}

/** A bisection that has come to its end, in data and sentences. */
export function bisectReport(state: Bisection, told: Extract<NextStep, { kind: "told" }>): BisectReport {
  const { versions, left_out, steps } = state;
  const { finding, ends } = told;
  const name = (place: number) => versions[place]!;
  const bounds = "after" in finding ? finding : null;
  const open = bounds === null ? [] : versions.slice(bounds.before + 1, bounds.after);
  const named = (places: readonly number[]) => places.map(name).join(", ");
  return {
    finding: finding.kind,
    good: versions[0]!,
    bad: versions.at(-1)!,
    after: bounds === null ? null : name(bounds.after),
    before: bounds === null ? null : name(bounds.before),
    step: bounds === null ? null : bounds.step,
    ends,
    sentences: [
      sentenceOf(told, versions),
      ...(open.length === 0 ? [] : [`It may have come with one between, which could not be told: ${open.join(", ")}.`]),
      ...(told.beyond.length === 0
        ? []
        : [`Beyond both ends, so that something went the other way: ${named(told.beyond)}.`]),
      ...(told.unclear.length === 0 ? [] : [`On no side after ${MOST_TRIES} tries: ${named(told.unclear)}.`]),
      ...left_out.map(({ version, reason }) => `Stepped over: ${name(version)}: ${reason}.`),
    ],
    left_out: left_out.map(({ version, reason }) => ({ version: name(version), reason })),
    steps: steps.map(({ run, rounds, middle, comparisons }) => ({
      ...{ run, rounds, version: middle === null ? null : name(middle), comparisons },
    })),
  };
}

function sentenceOf({ finding, ends }: Extract<NextStep, { kind: "told" }>, versions: readonly string[]): string {
  const [good, bad] = [versions[0]!, versions.at(-1)!];
  const whole = `${bad} needs ${changeText(ends)} than ${good}`;
  switch (finding.kind) {
    case "step":
      return `The change came with ${versions[finding.after]}: it needs ${changeText(finding.step)} than ${
        versions[finding.before]
      }; ${whole}.`;
    case "several":
      return finding.step === null
        ? `No version alone made the change: it came in several small steps; ${whole}.`
        : `No version alone made the change. The largest step found came with ${versions[finding.after]}: it needs ${
          changeText(finding.step)
        } than ${versions[finding.before]}; ${whole}.`;
    case "came-and-went":
      return `It came and went: the ends do not differ here, and ${versions[finding.at]} differs from both.`;
    case "no-difference":
      return `The two ends do not differ here: ${whole}.`;
    case "undecided":
      return `Nothing was decided: ${finding.why}.`;
  }
}

/** `9.8 % more CPU time per request (7.1 % to 12.0 %)`. */
function changeText(one: Comparison | null): string {
  if (one === null || one.ratio === null) return "no known part more CPU time per request";
  const { ratio, interval: { low, high } } = one;
  return `${percent(Math.abs(ratio - 1))} ${ratio >= 1 ? "more" : "less"} CPU time per request (${change(low)} to ${
    change(high)
  })`;
}

/** The same for a terminal: what was found, then each step. */
export function bisectText({ good, bad, sentences, steps }: BisectReport, style: Style, columns = Infinity): string {
  const over = (from: string, to: string, comparisons: readonly Comparison[]) => {
    const found = comparisons.find((one) => [one.over, one.under].includes(from) && [one.over, one.under].includes(to));
    if (found === undefined) return "–";
    const seen = seenFrom(from, found);
    if (seen.verdict === "no-verdict") return "no verdict";
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
  const head = ["step", "version", "over good", "bad over it", "rounds", "run"];
  const [top, ...lines] = folded([head, ...rows], (column) => column === 1 || column === 5, columns - 2);
  return [
    ...sentences.flatMap((text, n) =>
      wrapped(printable(text), columns).map((line) => n === 0 ? style.bold(line) : line)
    ),
    "",
    ...top!.map((line) => style.dim(`  ${line}`)),
    ...lines.flat().map((line) => `  ${line}`),
    style.dim("  CPU time per request, measured together on one core; ~ is not proven to differ"),
    "",
  ].join("\n");
}
