import { MOST_SETTLES } from "../record/ranges.ts";

/** A number that decides something, and why it is that number. */
interface Threshold {
  readonly value: number;
  readonly why: string;
}

/** Every threshold of the statistics room. Shares are fractions: 0.01 is 1 %. */
export const thresholds = {
  familyAlpha: {
    value: 0.05,
    why: "the field's custom; it bounds the chance of any false interval in a family shown together, not of each one",
  },
  looks: {
    value: 1 + MOST_SETTLES,
    why:
      "a run's own and one after each of two settles; each has a third of the family's error, which widens the intervals of " +
      "36 comparisons by 23 % after 4 rounds and by 12 % after 14; more looks would cost more",
  },
  alikeCosts: {
    value: 4,
    why:
      "beyond it three quarters of what a request costs is something that servers in the middle do not do, so its spread is " +
      "that of another thing",
  },
  leastDelta: {
    value: 0.01,
    why: "criterion.rs's noise threshold; layout of code and memory alone moves programs by about as much",
  },
  equivalence: {
    value: 0.02,
    why: "twice the least delta, and fixed: below it there are better grounds for a choice than speed",
  },
  leastRounds: {
    value: 3,
    why:
      "simulated: intervals of tables and of solo pairs hold at three rounds and are wide, so only large differences pass; " +
      "with two, one odd round is half of all evidence",
  },
  roughAnswer: {
    value: 0.2,
    why: "an answer that can miss a fifth is a first look: most choices differ by more, most versions by less",
  },
  leastRuns: {
    value: 3,
    why: "with two a side Welch's test may have a single degree of freedom, and nothing but a factor would pass",
  },
  power: {
    value: 0.9,
    why: "the share of runs in which a true difference of the printed smallest detectable size is found",
  },
  mostRoundsAdvised: { value: 1_000, why: "beyond it a quieter machine is better advice than more rounds" },
  leastSpread: {
    value: 1e-9,
    why: "a count over seconds has steps of about 1e-6, so ratios this equal were copied, not measured",
  },
  aaAlpha: {
    value: 0.01,
    why: "a false alarm voids a whole run, and a difference too small for the test is carried by the A/A bound",
  },
  aaBoundLevel: {
    value: 2 / 3,
    why: "added to a 95 % interval, this reach covers the noise of the difference between comparison and A/A",
  },
  steadyChange: {
    value: 0.07,
    why:
      "between the halves of the stretch looked at; simulated: a flat server whose slices vary by 5 % is through after " +
      "10 slices, and with the least work asked for no made-up warm-up of Node, Deno or Bun ends over 5 % too dear",
  },
  steadyLevel: {
    value: 0.8,
    why:
      "one chance in ten a side and look; what repeated looks make of it is simulated, and 0.9 takes twice the slices",
  },
  leastSlices: { value: 8, why: "two halves of four are the least that give an exact interval with the level" },
  mostParts: { value: 16, why: "more parts make the interval no narrower, only its values less independent" },
  steadyWindowChange: {
    value: 0.03,
    why:
      "a part of a window this far from the rest moves the whole window's cost by no more than the equivalence margin",
  },
  steadyWindowLevel: { value: 0.9, why: "two one-sided tests at 5 %, as equivalence is shown (Schuirmann, 1987)" },
  trendAlpha: {
    value: 0.01,
    why: "a run looks at dozens of cells: at 0.05 some innocent cell would be flagged in most runs",
  },
  trendChange: { value: 0.02, why: "a regular but smaller change from first to last round moves no verdict" },
  driftAlpha: {
    value: 0.001,
    why: "a series is looked at again after each commit; drift.test.ts has how often that errs",
  },
  leastForDrift: { value: 20, why: "of fewer one cannot tell whether those near each other are alike" },
  leastRoundsForTrend: {
    value: 6,
    why: "with five rounds even a strictly rising row has p = 0.017, so nothing could be flagged",
  },
  endlessGrowth: {
    value: 0.25,
    why:
      "measured: of 617 lives of steady servers in published runs 6 rose by as much and kept it in their windows, so three " +
      "of three hardly ever do by chance; clocks that slow as a core warms change by less",
  },
  endlessAlpha: {
    value: 0.001,
    why: "a run looks at dozens of servers, and this withholds all verdicts of one",
  },
  leastScalingSpan: {
    value: 10,
    why: "over less, noise of a few percent swamps the difference between O(1) and O(log n)",
  },
} satisfies Readonly<Record<string, Threshold>>;
