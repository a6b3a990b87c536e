import { existsSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { z } from "zod";
import { usageError } from "../../basics/errors.ts";
import { drawSchema, type OwnRequest, ownRequestSchema, type OwnSpec } from "../../record/own-spec.ts";
import { requestsOfHar } from "./har.ts";

/** Requests with the draws their placeholders stand for. */
export interface ReadRequests {
  readonly requests: readonly OwnRequest[];
  readonly draws: OwnSpec["draws"];
}

/** Most kinds of request at once: each is a template the load generator keeps. */
export const MOST_KINDS = 200;

/** A line of a file of requests; a body may be JSON as it is. */
const lineSchema = ownRequestSchema.extend({
  method: z.string().regex(/^[A-Za-z]+$/, "is no method").default("GET"),
  path: z.string().startsWith("/", "does not begin with a slash"),
  body: z.unknown().optional(),
  draws: z.record(z.string(), drawSchema).optional(),
});

/**
 * Reads a file of requests: one JSON object a line, or a recording of a browser (`.har`). Throws a usage error that names
 * file, line and key.
 */
export function readRequestsFile(path: string): ReadRequests {
  if (!existsSync(path)) {
    throw usageError(`there is no file of requests "${path}"`, "--requests FILE.jsonl or FILE.har");
  }
  const text = readFileSync(path, "utf8");
  const read = path.toLowerCase().endsWith(".har")
    ? { requests: requestsOfHar(text, path), draws: {} }
    : requestsOfLines(text, path);
  if (read.requests.length > MOST_KINDS) {
    throw usageError(
      `"${path}" has ${read.requests.length} kinds of request, more than ${MOST_KINDS}`,
      "leave out those that are rare, or put a placeholder in place of what differs",
    );
  }
  return read;
}

/** Reads one request that is written as JSON, as a line of a file is: `--request '{"path":"/items/{id}","draws":{…}}'`. */
export function readRequestObject(text: string): ReadRequests {
  const { request, draws } = readLine(text, ".", (what) => usageError(`--request "${text}": ${what}`, FORM));
  return { requests: [request], draws };
}

const FORM = 'a request is {"method":"GET","path":"/items/{id}","weight":3,…}';

function requestsOfLines(text: string, path: string): ReadRequests {
  const requests: OwnRequest[] = [];
  const draws: OwnSpec["draws"] = {};
  for (const [n, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const refused = (what: string) =>
      usageError(`"${path}", line ${n + 1}: ${what}`, 'a line is {"method":"GET","path":"/items/{id}","weight":3,…}');
    const read = readLine(line, dirname(path), refused);
    for (const [name, draw] of Object.entries(read.draws)) {
      if (name in draws && JSON.stringify(draws[name]) !== JSON.stringify(draw)) {
        throw refused(`"${name}" draws something else than in a line before: give it another name`);
      }
      draws[name] = draw;
    }
    requests.push(read.request);
  }
  if (requests.length === 0) throw usageError(`"${path}" has no requests`, "one JSON object a line");
  return { requests, draws };
}

/** @param folder files of rows are from there */
function readLine(
  line: string,
  folder: string,
  refused: (what: string) => Error,
): { readonly request: OwnRequest; readonly draws: OwnSpec["draws"] } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw refused("it is no JSON");
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) {
    const { path: key, message } = parsed.error.issues[0]!;
    throw refused(`${key.length === 0 ? "it" : `"${key.map(String).join(".")}"`}: ${message}`);
  }
  const { draws = {}, body, ...request } = parsed.data;
  const told = Object.entries(draws).map(([name, draw]) => [
    name,
    draw.kind === "rows" ? { ...draw, file: relative(process.cwd(), resolve(folder, draw.file)) } : draw,
  ]);
  return {
    draws: Object.fromEntries(told),
    request: {
      ...request,
      method: request.method.toUpperCase(),
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    } as OwnRequest,
  };
}
