/** The form of a reply in a recording, and how a reply of an app differs from it. Pure. */
import { hasParts, jsonOf } from "../basics/bounded-json.ts";
import { present, unlessEmpty } from "../basics/present.ts";
import { fromTo, grouped } from "../basics/units.ts";
import type { RecordedForm } from "../record/user-spec.ts";
import { LENGTHS } from "./left-out.ts";

/** The media type of a header, in one spelling; empty without one. */
const mediaType = (header: string) =>
  header.split(";")[0]!.trim().toLowerCase().replace(/^(application|text)\/(x-)?(java|ecma)script$/, "javascript");

/** The name of a key below another one that is no number and no date, as keys of data may be. */
const WORD = /^(?:\*|[\p{L}_$-]+)(?:\.[\p{L}_$-]+)?$/u;

/** Names of keys and of those one level below them; `*` stands for the items of a list, each of them or any. */
function namesIn(value: unknown, ofItems: "every" | "some", levels = 1): string[] {
  if (!hasParts(value)) return [];
  if (Array.isArray(value)) {
    const all = value.map((item) => new Set(namesIn(item, ofItems, levels)));
    return [...new Set(all.flatMap((names) => [...names]))]
      .filter((name) => all[ofItems]((names) => names.has(name))).map((name) => `*.${name}`);
  }
  return Object.entries(value).flatMap(([key, inner]) => [
    key,
    ...(levels === 0 ? [] : namesIn(inner, ofItems, levels - 1)).filter((name) => WORD.test(name))
      .map((name) => `${key}.${name}`),
  ]);
}

/** The most names of keys that a form keeps. */
const MOST_NAMES = 64;

/** Returns the form of one recorded reply; undefined if the recording does not hold its size. */
export function replyForm(bytes: number, header: string, text: string | null): RecordedForm | undefined {
  if (!Number.isInteger(bytes) || bytes <= 0) return undefined;
  const type = mediaType(header), value = text === null ? undefined : jsonOf(text);
  const keys = hasParts(value) ? namesIn(value, "every").slice(0, MOST_NAMES) : undefined;
  return { bytes: [bytes, bytes], ...present({ type: unlessEmpty(type), keys }) };
}

/** Returns the form that several replies have in common; undefined if one has none. */
export function commonForm(forms: readonly (RecordedForm | undefined)[]): RecordedForm | undefined {
  return forms.reduce((one, other) => {
    if (one === undefined || other === undefined) return undefined;
    const keys = one.keys?.filter((key) => other.keys?.includes(key));
    return {
      bytes: [Math.min(one.bytes[0], other.bytes[0]), Math.max(one.bytes[1], other.bytes[1])],
      ...present({ type: one.type === other.type ? one.type : null, keys: other.keys && keys }),
    };
  });
}

interface Answered {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string | null;
  readonly bytes: Buffer;
}

/** Returns how a reply differs from the recorded form, in words; null if it does not. Sizes may vary by a factor. */
export function formDifference(
  { bytes, type, keys = [] }: RecordedForm,
  { headers, ...body }: Answered,
): string | null {
  const has = mediaType(headers["content-type"] ?? "");
  // A missing content type equals the default, which is not compared.
  if (type !== undefined && has !== "" && has !== type) return `recorded ${type}, answers ${has}`;
  const size = body.bytes.length;
  if (size * LENGTHS < bytes[0] || size > LENGTHS * bytes[1]) {
    return `recorded ${fromTo(grouped(bytes[0]), grouped(bytes[1]))} bytes, answers ${grouped(size)}`;
  }
  const answered = namesIn(jsonOf(body.text ?? ""), "some");
  const lacks = keys.find((key) => !answered.includes(key));
  return lacks === undefined
    ? null
    : `recorded JSON with key ${JSON.stringify(lacks.slice(0, 60))}, answers without it`;
}
