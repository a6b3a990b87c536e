/** Parts of replies that change by themselves: finds, names and leaves them out. Pure. */
import { canonicalJson, hasParts, jsonOf } from "../basics/bounded-json.ts";
import { counted } from "../basics/units.ts";
import { withoutValue } from "./compared-headers.ts";

/** A reply as it is looked through. */
export interface WholeReply {
  readonly headers: Readonly<Record<string, string>>;
  /** Null if it is no text. */
  readonly text: string | null;
  readonly bytes: Buffer;
}

/** `header:etag`, `cookie:sid`, `json:items.*.time`, `word:12`, `body`. `?`: it may be missing, or of other length. */
export type PartName = string;

/** The number of changing siblings from which one name leaves all of them out. */
const MANY = 8;

/** Returns the parts in which one server's replies to one request differ; none if all are equal. */
export function changingParts(replies: readonly WholeReply[]): PartName[] {
  const [first, ...others] = replies;
  const found = new Set(others.flatMap((other) => [...headerChanges(first!, other), ...bodyChanges(first!, other)]));
  const names = withoutDoubles(collapsed([...found]));
  const bodies = replies.map((reply) => sameBody(withoutParts(reply, names)));
  if (bodies.every((body) => body === bodies[0])) return names;
  const headers = names.filter((name) => /^(header|cookie):/.test(name));
  return [...headers, lengthsDiffer(replies) ? "body?" : "body"];
}

/** Length of a body: characters of a text, else bytes. */
export const lengthOf = ({ text, bytes }: Pick<WholeReply, "text" | "bytes">): number => text?.length ?? bytes.length;

/** The factor that a changing body may be longer than the longest seen, or shorter than the shortest. */
export const LENGTHS = 2;

/** Least and most length a body that changes by itself may have. */
export function lengthsOf(replies: readonly WholeReply[]): [least: number, most: number] {
  const lengths = replies.map(lengthOf);
  return [Math.ceil(Math.min(...lengths) / LENGTHS), LENGTHS * Math.max(...lengths)];
}

/** Returns a reply without the named parts: a value becomes its kind, a part that may be missing goes. */
export function withoutParts(reply: WholeReply, names: readonly PartName[]): WholeReply {
  if (names.length === 0) return reply;
  const headers = Object.fromEntries(
    Object.entries(reply.headers).flatMap(([name, value]) => {
      const part = name.startsWith("cookie:") ? name : `header:${name}`;
      if (names.includes(`${part}?`) || (part === name && names.includes("header:set-cookie?"))) return [];
      return [[name, names.includes(part) ? withoutValue(name, value) : value]];
    }),
  );
  return { headers, ...withoutBodyParts(reply, names) };
}

function withoutBodyParts({ text, bytes }: WholeReply, names: readonly PartName[]): Omit<WholeReply, "headers"> {
  const as = (shown: string) => ({ text: shown, bytes: Buffer.from(shown) });
  if (names.includes("body?")) return as(`{${kindOfBody(text)}}`);
  if (names.includes("body")) return as(`{${kindOfBody(text)} of ${lengthOf({ text, bytes })}}`);
  const value = text === null ? undefined : jsonOf(text);
  const fields = names.filter((name) => name.startsWith("json:"));
  if (value !== undefined && fields.length > 0) {
    for (const field of fields) dropField(value, field.slice(5).replace(/\?$/, "").split("."), field.endsWith("?"));
    return as(JSON.stringify(value));
  }
  const places = new Set(names.filter((name) => name.startsWith("word:")).map((name) => Number(name.slice(5))));
  return text === null || places.size === 0
    ? { text, bytes }
    : as(wordsOf(text).map((word, n) => places.has(n / 2 + 1) ? "{}" : word).join(""));
}

/** The names of what people say may differ: wholly. */
export const ignoredParts = (ignore: readonly string[]): PartName[] =>
  ignore.map((name) => `${name.startsWith("header:") ? name.toLowerCase() : name}?`);

/** The headers and cookies of what people say may differ. */
export const ignoredHeaders = (ignore: readonly string[]): string[] =>
  ignore.filter((part) => /^(header|cookie):/.test(part));

/** The parts that are left out, in words: `header expires`, `2 of 30 words of the body`. */
export function partWords(names: readonly PartName[], text: string | null): string {
  const plain = [...new Set(names.map((name) => name.replace(/\?$/, "")))];
  const words = plain.filter((name) => name.startsWith("word:"));
  const said = plain.filter((name) => !name.startsWith("word:")).map((name) => name.replace(":", " "));
  if (words.length > 0) said.push(`${words.length} of the body's ${counted(wordCount(text ?? ""), "word")}`);
  return said.join(", ");
}

