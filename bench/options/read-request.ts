import { relative, resolve } from "node:path";
import { z } from "zod";
import { bodyOfBytes } from "../basics/body-bytes.ts";
import { drawSchema, type UserRequest, userRequestSchema, type UserSpec } from "../record/user-spec.ts";
import { Fault } from "./types.ts";
import { joinedHeaders, unsendable } from "../apps/sendable-request.ts";

/** Requests with the draws their placeholders stand for. */
export interface ReadRequests {
  readonly requests: readonly UserRequest[];
  readonly draws: UserSpec["draws"];
  /** What was left out of a recording, a line each. */
  readonly leftOut?: readonly string[];
}

/** One request as an object: a line of a file, an object of a config, JSON on the command line. */
const requestSchema = userRequestSchema.omit({ recorded: true }).extend({
  method: z.string("is no method").regex(/^[A-Za-z]+$/, "is no method").default("GET"),
  path: z.string("is no text").startsWith("/", "does not begin with a slash"),
  body: z.unknown().optional(),
  body_base64: z.base64("is no base64").optional(),
  draws: z.record(z.string(), drawSchema).optional(),
});

/**
 * Reads one request, a line such as `GET /` or an object, or says what is wrong with it.
 * @param folder files of rows are from there
 */
export function readRequest(value: string | object, folder: string): ReadRequests | Fault {
  if (typeof value === "string") {
    const [, method = "GET", path = ""] = /^\s*(?:([A-Za-z]+)\s+)?(\/.*?)\s*$/s.exec(value)!;
    const fault = unsendable({ method, path });
    if (fault !== null) return new Fault(`cannot be sent: ${fault.what}`);
    return { requests: [{ method: method.toUpperCase(), path: path! }], draws: {} };
  }
  const parsed = requestSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues as [z.core.$ZodIssue];
    return new Fault(wordsOfIssue(issue), issue.path);
  }
  const { draws = {}, body: given, body_base64: base64, headers: named, ...request } = parsed.data;
  if (given !== undefined && base64 !== undefined) return new Fault("has two bodies", ["body_base64"]);
  const body = base64 !== undefined
    ? bodyOfBytes(Buffer.from(base64, "base64"))
    : given === undefined || typeof given === "string"
    ? given
    : JSON.stringify(given);
  const headers = named === undefined ? undefined : joinedHeaders(Object.entries(named));
  if (typeof headers === "string") return new Fault(headers, ["headers"]);
  const fault = unsendable({ ...request, headers, body });
  if (fault !== null) return new Fault(fault.what, fault.part);
  const told = Object.entries(draws).map(([name, draw]) => [
    name,
    draw.kind === "rows" ? { ...draw, file: relative(process.cwd(), resolve(folder, draw.file)) } : draw,
  ]);
  return {
    draws: Object.fromEntries(told),
    requests: [{
      ...request,
      method: request.method.toUpperCase(),
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
    }],
  };
}

/** What is wrong, to go on after a name. */
function wordsOfIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `has no key "${issue.keys[0]}"`;
  if (issue.code === "invalid_union") return "has none of the forms it may have";
  return issue.message.replace(/^Invalid (input|option|string): /, "is wrong: ").replace(/^Too /, "is too ");
}
