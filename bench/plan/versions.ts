/** Order and ranges of version numbers such as `1.2.10` and `1.3.0-canary.4`. */

const numbersOf = (version: string) => version.split(/[-+]/)[0]!.split(".").map(Number);

/**
 * Below 0 where the first version is older, above 0 where it is newer. A missing part is 0, and a pre-release older than
 * its release.
 */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [numbersOf(a), numbersOf(b)];
  for (let n = 0; n < Math.max(one.length, other.length); n++) {
    if ((one[n] ?? 0) !== (other[n] ?? 0)) return (one[n] ?? 0) - (other[n] ?? 0);
  }
  const [pre, otherPre] = [a, b].map((version) => /-([^+]*)/.exec(version)?.[1] ?? "");
  if (pre === "" || otherPre === "") return Number(pre === "") - Number(otherPre === "");
  return pre!.localeCompare(otherPre!, "en", { numeric: true });
}

const NUMBER = String.raw`(?:0|[1-9]\d{0,15})`;
const IDENTIFIER = String.raw`(?:${NUMBER}|\d*[A-Za-z-][\dA-Za-z-]*)`;
const VERSION = new RegExp(`^${NUMBER}(?:\\.${NUMBER}){2}(?:-${IDENTIFIER}(?:\\.${IDENTIFIER})*)?$`);

/**
 * True for one exact version in the form of semver.org, without build metadata: a range, a tag, a path and an address are
 * none.
 */
export const isVersion = (text: string): boolean => text.length <= 100 && VERSION.test(text);

const PART = String.raw`\d+(?:\.\d+){0,2}(?:-[\w.]+)?`;
const RANGE = new RegExp(`^(${PART})(?:\\.\\.(${PART}))?$`);

/** True if a text names versions that {@link requestedVersions} finds: `22`, `1.2`, `1.2..1.4`, `1.2.10..1.2.19`. */
export const isVersionRange = (text: string): boolean => RANGE.test(text);

/**
 * The versions of a list that a text asks for, the oldest first. Between two ends it is the newest of each major, minor or
 * patch, whatever the finer end names; a number by itself asks for the newest below it. Pre-releases only where an end is one.
 */
export function requestedVersions(text: string, all: readonly string[]): string[] {
  const [, low, high = low] = RANGE.exec(text)! as unknown as [string, string, string?];
  const parts = (version: string) => version.split("-")[0]!.split(".").length;
  const cut = (version: string, to: string) => {
    return to.includes("-") || parts(to) > 2 ? version : version.split(/[.-]/).slice(0, parts(to)).join(".");
  };
  const finer = parts(high!) > parts(low!) ? high! : low!;
  const inside = all.filter((version) =>
    (text.includes("-") || !version.includes("-")) &&
    compareVersions(cut(version, low!), low!) >= 0 && compareVersions(cut(version, high!), high!) <= 0
  ).sort(compareVersions);
  return [...Map.groupBy(inside, (version) => cut(version, finer)).values()].map((same) => same.at(-1)!);
}
