import { z } from "zod";
import { list } from "../record/bounds.ts";
import { faultIn, type FieldFault } from "./checked-reply.ts";
import { address, serverUrl } from "./server-schema.ts";
import type { Asks } from "./started-here.ts";

/** The addresses in the requests of a driver. They go into command lines and configurations of the host. */
const ADDRESSES: { readonly [Name in keyof Asks]?: z.ZodType } = {
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
  const schema = Object.hasOwn(ADDRESSES, operation) ? ADDRESSES[operation as keyof Asks] : undefined;
  const read = schema?.safeParse(args);
  return read === undefined || read.success ? null : faultIn(read.error);
}
