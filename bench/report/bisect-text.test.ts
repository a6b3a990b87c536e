import assert from "node:assert/strict";
import { test } from "node:test";
import { madeUpVerdict } from "../../tests/fixtures/made-up-verdicts.ts";
import { type NextStep, nextStep } from "../why/bisect.ts";
import type { Bisection } from "../record/bisection.ts";
import type { Comparison } from "../record/comparison.ts";
import { mark } from "../record/mark.ts";
import { bisectReport, bisectText } from "./bisect-text.ts";
import { styleFor } from "./style.ts";

const plain = styleFor(false, {});

const compared = (over: string, under: string, ratio: number): Comparison =>
  madeUpVerdict(over, under, ratio, {
    verdict: ratio > 1.03 ? "faster" : "not-separable",
    interval: { low: ratio - 0.02, high: ratio + 0.02, level: 0.95 },
  });

const versions = ["bun@1.2.1", "bun@1.2.2", "bun@1.2.3", "bun@1.2.4"];
/** The change came with the third; the second could not be measured. */
const state: Bisection = {
  ...{ schema: "levelfield.bisection/1", question: "q", versions },
  left_out: [{ version: 1, reason: "it does not start" }],
  steps: [["first", 2], ["second", null]].map(([run, middle]) => ({
    ...{ run: run as string, rounds: 8, middle: middle as number | null },
    comparisons: [
      compared("bun@1.2.1", "bun@1.2.3", 1.1),
      compared("bun@1.2.1", "bun@1.2.4", 1.1),
      compared("bun@1.2.3", "bun@1.2.4", 1),
    ],
  })),
};

test("a finished bisection is told in sentences, with its steps and what was stepped over", () => {
  const reported = nextStep(state);
  assert.ok(reported.kind === "found");
  const report = bisectReport(state, reported);
  assert.deepEqual([report.finding, report.before, report.after], ["step", "bun@1.2.1", "bun@1.2.3"]);
  assert.deepEqual(report.sentences, [
    "The change came with bun@1.2.3: it needs 10.0 % more CPU time per request (+8.0 % to +12.0 %) than bun@1.2.1; " +
    "bun@1.2.4 needs 10.0 % more CPU time per request (+8.0 % to +12.0 %) than bun@1.2.1.",
    "It may have come with one between, which could not be told: bun@1.2.2.",
    "Stepped over: bun@1.2.2: it does not start.",
  ]);
  const text = bisectText(report, plain);
  assert.match(text, /^ {5}1\s+bun@1\.2\.3\s+\+10\.0 %\s+\+0\.0 % ~\s+8\s+first$/m);
  assert.match(text, /^ {5}2\s+the neighbours\s+\+10\.0 %\s+–\s+8\s+second$/m);
});

type Finding = Extract<NextStep, { kind: "found" }>["finding"];

const SENTENCES: readonly (readonly [Finding, RegExp])[] = [
  [{ kind: "no-difference" }, /^Whether the two ends differ is not decided here: bun@1\.2\.4 needs 0\.0 % more/],
  [{ kind: "came-and-went", at: 1 }, /^It came and went: .* bun@1\.2\.2 differs from both\.$/],
  [{ kind: "several", before: 1, after: 2, step: null }, /^No version alone .* bun@1\.2\.3 made a part/],
  [
    { kind: "narrowed", before: 0, after: 2 },
    /^The change came after bun@1\.2\.1, with bun@1\.2\.3 at the latest\. Between these two no step was proven in 3 tries; /,
  ],
  [
    { kind: "several", before: 1, after: 2, step: compared("bun@1.2.2", "bun@1.2.3", 1.06) },
    /^No version alone .* largest step found came with bun@1\.2\.3: it needs 6\.0 % more/,
  ],
  [{ kind: "undecided", mark: mark("too-few-rounds", "others had it") }, /^Nothing was decided: others had it\.$/],
];

test("each kind of finding has a sentence no wider than it", () => {
  const ends = compared("bun@1.2.1", "bun@1.2.4", 1);
  for (const [finding, says] of SENTENCES) {
    const found = { kind: "found" as const, finding, ends, beyond: [], unclear: [] };
    assert.match(bisectReport({ ...state, left_out: [] }, found).sentences[0]!, says);
  }
});
