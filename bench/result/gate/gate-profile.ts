import type { Profile } from "../../plan/profile.ts";

/**
 * How much a gate measures by default. Two revisions of one app differ little in spread, so eight rounds see a true tenth
 * beyond a limit of 3 % nearly always; rates are asked of nobody here, so nothing is measured alone. Windows are long because
 * revisions whose costs moved apart inside them get no verdict: two equal ones did so by 3.7 % (standard deviation of a round's
 * change, 20 and 16 rounds on a shared machine) in windows of 0.5 s, by 2.3 % in 1.5 s. By that, four rounds of the former look
 * cold by chance in at most one gate of ten, of the latter in one of a hundred.
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

/** The same for `--quick`: half of it. */
export const QUICK_GATE_PROFILE = { ...GATE_PROFILE, name: "gate, quick", rounds: 4 } as const satisfies Profile;

/**
 * Spare rounds for each planned one, made only in place of rounds that others voided. On a shared machine these come in a
 * row: a hypervisor took a tenth to a half of a core for three minutes, seven rounds of eight, so as many again were too few.
 */
export const SPARE_PER_ROUND = 3;
/** The most a plan takes. */
export const MOST_SPARE = 1_000;

/** Names of the two revisions among the servers of a gate. */
export const BASE = "base";
export const YOURS = "yours";
