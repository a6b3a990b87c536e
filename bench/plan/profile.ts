import type { Preset, RequestPlan } from "../../suites/suite.ts";
import type { Plan } from "../record/plan.ts";
import type { RateAxis } from "./rate-windows.ts";
import type { Values } from "./points.ts";

/** The rounds and lengths of a run. */
interface Amounts extends Required<Pick<Preset, "rounds" | "durationMs">> {
  /** The most rounds that replace rounds which other processes voided; none if left out. */
  readonly spareRounds?: number | undefined;
  /** The rounds with cells alone, which give rates and latencies. */
  readonly aloneRounds: number;
  /** Length of an ensemble's window in ms for each of its servers, without the ramp-up of its turns. */
  readonly ensembleMs: number;
  /** True if servers are measured together only under the conditions of the suite's probe. */
  readonly oneCondition: boolean;
  /** Time that evidence spreads over rounds and windows, in ms; absent if both are fixed. */
  readonly timeMs?: number | undefined;
}

/** Named amounts that an option chooses. */
export interface Profile extends Amounts {
  readonly name: string;
  readonly title: string;
}

/** The profiles, and why they are as long as they are. */
export const PROFILES = {
  /**
   * A time for the answer, which evidence spreads over rounds and windows (allotment.ts), and one round for rates. Its
   * rounds and windows say which comparisons fit.
   */
  quick: {
    name: "quick",
    rounds: 4,
    // With few rounds a voided one would leave a cell without rate, or a question without verdict.
    spareRounds: 1,
    aloneRounds: 1,
    durationMs: 1_000,
    ensembleMs: 500,
    oneCondition: true,
    timeMs: 420_000,
    title: "verdicts under one set of conditions in 7 min, rates from one round of 1 s",
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

/** All choices behind a plan except its suite, with profile, preset, config and flags applied. */
export interface Settled extends Amounts {
  readonly values: Values;
  readonly warmup: Plan["warmup"];
  /** Threads of the load generator; null takes one a core it has. */
  readonly threads: number | null;
  readonly profile: string;
  readonly preset: string | null;
  readonly generator: string;
  /** Returns why the generator cannot send requests, or null. */
  readonly whyNotSent: (requests: RequestPlan) => string | null;
  readonly seed: number;
  /** Time in ms after which a reply counts as missing; 10 s if left out. */
  readonly replyMs?: number | undefined;
  /** Time in ms that servers are idle after their load before memory is read again; absent if they are not. */
  readonly restMs?: number | undefined;
  readonly label: string;
  /** True if cells are measured together where a host can do so; else all verdicts rest on solo windows. */
  readonly together: boolean;
  /** True if only cells that use their services alike are compared. */
  readonly like: boolean;
  /** The schedule of rates; a fixed one if left out. */
  readonly schedule?: RateAxis["schedule"] | undefined;
  /** Axes of which a quick plan may leave out values; absent if the plan is no quick one, or has its rounds by hand. */
  readonly free?: readonly string[] | undefined;
  /** Rounds and counted time of a server that were chosen by hand, for a plan with a time. */
  readonly byHand?: { readonly rounds?: number | undefined; readonly windowMs?: number | undefined };
  /** Options and axes of the config that profile, preset or flags overrule; absent without a config. */
  readonly overruled?: readonly string[];
}

/**
 * The default amounts of a gate. Two revisions of one app have a similar spread, so eight rounds nearly always find a
 * true 10 % beyond a limit of 3 %. A gate shows no rates, so nothing is measured alone. Windows are long because
 * revisions whose costs drift apart inside them get no verdict. Two equal revisions drifted by 3.7 % in windows of 0.5
 * s, and by 2.3 % in 1.5 s (standard deviation of a round's change, 20 and 16 rounds on a shared machine). So four
 * rounds of 0.5 s look cold by chance in at most one gate of ten, of 1.5 s in one of a hundred.
 */
export const GATE_PROFILE = {
  name: "gate",
  rounds: 8,
  aloneRounds: 0,
  durationMs: 1_000,
  ensembleMs: 2_000,
  oneCondition: false,
  title: "8 rounds of both revisions together",
} as const satisfies Profile;

/** The same for `--quick`: half of the rounds. */
export const QUICK_GATE_PROFILE = { ...GATE_PROFILE, name: "gate, quick", rounds: 4 } as const satisfies Profile;

/**
 * Spare rounds for each planned one, made only in place of rounds that other processes voided. On a shared machine
 * these come in a row: a hypervisor took a tenth to a half of a core for three minutes, seven rounds of eight, so as
 * many again were too few.
 */
export const SPARE_PER_ROUND = 3;
/** The most a plan takes. */
export const MOST_SPARE = 1_000;
