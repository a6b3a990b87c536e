import type { z } from "zod";
import { deepestIssue } from "../record/issue-text.ts";
import { REPLIES } from "./reply-schemas.ts";
import type { Asks } from "./started-here.ts";

/** A field of a reply that does not fit, and why, in words. */
export interface FieldFault {
  readonly field: string;
  readonly fault: string;
}

/** Returns the first field that does not fit a schema. */
export function faultIn(error: z.ZodError): FieldFault {
  const { path, message } = deepestIssue(error.issues);
  const field = path.length === 0 ? "all of it" : `"${path.map(String).join(".").slice(0, 200)}"`;
  return { field, fault: message.slice(0, 200) };
}

/** Returns the reply of an agent to an operation as its schema reads it, or the field that does not fit. */
export function checkedReply<Name extends keyof Asks>(
  operation: Name,
  value: unknown,
): { readonly value: Awaited<ReturnType<Asks[Name]>> } | FieldFault {
  const read = (REPLIES[operation] as z.ZodType<Awaited<ReturnType<Asks[Name]>>>).safeParse(value);
  return read.success ? { value: read.data } : faultIn(read.error);
}
