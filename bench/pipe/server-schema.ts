import { z } from "zod";
import { isAddress, isServerUrl } from "../../servers/address.ts";
import { readyLine } from "../../servers/ready-line.ts";
import { type ReadyService, serviceLine } from "../../servers/service-line.ts";
import { WORKER_WAYS } from "../../servers/workers/ways.ts";
import type { NotReady } from "../process/end-server.ts";
import type { NoServer } from "../process/server-request.ts";
import type { ServerProtocol } from "../process/server-protocol.ts";
import type { WorkersStarted } from "../process/workers.ts";
import { list, longText, word } from "../record/bounds.ts";
import { markSchema } from "../record/outcome-schema.ts";
import { servedSchema } from "../record/server-schema.ts";
import { objectOf } from "./object-of.ts";
import type { RemoteServer } from "./started-here.ts";
import type { Failure, FailureCode } from "../basics/failures.ts";

/** An address that a host has or listens on. */
export const address = word.refine(isAddress, "is no address");

/** The URL of a server. */
export const serverUrl = word.refine(isServerUrl, "is no URL of a server");

/** Names of variables with which a service lets its clients in. Those that change how a program runs are none. */
const variable = word.regex(
  /^(?!LD_|DYLD_|NODE_|BUN_|DENO_|PATH$)[A-Za-z_][A-Za-z0-9_]*$/,
  "is no variable of a client",
);

const port = z.int().positive().max(65_535);

const fault = z.strictObject({ fault: longText });
const reported = z.int().nonnegative().max(65_535);

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
  "listens-on-port": z.strictObject({ ports: list(reported), port: reported }),
  "listens-on-several": z.strictObject({ ports: list(reported), wanted: reported }),
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

/** The process id of a program; −1 if it could not be started. */
export const pid = z.int().min(-1);

/** The protocol between a server and its clients. */
export const spoken = objectOf<ServerProtocol>({
  protocol: z.enum(["http", "https", "h2", "h2c"]),
  certificate: longText.exactOptional(),
});

const workers = objectOf<WorkersStarted>({
  count: z.int().positive(),
  by: z.enum(WORKER_WAYS),
  control: port.nullable(),
});

const service = serviceLine.options[0].refine(
  ({ env }) => Object.keys(env ?? {}).every((name) => variable.safeParse(name).success),
  { path: ["env"], error: "has a name that is no variable of a client" },
) as z.ZodType<ReadyService>;

const served = objectOf<RemoteServer>({
  pid: pid.nullable(),
  url: serverUrl,
  startupMs: z.number().nullable(),
  ready: readyLine.options[0].nullable(),
  stop: z.enum(["stdin", "SIGTERM"]),
  mark: word.exactOptional(),
  served: list(servedSchema).exactOptional(),
  untold: list(port).exactOptional(),
  open: list(word).exactOptional(),
  service: service.exactOptional(),
  spoken: spoken.exactOptional(),
  negotiated: z.record(word, word).exactOptional(),
  workers: workers.exactOptional(),
  process: z.strictObject({ pid }).nullable(),
});

const notReady = objectOf<NotReady>({
  failed: markSchema,
  stderr: longText,
  failure: failureSchema.exactOptional(),
});

/** A server that an agent has started, or why there is none. */
export const serveReply: z.ZodType<RemoteServer | NoServer> = z.union([
  served,
  notReady,
  z.strictObject({ unsupported: longText, install: longText.exactOptional() }),
]);
