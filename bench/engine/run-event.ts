import type { Answer } from "../record/answer-schema.ts";
import type { Observation } from "../record/observation-record.ts";
import type { FinishedRun } from "../observe/conduct-run.ts";

/**
 * An event of a run. First `preparing` while files of servers are built, then `begun` once. Then `progress` comes before
 * each step and `observation` after it, with a `warning` for each that is not ok. An `answer`
 * follows each round but the last. The last of all is `ended`, once.
 */
export type RunEvent =
  /** Files of servers are being built. */
  | { readonly kind: "preparing"; readonly text: string }
  /** The run has its folder. If it is resumed, some of the planned steps are made already. */
  | { readonly kind: "begun"; readonly folder: string; readonly made: number; readonly planned: number }
  /** A step begins. `remainingMs` is the expected time of it and all later steps. */
  | {
    readonly kind: "progress";
    readonly step: string;
    readonly made: number;
    readonly planned: number;
    readonly remainingMs: number;
  }
  /** A step has ended and is in the journal, whatever its status. */
  | { readonly kind: "observation"; readonly step: string; readonly observation: Observation }
  /** A round is complete, and steps are left: the answer so far, which later rounds may change. */
  | { readonly kind: "answer"; readonly answer: Answer }
  /** A sentence about the validity of figures. */
  | { readonly kind: "warning"; readonly message: string }
  /** The run has ended, and its folder is whole; `result.run.state` is `interrupted` if it was stopped. */
  | { readonly kind: "ended"; readonly result: FinishedRun };
