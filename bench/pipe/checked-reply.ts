import { z } from "zod";
import { list } from "../record/bounds.ts";
import { deepestIssue } from "../record/issue-text.ts";
import { REPLIES } from "./reply-schemas.ts";
import { address, serverUrl } from "./server-schema.ts";
import type { AgentOperations } from "./started-here.ts";

/** A field of a reply that does not fit, and why, in words. */
export interface FieldFault {
  readonly field: string;
  readonly fault: string;
}

/** Returns the first field that does not fit a schema. */
function faultIn(error: z.ZodError): FieldFault {
  const { path, message } = deepestIssue(error.issues);
  const field = path.length === 0 ? "all of it" : `"${path.map(String).join(".").slice(0, 200)}"`;
  return { field, fault: message.slice(0, 200) };
}

/** Returns the reply of an agent to an operation as its schema reads it, or the field that does not fit. */
export function checkedReply<Name extends keyof AgentOperations>(
  operation: Name,
  value: unknown,
): { readonly value: Awaited<ReturnType<AgentOperations[Name]>> } | FieldFault {
  const read = (REPLIES[operation] as z.ZodType<Awaited<ReturnType<AgentOperations[Name]>>>).safeParse(value);
  return read.success ? { value: read.data } : faultIn(read.error);
}

/** The addresses in the requests of a driver. They go into command lines and configurations of the host. */
const ADDRESSES: { readonly [Name in keyof AgentOperations]?: z.ZodType } = {
  serve: z.tuple([z.looseObject({
    hostname: address.optional(),
    clients: list(address).optional(),
    spec: z.looseObject({ url: serverUrl.optional() }),
  })]),
  client: z.tuple([serverUrl]).rest(z.unknown()),
  roundTripUs: z.tuple([serverUrl]),
};

/** Returns the field of a request that holds no address where one belongs; null if there is none. */
export function addressFault(operation: string, args: readonly unknown[]): FieldFault | null {
  const schema = Object.hasOwn(ADDRESSES, operation) ? ADDRESSES[operation as keyof AgentOperations] : undefined;
  const read = schema?.safeParse(args);
  return read === undefined || read.success ? null : faultIn(read.error);
}
