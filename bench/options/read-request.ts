import { dirname, relative, resolve } from "node:path";
import { z } from "zod";
import { bodyOfBytes } from "../basics/body-bytes.ts";
import { drawSchema, type UserRequest, userRequestSchema, type UserSpec } from "../record/user-spec.ts";
import { issueWording } from "../record/issue-text.ts";
import { ValueFault } from "./types.ts";
import { joinedHeaders, unsendable } from "../apps/sendable-request.ts";
import { existsSync, readFileSync, statSync } from "node:fs";
import { jsonOf } from "../basics/bounded-json.ts";
import { usageError } from "../basics/errors.ts";
import { fileHint } from "../files/near-files.ts";
import { isRecording, requestsOfHar } from "../apps/har.ts";
import { present } from "../basics/present.ts";
import { foreignRequests } from "./foreign-requests.ts";

/** Requests with the draws of their placeholders. */
export interface ReadRequests {
  readonly requests: readonly UserRequest[];
  readonly draws: UserSpec["draws"];
  /** Requests of a recording that were left out, a line each. */
  readonly leftOut?: readonly string[];
}

/** One request as an object: a line of a file, an object of a config, JSON on the command line. */
const requestSchema = userRequestSchema.omit({ recorded: true, recorded_form: true }).extend({
  method: z.string("is no method").regex(/^[A-Za-z]+$/, "is no method").default("GET"),
  path: z.string("is no text").startsWith("/", "does not begin with a slash"),
  body: z.unknown().optional(),
  first: z.unknown().optional(),
  body_base64: z.base64("is no base64").optional(),
  draws: z.record(z.string(), drawSchema).optional(),
});

/**
 * Reads one request, a line such as `GET /` or an object. Returns a fault for a wrong one.
 * @param folder files of rows are from there
 */
export function readRequest(value: string | object, folder: string): ReadRequests | ValueFault {
  if (typeof value === "string") {
    const [, method = "GET", path = ""] = /^\s*(?:([A-Za-z]+)\s+)?(\/.*?)\s*$/s.exec(value)!;
    const fault = unsendable({ method, path });
    if (fault !== null) return new ValueFault(`cannot be sent: ${fault.what}`);
    return { requests: [{ method: method.toUpperCase(), path: path! }], draws: {} };
  }
  const parsed = requestSchema.safeParse(value, { error: issueWording });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return new ValueFault(issue!.message, issue!.path);
  }
  const { draws = {}, body: given, first: opening, body_base64: base64, headers: named, ...request } = parsed.data;
  if (given !== undefined && base64 !== undefined) return new ValueFault("has two bodies", ["body_base64"]);
  const body = base64 !== undefined ? bodyOfBytes(Buffer.from(base64, "base64")) : textOf(given);
  const first = textOf(opening);
  const headers = named === undefined ? undefined : joinedHeaders(Object.entries(named));
  if (typeof headers === "string") return new ValueFault(headers, ["headers"]);
  const fault = unsendable({ ...request, headers, body, first });
  if (fault !== null) return new ValueFault(fault.what, fault.part);
  const drawn = Object.entries(draws).map(([name, draw]) => [
    name,
    draw.kind === "rows" ? { ...draw, file: relative(process.cwd(), resolve(folder, draw.file)) } : draw,
  ]);
  return {
    draws: Object.fromEntries(drawn),
    requests: [{
      ...request,
      method: request.method.toUpperCase(),
      ...present({ headers, body, first }),
    }],
  };
}

/** Returns a body as it is sent: a text as it is, anything else as JSON. */
const textOf = (given: unknown): string | undefined =>
  given === undefined || typeof given === "string" ? given : JSON.stringify(given);

/** Most kinds of request at once: each is a template the load generator keeps. */
export const MOST_KINDS = 200;

/**
 * Reads a file of requests: one JSON object a line without those that begin with `//`, or a recording of a browser (`.har`).
 * Throws a usage error that names file, line and key.
 */
export function readRequestsFile(path: string): ReadRequests {
  if (!existsSync(path) || statSync(path).isDirectory()) {
    throw usageError(
      `there is no file of requests "${path}"`,
      fileHint("--requests", path, /\.(jsonl|har)$/i, "--requests FILE.jsonl or FILE.har"),
    );
  }
  const body = bodyOfBytes(readFileSync(path));
  if (typeof body !== "string") {
    const line = readFileSync(path, "utf8").split("\n").findIndex((each) => each.includes("\ufffd")) + 1;
    throw usageError(`"${path}", line ${line}: it is no UTF-8`, "save it as UTF-8");
  }
  const text = body.replace(/^\ufeff/, "");
  const foreign = foreignRequests(text, path);
  if (foreign !== null) throw usageError(`"${path}" is ${foreign.what}, not a JSON object a line or HAR`, foreign.hint);
  const read = path.toLowerCase().endsWith(".har") || isRecording(text)
    ? { ...requestsOfHar(text, path), draws: {} }
    : requestsOfLines(text, path);
  if (read.requests.length > MOST_KINDS) {
    throw usageError(
      `"${path}" has ${read.requests.length} kinds of request, more than ${MOST_KINDS}`,
      "leave out those that are rare, or put a placeholder in place of what differs",
    );
  }
  return read;
}

function requestsOfLines(text: string, path: string): ReadRequests {
  const requests: UserRequest[] = [];
  const draws: UserSpec["draws"] = {};
  for (const [n, line] of text.split("\n").entries()) {
    if (/^\s*(\/\/.*)?$/.test(line)) continue;
    const refused = (what: string) =>
      usageError(`"${path}", line ${n + 1}: ${what}`, 'a line is {"method":"GET","path":"/items/{id}","weight":3,…}');
    const value = jsonOf(line);
    if (value === undefined) throw refused("it is no JSON");
    if (typeof value !== "object" || value === null) throw refused("it is no object");
    const read = readRequest(value, dirname(path));
    if (read instanceof ValueFault) {
      throw refused(`${read.path.length === 0 ? "it" : `"${read.path.map(String).join(".")}":`} ${read.what}`);
    }
    for (const [name, draw] of Object.entries(read.draws)) {
      if (name in draws && JSON.stringify(draws[name]) !== JSON.stringify(draw)) {
        throw refused(`"${name}" draws something else than in a line before: give it another name`);
      }
      draws[name] = draw;
    }
    requests.push(...read.requests);
  }
  if (requests.length === 0) throw usageError(`"${path}" has no requests`, "one JSON object a line");
  return { requests, draws };
}
