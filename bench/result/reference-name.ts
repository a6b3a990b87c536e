import type { RunRecord } from "../record/run-record.ts";

/** The word that stands for a reference run on the command line, and the first of every such run's folder. */
export const REFERENCE = "reference";

/** What of a run.json says which reference it is. */
export interface ReferenceFacts {
  readonly plan: { readonly suite: Pick<RunRecord["plan"]["suite"], "name">; readonly preset: string | null };
  readonly machine: Pick<RunRecord["machine"], "cpu_kind">;
}

/**
 * The folder of a reference run, which names its machine: `reference-intel-6-207` for the first suite,
 * `reference-SUITE-intel-6-207` for another, `reference-SUITE-PRESET-intel-6-207` for a preset of one.
 */
export function referenceName({ plan: { suite, preset }, machine }: ReferenceFacts, firstSuite: string): string {
  const what = preset !== null ? [suite.name, preset] : suite.name === firstSuite ? [] : [suite.name];
  return [REFERENCE, ...what, machine.cpu_kind].join("-");
}
