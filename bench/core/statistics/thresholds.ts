/** A number that decides something, and why it is that number. */
export interface Threshold {
  readonly value: number;
  readonly why: string;
}

/** Every threshold of the statistics room. Shares are fractions: 0.01 is 1 %. */
export const thresholds = {
  familyAlpha: {
    value: 0.05,
    why: "the field's custom; it bounds the chance of any false verdict in a family shown together, not of each one",
  },
  leastDelta: {
    value: 0.01,
    why: "criterion.rs's noise threshold; layout of code and memory alone moves programs by about as much",
  },
  leastEquivalence: {
    value: 0.02,
    why: "twice the least delta: below it there are better grounds for a choice than speed",
  },
  leastRoundsForVerdict: {
    value: 6,
    why: "the least n for a finite 95 % interval of a median; with fewer, t intervals are too wide to say anything",
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
  trendAlpha: {
    value: 0.01,
    why: "a run looks at dozens of cells: at 0.05 some innocent cell would be flagged in most runs",
  },
  trendChange: { value: 0.02, why: "a regular but smaller change from first to last round moves no verdict" },
  leastRoundsForTrend: {
    value: 6,
    why: "with five rounds even a strictly rising row has p = 0.017, so nothing could be flagged",
  },
  leastScalingSpan: {
    value: 10,
    why: "over less, noise of a few percent swamps the difference between O(1) and O(log n)",
  },
} satisfies Readonly<Record<string, Threshold>>;
