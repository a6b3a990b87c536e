import type { RunRecord } from "../core/result/run-record.ts";

/** How far the figures of a run can be trusted by themselves, with everything that keeps them from more. */
export interface RunGrade {
  readonly grade: "dedicated" | "shared" | "advisory";
  readonly reasons: readonly string[];
}

/**
 * Grades a run by what its record proves: the words are the doctor's. `dedicated` is a claim that needs proof, so what
 * was not recorded counts against it.
 */
export function gradeOfRun({ placement, machine }: Pick<RunRecord, "placement" | "machine">): RunGrade {
  const reasons: string[] = [];
  if (placement.pinning === "one-cpu") reasons.push("server and generator shared one CPU");
  if (placement.pinning === "siblings") reasons.push("server and generator shared one physical core");
  if (machine.virtualization !== null) reasons.push(`a virtual machine (${machine.virtualization})`);
  const governors = machine.governors ?? null;
  if (governors === null) reasons.push("nothing shows that the clock was held");
  else if (governors.some((governor) => governor !== "performance")) {
    reasons.push(`the governor was ${governors.join(", ")}, so the clock followed the load`);
  }
  if (placement.pinning === "none") {
    return { grade: "advisory", reasons: [placement.note || "processes could not be pinned", ...reasons] };
  }
  return reasons.length > 0
    ? { grade: "shared", reasons }
    : { grade: "dedicated", reasons: ["bare metal, clock held, server and generator on cores of their own"] };
}

/** What a grade means for a reader. */
export const GRADE_MEANING: Readonly<Record<RunGrade["grade"], string>> = {
  dedicated: "rates can be compared as they stand",
  shared: "the machine's speed may have moved; trust duet verdicts more than single rates",
  advisory: "processes could not be pinned; take the figures as a hint",
};
