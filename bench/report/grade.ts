import type { RunRecord } from "../record/run-record.ts";

/** What a grade of a machine means for who reads its figures. */
export const GRADE_MEANING: Readonly<Record<RunRecord["grade"]["grade"], string>> = {
  dedicated: "rates can be compared as they stand",
  shared: "the machine's speed may have moved; trust verdicts of servers measured together more than single rates",
  advisory: "processes could not be pinned; take the figures as a hint",
};
