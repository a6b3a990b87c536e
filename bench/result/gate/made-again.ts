import type { RunRecord } from "../../record/run-record.ts";
import type { Summary } from "../../record/summary.ts";
import { contradictsItself } from "./judge-gate.ts";

/** As much of a finished run as says whether it has to be made again. */
interface Finished {
  readonly run: Pick<RunRecord, "run" | "state">;
  readonly summary: Pick<Summary, "families">;
}

/** The run that counts. */
export interface Counting<R> {
  readonly finished: R;
  /** The run in whose place it was made; null for a first one. */
  readonly insteadOf: string | null;
}

/**
 * Measures, and measures once more where the first run contradicts itself: then the second alone counts, whatever it says.
 *
 * @param again told the name of the first run before the second begins
 */
export async function measuredAgain<R extends Finished>(
  measure: () => Promise<R>,
  again: (name: string) => void,
): Promise<Counting<R>> {
  const first = await measure();
  if (first.run.state === "interrupted" || !contradictsItself(first.summary)) {
    return { finished: first, insteadOf: null };
  }
  again(first.run.run);
  return { finished: await measure(), insteadOf: first.run.run };
}
