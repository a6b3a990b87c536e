import type { z } from "zod";

/** Reads what a generator wrote as JSON against a schema. Throws an Error in one line that names the generator and the place. */
export function readReport<T>(name: string, text: string, schema: z.ZodType<T>): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Error(text.trim() === "" ? `${name} printed nothing` : `${name} printed no JSON, or half of it`, {
      cause,
    });
  }
  const { data, error } = schema.safeParse(json);
  if (data !== undefined) return data;
  const { path, message } = error!.issues[0]!;
  throw new Error(`what ${name} printed is wrong at "${path.join(".")}": ${message}`);
}

/** The groups of the first match in a text. Throws an Error in one line when there is none. */
export function findIn(name: string, text: string, pattern: RegExp, what: string): readonly string[] {
  const match = pattern.exec(text);
  if (match === null) {
    throw new Error(text.trim() === "" ? `${name} printed nothing` : `${name} does not say ${what}`);
  }
  return match.slice(1);
}

/** Milliseconds as whole seconds, rounded up: what most generators take. */
export const wholeSeconds = (ms: number): number => Math.ceil(ms / 1000);
