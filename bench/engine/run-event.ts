import type { Answer } from "../record/answer-schema.ts";
import type { Observation } from "../record/observation-record.ts";
import type { FinishedRun } from "../observe/conduct-run.ts";

/**
 * What a run tells. First `preparing` while files of servers are built, then `begun` once. Then `progress` comes before
 * each step and `observation` after it, with a `warning` for each that is not ok. An `answer`
 * follows each round but the last. The last of all is `ended`, once.
 */
export type RunEvent =
  /** Something is being built for servers. */
  | { readonly kind: "preparing"; readonly text: string }
  /** The run has its folder; of the steps planned some are made already where a stopped run goes on. */
  | { readonly kind: "begun"; readonly folder: string; readonly made: number; readonly planned: number }
  /** A step begins; all steps that are left take about so many milliseconds, this one included. */
  | {
    readonly kind: "progress";
    readonly step: string;
    readonly made: number;
    readonly planned: number;
    readonly remainingMs: number;
  }
  /** A step has ended and stands in the journal, whatever its status. */
  | { readonly kind: "observation"; readonly step: string; readonly observation: Observation }
  /** Another round has all that verdicts rest on, and steps are left: what they carry by now, which later rounds may change. */
  | { readonly kind: "answer"; readonly answer: Answer }
  /** One sentence on what must be known of the figures. */
  | { readonly kind: "warning"; readonly message: string }
  /** The run has ended, and its folder is whole; `result.run.state` is `interrupted` where it was stopped. */
  | { readonly kind: "ended"; readonly result: FinishedRun };
