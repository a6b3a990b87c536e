import type { Generator, KnownWrong } from "./generator.ts";

/** Why a version of a generator must not be used for a kind of load, in one line that names it; null when it may. */
export function refusal(
  { name, knownWrong }: Pick<Generator, "name" | "knownWrong">,
  version: string,
  load: KnownWrong["in"],
): string | null {
  const wrong = knownWrong.find((one) => (one.in === "every load" || one.in === load) && isBefore(version, one.before));
  return wrong === undefined ? null : `${name} ${version} cannot be used here: before ${wrong.before} ${wrong.why}`;
}

/** Whether a version comes before another one, by the numbers in it. */
function isBefore(version: string, other: string): boolean {
  const numbers = (text: string) => (text.match(/\d+/g) ?? []).map(Number);
  const [own, limit] = [numbers(version), numbers(other)];
  for (const [n, part] of limit.entries()) {
    if ((own[n] ?? 0) !== part) return (own[n] ?? 0) < part;
  }
  return false;
}
