/** How much is measured. Windows of cells alone are whole seconds because wrk takes no others. */
export interface Profile {
  readonly name: string;
  readonly rounds: number;
  /** Most rounds to be made in place of those that others void; none where left out. */
  readonly spareRounds?: number;
  /** Rounds in which cells are measured alone, which is where rates and latencies come from. */
  readonly aloneRounds: number;
  readonly durationMs: number;
  /** Window of servers measured together, for each of them, without what leads in to their turns. */
  readonly ensembleMs: number;
  /** Whether servers are measured together under one set of conditions only: those of the suite's probe. */
  readonly oneCondition: boolean;
  readonly title: string;
}

/** The profiles, and why they are as long as they are. */
export const PROFILES = {
  /** Rounds enough for 15 % between servers measured together (simulated: found in 98 of 100 runs), one round for rates. */
  quick: {
    name: "quick",
    rounds: 4,
    // With so few, each that others void would leave a cell without its rate, or a question without its verdict.
    spareRounds: 1,
    aloneRounds: 1,
    durationMs: 1_000,
    ensembleMs: 500,
    oneCondition: true,
    title: "verdicts under one set of conditions from 4 rounds, rates from one of 1 s",
  },
  /**
   * Finds a true 5 % in nine of ten runs where a pair spreads by 0.027 from round to round (simulated, with 36 comparisons).
   * Windows are long because on a shared machine most of a pair's spread comes from inside them: docs/experiments/runs.md.
   */
  default: {
    name: "default",
    rounds: 14,
    aloneRounds: 6,
    durationMs: 2_000,
    ensembleMs: 2_000,
    oneCondition: false,
    title: "14 rounds, rates from 6 of 2 s",
  },
  thorough: {
    name: "thorough",
    rounds: 20,
    aloneRounds: 12,
    durationMs: 10_000,
    ensembleMs: 4_000,
    oneCondition: false,
    title: "20 rounds, rates from 12 of 10 s",
  },
} as const satisfies Record<string, Profile>;
