/** Returns a failed check in one line, and what to do about it. */
import { AssertionError } from "node:assert";
import { firstLine } from "./user-driver.ts";

/** `"text"`, shortened; `undefined` and functions by name. */
function shown(value: unknown): string {
  const text = typeof value === "function" ? "a function" : JSON.stringify(value) ?? String(value);
  return text.length > 90 ? `${text.slice(0, 90)}…` : text;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** One line for what a check threw: what was expected and what came, for objects the first field that differs. */
export function failureInWords(error: unknown): string {
  if (!(error instanceof AssertionError) || !("actual" in error) || error.operator === "fail") return firstLine(error);
  const { actual, expected, generatedMessage } = error;
  if (!generatedMessage) return firstLine(error);
  if (isRecord(actual) && isRecord(expected)) {
    const fields = [...new Set([...Object.keys(expected), ...Object.keys(actual)])];
    const field = fields.find((name) =>
      shown(actual[name]) !== shown(expected[name]) || actual[name] !== expected[name]
    );
    if (Object.keys(actual).length === 0 && fields.length > 0) return "it found nobody, expected a user";
    if (field !== undefined) return `${field} is ${shown(actual[field])}, expected ${shown(expected[field])}`;
  }
  if (expected === undefined) return `it found ${shown(actual)}, expected undefined`;
  return `it answered ${shown(actual)}, expected ${shown(expected)}`;
}
