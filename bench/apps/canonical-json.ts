import { jsonOf } from "../basics/bounded-json.ts";

/** True if a value has fields or items. */
export const hasParts = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/**
 * A text that two texts of JSON share where they differ in the order of keys or in white space alone; null where it is no
 * object and no array. Long numbers, which parsing rounds, are compared by how often each sign comes.
 */
export function canonicalJson(text: string): string | null {
  const value = jsonOf(text);
  if (!hasParts(value)) return null;
  const signs = new Map<string, number>();
  for (const sign of text) if (sign.trim() !== "") signs.set(sign, (signs.get(sign) ?? 0) + 1);
  return JSON.stringify([inOrder(value), [...signs].sort(([a], [b]) => a < b ? -1 : 1)]);
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!hasParts(value)) return value;
  return Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1).map(([key, inner]) => [key, inOrder(inner)]);
}
