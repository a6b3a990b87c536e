import type { z } from "zod";

/** Returns the deepest issue of an error: that of a union says only that no member fits. */
export function deepestIssue(issues: readonly z.core.$ZodIssue[], path: readonly PropertyKey[] = []): z.core.$ZodIssue {
  const [first] = issues, at = [...path, ...first!.path];
  if (first!.code !== "invalid_union") return { ...first!, path: [...at] };
  const inner = first!.errors.filter((each) => each.length > 0).map((each) => deepestIssue(each, at));
  return inner.toSorted((a, b) => b.path.length - a.path.length)[0] ?? { ...first!, path: [...at] };
}

/** Returns in one line where a value is wrong and why: `cells.0.label: …`, or `it: …` for the whole. */
export function issueText(error: z.ZodError): string {
  const { path, message } = deepestIssue(error.issues);
  return `${path.map(String).join(".") || "it"}: ${message}`;
}

/** Words an issue so that it follows the name of its place: an `error` for `safeParse`, where no schema has its own. */
export function issueWording(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "unrecognized_keys":
      return `has no key "${issue.keys[0]}"`;
    case "invalid_union":
      return "has none of the forms it may have";
    case "invalid_type":
      return issue.input === undefined ? "is missing" : `is wrong: expected ${issue.expected}`;
    case "invalid_value":
      return issue.input === undefined
        ? "is missing"
        : `is wrong: expected one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return `is too small: at least ${issue.minimum}`;
    case "too_big":
      return `is too big: at most ${issue.maximum}`;
  }
  return undefined;
}

/** Another format of a stored file than this code reads, in words for people. */
interface FormatFault {
  /** Goes after the file's name: `is of version "levelfield.run/5", …`. */
  readonly what: string;
  /** The next step to try; null for an older format: each kind of file has another hint for it. */
  readonly hint: string | null;
}

const FORMAT = /^(levelfield\.[a-z]+)\/(\d{1,9})$/;

/** Returns how the format of a refused file, or of a part of it, differs from what its schema reads; null if equal. */
export function formatFault(value: unknown, error: z.ZodError): FormatFault | null {
  for (const issue of error.issues) {
    if (issue.path.at(-1) !== "schema" || issue.code !== "invalid_value") continue;
    const found = issue.path.reduce((part: unknown, key) => (part as Record<PropertyKey, unknown>)[key], value);
    const [wanted] = issue.values;
    if (typeof found !== "string") continue;
    const reads = `this Levelfield reads ${String(wanted)}`;
    return isNewer(found, String(wanted))
      ? { what: `is of version "${found}", made by a newer Levelfield; ${reads}`, hint: UPDATE }
      : { what: `is of version "${found}", ${reads}`, hint: null };
  }
  return null;
}

const UPDATE = "update Levelfield and read it again; bench --version says which this is";

function isNewer(found: string, wanted: string): boolean {
  const [read, other] = [FORMAT.exec(found), FORMAT.exec(wanted)];
  return read !== null && other !== null && read[1] === other[1] && Number(read[2]) > Number(other[2]);
}