function headerChanges({ headers: is }: WholeReply, { headers: was }: WholeReply): PartName[] {
  return Object.keys({ ...is, ...was }).filter((name) => is[name] !== was[name]).map((name) => {
    const part = name.startsWith("cookie:") ? name : `header:${name}`;
    return is[name] === undefined || was[name] === undefined ? `${part}?` : part;
  });
}

function bodyChanges(is: WholeReply, was: WholeReply): PartName[] {
  if (is.bytes.equals(was.bytes)) return [];
  if (is.text === null || was.text === null) return [lengthsDiffer([is, was]) ? "body?" : "body"];
  const [value, other] = [jsonOf(is.text), jsonOf(was.text)];
  if (hasParts(value) && hasParts(other)) {
    return fieldChanges(value, other, "").map((name) => name === "" || name === "?" ? "body?" : `json:${name}`);
  }
  const [words, others] = [wordsOf(is.text), wordsOf(was.text)];
  const changed = words.flatMap((word, n) => word === others[n] ? [] : [`word:${n / 2 + 1}`]);
  const isWhole = words.length !== others.length || changed.length === wordCount(is.text) ||
    changed.some((name) => !Number.isInteger(Number(name.slice(5))));
  return isWhole ? [lengthsDiffer([is, was]) ? "body?" : "body"] : changed;
}

/** Paths of the fields in which two values differ; the empty path is the whole. */
function fieldChanges(is: unknown, was: unknown, path: string): string[] {
  if (kindOf(is) !== kindOf(was)) return [`${path}?`];
  if (!hasParts(is) || !hasParts(was)) return is === was ? [] : [path];
  const keys = Object.keys(is), others = Object.keys(was);
  const gone = others.filter((key) => !(key in is)), fresh = keys.filter((key) => !(key in was));
  const unnamed = (key: string) => key.includes(".") || key.endsWith("?") || key === "*" || key === "";
  const changed = keys.filter((key) => JSON.stringify(is[key]) !== JSON.stringify(was[key]));
  const grew = Array.isArray(is) && gone.length + fresh.length > 0;
  if (grew || (gone.length > 0 && fresh.length > 0) || [...changed, ...gone].some(unnamed)) return [path];
  const below = (key: string) => path === "" ? key : `${path}.${key}`;
  return [
    ...[...gone, ...fresh].map((key) => `${below(key)}?`),
    ...keys.filter((key) => key in was).flatMap((key) => {
      const every = Array.isArray(is) && hasParts(is[key]) && hasParts(was[key]);
      return fieldChanges(is[key], was[key], below(every ? "*" : key));
    }),
  ];
}

function collapsed(names: readonly PartName[]): PartName[] {
  const parentOf = (name: PartName) => name.startsWith("json:") ? name.replace(/[^.:]+$/, "") : name;
  const siblings = Map.groupBy(names, parentOf);
  return [...siblings].flatMap(([parent, below]) =>
    below.length <= MANY || !parent.startsWith("json:")
      ? below
      : [`${parent}*${below.some((name) => name.endsWith("?")) ? "?" : ""}`]
  );
}

/** Keeps, of two names of a part, the one that allows it to be missing. */
const withoutDoubles = (names: readonly PartName[]) =>
  [...new Set(names)].filter((name) => !names.includes(`${name}?`)).sort();

function dropField(value: unknown, [name, ...rest]: readonly string[], wholly: boolean): void {
  if (!hasParts(value) || name === undefined) return;
  for (const key of name === "*" ? Object.keys(value) : Object.hasOwn(value, name) ? [name] : []) {
    if (rest.length > 0) dropField(value[key], rest, wholly);
    else if (wholly) delete value[key];
    else value[key] = `{${kindOf(value[key])}}`;
  }
}

const kindOf = (value: unknown) => value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

function kindOfBody(text: string | null): string {
  if (text === null) return "bytes";
  const value = jsonOf(text);
  return hasParts(value) ? `JSON ${kindOf(value)}` : "text";
}

/** Splits a text: words at even places, the separators between them at odd places. */
const wordsOf = (text: string) => text.split(/([\s"'`<>&;,(){}[\]=]+)/);

const wordCount = (text: string) => wordsOf(text).filter((word, n) => n % 2 === 0 && word !== "").length;

const lengthsDiffer = (replies: readonly WholeReply[]) => new Set(replies.map(lengthOf)).size > 1;

const sameBody = ({ text, bytes }: WholeReply) =>
  text === null ? bytes.toString("base64") : canonicalJson(text) ?? text;
