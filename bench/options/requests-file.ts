import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { bodyOfBytes } from "../basics/body-bytes.ts";
import { jsonOf } from "../basics/bounded-json.ts";
import { usageError } from "../basics/errors.ts";
import type { UserRequest, UserSpec } from "../record/user-spec.ts";
import { requestsOfHar } from "../apps/har.ts";
import { Fault } from "./types.ts";
import { readRequest, type ReadRequests } from "./read-request.ts";

/** Most kinds of request at once: each is a template the load generator keeps. */
export const MOST_KINDS = 200;

/**
 * Reads a file of requests: one JSON object a line, lines of `//` left out, or a recording of a browser (`.har`). Throws a usage error that names
 * file, line and key.
 */
export function readRequestsFile(path: string): ReadRequests {
  if (!existsSync(path) || statSync(path).isDirectory()) {
    throw usageError(`there is no file of requests "${path}"`, "--requests FILE.jsonl or FILE.har");
  }
  const text = textOf(path);
  const read = path.toLowerCase().endsWith(".har")
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

/** The text of a file without a byte order mark. Throws a usage error where it is no UTF-8. */
function textOf(path: string): string {
  const body = bodyOfBytes(readFileSync(path));
  if (typeof body === "string") return body.replace(/^\ufeff/, "");
  const line = readFileSync(path, "utf8").split("\n").findIndex((each) => each.includes("\ufffd")) + 1;
  throw usageError(`"${path}", line ${line}: it is no UTF-8`, "save it as UTF-8");
}

function requestsOfLines(text: string, path: string): ReadRequests {
  const requests: UserRequest[] = [];
  const draws: UserSpec["draws"] = {};
  for (const [n, line] of text.split("\n").entries()) {
    if (/^\s*(\/\/.*)?$/.test(line)) continue;
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
function readLine(line: string, folder: string, refused: (what: string) => Error) {
  const value = jsonOf(line);
  if (value === undefined) throw refused("it is no JSON");
  if (typeof value !== "object" || value === null) throw refused("it is no object");
  if ("todo" in value) {
    const { method = "GET", path = "it", todo } = value as Record<string, unknown>;
    throw refused(`${method} ${path} has still to do: ${todo}; then take "todo" away, or the whole line`);
  }
  const read = readRequest(value, folder);
  if (!(read instanceof Fault)) return { request: read.requests[0]!, draws: read.draws };
  throw refused(`${read.path.length === 0 ? "it" : `"${read.path.map(String).join(".")}":`} ${read.what}`);
}
