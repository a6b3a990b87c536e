import { usageError } from "../../basics/errors.ts";
import type { OwnRequest } from "../../record/own-spec.ts";

/** Reads `GET /path`, or a path alone. Throws a usage error that says what is wrong with it. */
export function parseRequestLine(text: string): OwnRequest {
  const [, method = "GET", path] = /^\s*(?:([A-Za-z]+)\s+)?(\S+)\s*$/.exec(text) ?? [];
  if (path === undefined || !path.startsWith("/")) {
    throw usageError(`--request "${text}" is no request`, 'requests are written "GET /" or "POST /items"');
  }
  return { method: method.toUpperCase(), path };
}

/** Reads `name: value`. Throws a usage error that says what is wrong with it. */
export function parseHeader(text: string): readonly [name: string, value: string] {
  const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/s.exec(text.trim()) ?? [];
  if (name === undefined) throw usageError(`--header "${text}" is no header`, 'headers are written "name: value"');
  return [name.toLowerCase(), value!.trim()];
}

/** Reads `200` or `200,404`. Throws a usage error for anything else. */
export function parseStatuses(text: string): number[] {
  const statuses = text.split(",").map((word) => /^[1-5]\d\d$/.test(word.trim()) ? Number(word) : NaN);
  if (statuses.some(Number.isNaN)) throw usageError(`--expect "${text}" is no status`, "such as 200 or 200,404");
  return statuses;
}

/** Refuses what names no part of a reply. */
export function checkIgnored(text: string): string {
  if (/^(header|json):\S+$/.test(text)) return text;
  throw usageError(`--ignore "${text}" names no part of a reply`, "parts are written header:etag or json:user.time");
}

/** Refuses what is no name of a variable that is set: values are never written down. */
export function checkVariable(text: string): string {
  if (/^[A-Za-z_]\w*$/.test(text)) {
    if (process.env[text] !== undefined) return text;
    throw usageError(`--env ${text}: this variable is not set`, "set it, or leave it out");
  }
  const name = /^([A-Za-z_]\w*)=/.exec(text)?.[1];
  throw usageError(
    `--env "${name === undefined ? text : `${name}=…`}" is no name of a variable`,
    name === undefined ? "such as --env DATABASE_URL" : `set ${name} before you start bench, then --env ${name}`,
  );
}
