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
import { failureSchema } from "./failure-schema.ts";
import { objectOf } from "./object-of.ts";
import type { RemoteServer } from "./started-here.ts";

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
