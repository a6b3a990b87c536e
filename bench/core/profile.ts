/** How much is measured. Durations are whole seconds because wrk takes no others. */
export interface Profile {
  readonly name: string;
  readonly rounds: number;
  readonly durationMs: number;
  readonly warmupMs: number;
  /** Window of servers measured together, and 0 where the profile makes no such comparisons. */
  readonly ensembleMs: number;
  readonly title: string;
}

/** The profiles, and why they are as long as they are. */
export const PROFILES = {
  /** For a look: too few rounds for any verdict. */
  quick: {
    name: "quick",
    rounds: 3,
    durationMs: 1_000,
    warmupMs: 1_000,
    ensembleMs: 0,
    title: "3 rounds of 1 s, no verdicts",
  },
  /** Six is the least number of rounds for a finite 95 % interval of a median. */
  default: {
    name: "default",
    rounds: 6,
    durationMs: 3_000,
    warmupMs: 1_000,
    ensembleMs: 2_000,
    title: "6 rounds of 3 s",
  },
  /** Finds a 5 % difference at a CV of 2 % in nine of ten runs. */
  thorough: {
    name: "thorough",
    rounds: 12,
    durationMs: 10_000,
    warmupMs: 2_000,
    ensembleMs: 3_000,
    title: "12 rounds of 10 s",
  },
} as const satisfies Record<string, Profile>;
