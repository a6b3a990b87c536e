/** The first difference of two replies. Pure. */
import { hasParts, jsonOf } from "../basics/bounded-json.ts";
import { namesSecret } from "../basics/secret-names.ts";
import { jsonWithoutSecrets, withoutSecrets } from "../basics/without-secrets.ts";
import type { RecordedReply } from "../record/user-spec.ts";
import { comparedHeaders } from "./compared-headers.ts";

/** The first part in which a reply differs from the recorded one. */
export interface ReplyDifference {
  readonly part: "status" | "body" | `${"header" | "cookie" | "json"}:${string}`;
  readonly text: string;
}

const differs = (part: ReplyDifference["part"], how: string): ReplyDifference => ({ part, text: `${part} ${how}` });

/** Values that differ, or that a secret's name and no more is shown of. */
function valuesDiffer(part: ReplyDifference["part"], values: readonly unknown[], isHidden: boolean): ReplyDifference {
  const [is, was] = values.map((value) => value === undefined ? "missing" : isHidden ? "a secret" : said(value));
  return is === was ? differs(part, `differs: ${SECRET}`) : differs(part, `is ${is}, ${was} was recorded`);
}

const SECRET = "what was sent may be a secret and is not shown";

/** Returns the first difference of a reply from the recorded one; null if they are the same. */
export function replyDifference(reply: RecordedReply, other: RecordedReply): ReplyDifference | null {
  if (reply.status !== other.status) return differs("status", `is ${reply.status}, ${other.status} was recorded`);
  const headers = comparedHeaders(other.headers);
  for (const name of new Set([...Object.keys(headers), ...Object.keys(reply.headers)])) {
    const [is, was] = [reply.headers[name], headers[name]];
    const part = name.startsWith("cookie:") ? name as `cookie:${string}` : `header:${name}` as const;
    // Cookies of any name say who asks.
    if (is !== was) return valuesDiffer(part, [is, was], name.startsWith("cookie:") || namesSecret(name));
  }
  const [least, most] = other.lengths ?? [0, Infinity];
  if (reply.characters < least || reply.characters > most) {
    return differs("body", `has a length of ${reply.characters}, ${least} to ${most} is expected of what was recorded`);
  }
  if (reply.sha256 === other.sha256 || writtenOtherwise(reply, other)) return null;
  if (reply.base64 !== undefined || other.base64 !== undefined) return bytesDifference(reply, other);
  if (reply.body === null || other.body === null) {
    return differs(
      "body",
      `is another one of ${reply.characters} characters, one of ${other.characters} was recorded`,
    );
  }
  const [is, was] = [jsonOf(reply.body), jsonOf(other.body)];
  const field = is !== undefined && was !== undefined ? fieldDifference(is, was, []) : null;
  return field ?? textDifference(reply.body, other.body);
}

/** Returns true if two bodies are the same JSON in another order of keys or with other white space. */
const writtenOtherwise = (reply: RecordedReply, other: RecordedReply): boolean =>
  reply.sha256 !== other.sha256 && reply.json_sha256 !== undefined && reply.json_sha256 === other.json_sha256;

/** Returns the first field in which two values differ; null if they differ only in how they are written. */
function fieldDifference(is: unknown, was: unknown, path: readonly string[]): ReplyDifference | null {
  if (hasParts(is) && hasParts(was) && Array.isArray(is) === Array.isArray(was)) {
    for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
      const found = fieldDifference(is[key], was[key], [...path, key]);
      if (found !== null) return found;
    }
    return null;
  }
  if (JSON.stringify(is) === JSON.stringify(was)) return null;
  return valuesDiffer(path.length === 0 ? "body" : `json:${path.join(".")}`, [is, was], path.some(namesSecret));
}

/** Signs around the first difference that are shown, and bytes from it on. */
const AROUND = 24;
const BYTES = 8;

function textDifference(whole: string, other: string): ReplyDifference {
  const [is, was] = [withoutSecrets(whole), withoutSecrets(other)];
  if (is === was) return differs("body", `differs: ${SECRET}`);
  let at = 0;
  while (at < is.length && is[at] === was[at]) at++;
  const from = Math.max(0, at - AROUND / 2);
  const piece = (text: string) => {
    const shown = text.slice(from, from + AROUND);
    return `${from > 0 ? "…" : ""}${shown}${text.length > from + AROUND ? "…" : ""}`;
  };
  const [shown, recorded] = [piece(is), piece(was)].map((text) => JSON.stringify(text));
  return differs("body", `is ${shown} from character ${from + 1} on, ${recorded} was recorded`);
}

function bytesDifference(reply: RecordedReply, other: RecordedReply): ReplyDifference {
  const [is, was] = [bytesOf(reply), bytesOf(other)];
  const length = (one: RecordedReply) =>
    one.base64 === undefined ? `text of ${one.characters} characters` : `${one.characters} bytes`;
  const lengths = `(${length(reply)}, ${length(other)} were recorded)`;
  let at = 0;
  while (at < is.length && is[at] === was[at]) at++;
  if (at === is.length && at === was.length) {
    return differs("body", `is another one after its first ${at} bytes ${lengths}`);
  }
  const piece = (bytes: Buffer) =>
    bytes.subarray(at, at + BYTES).toString("hex").replace(/(..)(?=.)/g, "$1 ") || "ended";
  return differs("body", `is ${piece(is)} from byte ${at + 1} on, ${piece(was)} was recorded ${lengths}`);
}

const bytesOf = ({ base64, body }: RecordedReply) =>
  base64 === undefined ? Buffer.from(withoutSecrets(body ?? "")) : Buffer.from(base64, "base64");

function said(value: unknown): string {
  // Of a part that changes by itself the kind alone is kept.
  const kind = typeof value === "string"
    ? /^\{(null|number|string|boolean|array|object)\}$/.exec(value)?.[1]
    : undefined;
  if (kind !== undefined) return kind === "null" ? kind : `${/^[ao]/.test(kind) ? "an" : "a"} ${kind}`;
  const text = jsonWithoutSecrets(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Returns the value of `--ignore` that leaves a difference out: `header:etag`, `json:time`; null if none does. */
export const ignoreName = ({ part }: ReplyDifference): string | null => /^\w+:\S+$/.test(part) ? part : null;

/** Returns the sizes of a compressed reply in words; null for one that is not compressed. */
export function sizeWords({ encoding, sent_bytes, characters }: RecordedReply): string | null {
  return encoding === undefined ? null : `${sent_bytes} bytes of ${encoding} for ${characters} uncompressed`;
}

/** Returns how an equal reply is sent in another way than the recorded one, in words; null if it is not. */
export function sentOtherwise(reply: RecordedReply, other: RecordedReply): string | null {
  const { encoding: is, sent_bytes: bytes } = reply, { encoding: was, sent_bytes: before } = other;
  const isOther = writtenOtherwise(reply, other);
  if (before === undefined || (!isOther && is === was && (is === undefined || bytes === before))) return null;
  const of = (name: string | undefined, size: number | undefined) =>
    `${size} bytes${name === undefined ? " uncompressed" : ` of ${name}`}`;
  const what = isOther ? "the same JSON with other order or spaces" : "the same content";
  return `${what}, sent as ${of(is, bytes)}, recorded as ${of(was, before)}`;
}
