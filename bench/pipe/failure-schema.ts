import { z } from "zod";
import type { Failure, FailureCode } from "../basics/failures.ts";
import { list, longText } from "../record/bounds.ts";

const fault = z.strictObject({ fault: longText });
const port = z.int().nonnegative().max(65_535);

/** The facts of each failure: words are made of them. */
const FACTS: { readonly [Code in FailureCode]: z.ZodType<Failure<Code>["facts"]> } = {
  "reply-late": z.strictObject({ ms: z.number(), state: longText.nullable() }),
  "reply-malformed": fault,
  "connection-lost": fault,
  "handshake-failed": fault,
  "reply-awaited": z.strictObject({ path: longText, seconds: z.number(), state: longText.nullable() }),
  "connections-closed": fault,
  "status-unready": z.strictObject({ path: longText, status: z.int(), text: longText.nullable() }),
  "listens-on-address": z.strictObject({ addresses: list(longText), hostname: longText }),
  "listens-on-port": z.strictObject({ ports: list(port), port }),
  "listens-on-several": z.strictObject({ ports: list(port), wanted: port }),
  "listens-on-socket": z.strictObject({ socket: longText }),
  "is-program": fault,
  "read-as-commonjs": z.strictObject({ file: longText, better: longText.nullable() }),
  "no-app": fault,
  "port-taken": fault,
  "cannot-serve": z.strictObject({ runtime: longText, fault: longText }),
  "agent-unfit": z.strictObject({ host: longText, operation: longText, field: longText, fault: longText }),
};

/** A failure as an agent sends it. */
export const failureSchema = z.union(
  Object.entries(FACTS).map(([code, facts]) => z.strictObject({ code: z.literal(code), facts })),
) as unknown as z.ZodType<Failure>;
