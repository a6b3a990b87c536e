import type { Mark } from "../record/outcome-schema.ts";
/** Thrown inside an observation to end it, or the part of one server in it, with marks. */
export class Stopped extends Error {
  readonly marks: readonly Mark[];
  readonly stderr: string;
  constructor(marks: readonly Mark[], stderr = "") {
    super(marks[0]?.text);
    this.marks = marks;
    this.stderr = stderr;
  }
}
