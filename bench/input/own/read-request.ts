import { relative, resolve } from "node:path";
import { z } from "zod";
import { drawSchema, type OwnRequest, ownRequestSchema, type OwnSpec } from "../../record/own-spec.ts";
import { Fault } from "../types.ts";

/** Requests with the draws their placeholders stand for. */
export interface ReadRequests {
  readonly requests: readonly OwnRequest[];
  readonly draws: OwnSpec["draws"];
}

/** One request as an object: a line of a file, an object of a config, JSON on the command line. */
const requestSchema = ownRequestSchema.extend({
  method: z.string("is no method").regex(/^[A-Za-z]+$/, "is no method").default("GET"),
  path: z.string("is no text").startsWith("/", "does not begin with a slash"),
  body: z.unknown().optional(),
  draws: z.record(z.string(), drawSchema).optional(),
});

/**
 * Reads one request, a line such as `GET /` or an object, or says what is wrong with it.
 * @param folder files of rows are from there
 */
export function readRequest(value: string | object, folder: string): ReadRequests | Fault {
  if (typeof value === "string") {
    const [, method = "GET", path] = /^\s*(?:([A-Za-z]+)\s+)?(\S+)\s*$/.exec(value)!;
    return { requests: [{ method: method.toUpperCase(), path: path! }], draws: {} };
  }
  const parsed = requestSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues as [z.core.$ZodIssue];
    return new Fault(wordsOfIssue(issue), issue.path);
  }
  const { draws = {}, body, ...request } = parsed.data;
  const told = Object.entries(draws).map(([name, draw]) => [
    name,
    draw.kind === "rows" ? { ...draw, file: relative(process.cwd(), resolve(folder, draw.file)) } : draw,
  ]);
  return {
    draws: Object.fromEntries(told),
    requests: [{
      ...request,
      method: request.method.toUpperCase(),
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    }],
  };
}

/** What is wrong, to go on after a name. */
function wordsOfIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") return `has no key "${issue.keys[0]}"`;
  if (issue.code === "invalid_union") return "has none of the forms it may have";
  return issue.message.replace(/^Invalid (input|option|string): |^Too /, "is wrong: ");
}
