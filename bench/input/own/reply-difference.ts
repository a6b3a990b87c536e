/** What of two replies counts as different, and how that is said. Pure: texts in, words out. */

/** A reply as far as it is compared. */
export interface ComparedReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null where it was not kept. */
  readonly body: string | null;
  readonly characters: number;
  readonly sha256: string;
}

/** Headers of the connection and the clock: servers of the same app differ in them, and no client of the app minds. */
const NEVER_COMPARED = ["date", "connection", "keep-alive", "transfer-encoding", "content-length"];

/** Names of what may differ, sorted out: `header:etag` is a header, `json:user.time` a field of a body. */
export function ignoredParts(ignore: readonly string[]): { readonly headers: string[]; readonly fields: string[] } {
  const after = (kind: string) =>
    ignore.filter((each) => each.startsWith(`${kind}:`)).map((each) => each.slice(kind.length + 1));
  return { headers: after("header").map((name) => name.toLowerCase()), fields: after("json") };
}

/** The headers that count, each written one way: `text/plain;charset=UTF-8` is `text/plain; charset=utf-8`. */
export function comparedHeaders(headers: Readonly<Record<string, string>>, ignored: readonly string[]) {
  const kept = Object.entries(headers).filter(([name]) => !NEVER_COMPARED.includes(name) && !ignored.includes(name));
  return Object.fromEntries(
    kept.sort(([a], [b]) => a < b ? -1 : 1)
      .map(([name, value]) => [
        name,
        name === "content-type" ? value.toLowerCase().replaceAll(/\s*;\s*/g, "; ") : value,
      ]),
  );
}

/**
 * The body that counts: of JSON without the fields that may differ, else as it is. `items.*.time` names a field of every
 * item; a field by its plain name is one at the top.
 */
export function comparedBody(body: string, fields: readonly string[]): string {
  if (fields.length === 0) return body;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return body;
  }
  for (const field of fields) dropField(value, field.split("."));
  return JSON.stringify(value);
}

function dropField(value: unknown, [name, ...rest]: readonly string[]): void {
  if (typeof value !== "object" || value === null || name === undefined) return;
  const own = value as Record<string, unknown>;
  for (const key of name === "*" ? Object.keys(own) : Object.hasOwn(own, name) ? [name] : []) {
    if (rest.length === 0) delete own[key];
    else dropField(own[key], rest);
  }
}

/** How a reply differs from the one it is held against, in words; null where they are the same. */
export function replyDifference(reply: ComparedReply, other: ComparedReply): string | null {
  if (reply.status !== other.status) return `status is ${reply.status}, ${other.status} was recorded`;
  for (const name of new Set([...Object.keys(other.headers), ...Object.keys(reply.headers)])) {
    const [is, was] = [reply.headers[name], other.headers[name]];
    if (is !== was) return `header:${name} is ${said(is)}, ${said(was)} was recorded`;
  }
  if (reply.sha256 === other.sha256) return null;
  if (reply.body === null || other.body === null) {
    return `body is another one of ${reply.characters} characters, one of ${other.characters} was recorded`;
  }
  const [is, was] = [jsonOf(reply.body), jsonOf(other.body)];
  const field = is !== undefined && was !== undefined ? fieldDifference(is, was, "") : null;
  return field ?? textDifference(reply.body, other.body);
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The first field in which two values differ, in words; null where they differ only in how they are written. */
function fieldDifference(is: unknown, was: unknown, path: string): string | null {
  if (isObject(is) && isObject(was) && Array.isArray(is) === Array.isArray(was)) {
    for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
      const found = fieldDifference(is[key], was[key], path === "" ? key : `${path}.${key}`);
      if (found !== null) return found;
    }
    return null;
  }
  if (JSON.stringify(is) === JSON.stringify(was)) return null;
  return `${path === "" ? "body" : `json:${path}`} is ${said(is)}, ${said(was)} was recorded`;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Signs around the first difference that are shown. */
const AROUND = 24;

function textDifference(is: string, was: string): string {
  let at = 0;
  while (at < is.length && is[at] === was[at]) at++;
  const from = Math.max(0, at - AROUND / 2);
  const piece = (text: string) => {
    const shown = text.slice(from, from + AROUND);
    return `${from > 0 ? "…" : ""}${shown}${text.length > from + AROUND ? "…" : ""}`;
  };
  return `body is ${JSON.stringify(piece(is))} from character ${from + 1} on, ${
    JSON.stringify(piece(was))
  } was recorded`;
}

function said(value: unknown): string {
  if (value === undefined) return "missing";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** What `--ignore` would have to name so that a difference is none: `header:etag`, `json:time`; null where nothing would. */
export function nameOfDifference(difference: string): string | null {
  return /^((?:header|json):\S+) is /.exec(difference)?.[1] ?? null;
}
