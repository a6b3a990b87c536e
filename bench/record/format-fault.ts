import type { z } from "zod";

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
