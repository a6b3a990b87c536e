import { BenchError, EXIT } from "../basics/errors.ts";

/** Where a value was given: on the command line, in a config, or by a program. */
export type Origin =
  | { readonly from: "flag"; readonly option: string }
  | { readonly from: "config"; readonly file: string; readonly path: readonly PropertyKey[] }
  | { readonly from: "library"; readonly key: string };

/** The name of an origin in messages: `--rounds`, `levelfield.config.ts: "rounds"`, `rounds`. */
function originText(origin: Origin): string {
  if (origin.from !== "config") return origin.from === "flag" ? `--${origin.option}` : origin.key;
  return origin.path.length === 0 ? origin.file : `${origin.file}: "${origin.path.map(String).join(".")}"`;
}

/** A value that cannot be taken. It knows where the value was given. */
export class InputError extends BenchError {
  readonly origin: Origin;

  constructor(origin: Origin, message: string, hint: string) {
    super(EXIT.usage, message, hint);
    this.origin = origin;
  }
}

/** Returns the error for a value, with its origin: `--app: there is no file "a.ts"`. */
export const faultAt = (origin: Origin, what: string, hint: string): InputError =>
  new InputError(origin, `${originText(origin)}: ${what}`, hint);

/** Refuses a value: `--rounds "0" is no …`, `levelfield.config.ts: "rounds": 0 is no …`. Objects are not shown. */
export function refused(origin: Origin, value: unknown, what: string, hint: string): InputError {
  const text = typeof value === "object" ? undefined : JSON.stringify(value);
  const shown = text === undefined ? "" : ` ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`;
  const place = `${originText(origin)}${origin.from !== "flag" && shown !== "" ? ":" : ""}`;
  return new InputError(origin, `${place}${shown} ${what}`, hint);
}
