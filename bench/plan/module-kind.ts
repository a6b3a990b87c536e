/** A module that listens by itself, in the words of the runtimes and frameworks. */
export const LISTENS = /\.listen\s*\(|\bDeno\.serve\s*\(|\bBun\.serve\s*\(|(^|[^.\w])serve\s*\(/m;
/** A module with a default export. */
export const EXPORTS_DEFAULT = /^\s*export\s+default\b|\bas\s+default\b/m;

/** A module of CommonJS that exports, or one that has a function `open`. */
const EXPORTS_OTHERWISE = /\bmodule\.exports\b|\bexports\.\w+\s*=|^\s*export\s+(async\s+)?(function|const)\s+open\b/m;
const OF_SUITES = ["axes", "server", "requests", "oracle"].map((key) => new RegExp(`\\b${key}\\s*[:(,]`));

/** Returns the kind of a module by its source; null if the source leaves it open. */
export function moduleKind(text: string): "suite" | "app" | "program" | null {
  if (OF_SUITES.every((key) => key.test(text))) return "suite";
  const exports = EXPORTS_DEFAULT.test(text) || EXPORTS_OTHERWISE.test(text);
  if (exports === LISTENS.test(text)) return null;
  return exports ? "app" : "program";
}
