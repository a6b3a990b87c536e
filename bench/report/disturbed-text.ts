import type { BusyProcess } from "../record/samples.ts";
import { counted, percent } from "../basics/units.ts";
import { contendedText, type DisturbedLoad } from "../judge/contention.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { listed } from "../result/questions.ts";

const MOST_NAMED = 2;

/** That others voided observations one after the other, what they took, and who they are as far as can be seen. */
export function disturbedText(voided: readonly DisturbedLoad[], busy: readonly BusyProcess[]): string {
  const taken = contendedText(voided) ?? "clocks changed";
  return `in ${counted(voided.length, "observation")} in a row others had the machine: ${taken}; ${culpritsText(busy)}`;
}

/** `the busiest: cc1plus (process 4121, 97 % of a CPU)`. */
export function culpritsText(busy: readonly BusyProcess[]): string {
  const named = busy.filter(({ share }) => share > THRESHOLDS.contendedShare).slice(0, MOST_NAMED)
    .map(({ pid, name, share }) => `${name} (process ${pid}, ${percent(share, 0)} of a CPU)`);
  return named.length === 0 ? "who they are cannot be seen from here" : `the busiest: ${listed(named)}`;
}
