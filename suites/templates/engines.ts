import { areInstalled, packageFacts } from "../npm-package.ts";
import type { ValueFacts } from "../suite.ts";

/** Facts of an engine, known without loading it. */
interface Engine {
  readonly title: string;
  /** Its package; null where there is none. */
  readonly package: string | null;
  /** Its kind of template, in words. */
  readonly style: string;
}

/** Renders nothing: the baseline. */
export const NONE = "none";

/** The engines, in the order tables show them. Each but `none` has its pages in engines/. */
export const ENGINES: Readonly<Record<string, Engine>> = {
  [NONE]: { title: "none, JSON", package: null, style: "no template" },
  "hono-html": { title: "hono/html", package: "hono", style: "tagged template literals" },
  "hono-jsx": { title: "hono/jsx", package: "hono", style: "a tree of elements for each page" },
  eta: { title: "Eta", package: "eta", style: "templates compiled to functions" },
  liquidjs: { title: "LiquidJS", package: "liquidjs", style: "templates parsed once and walked, synchronously" },
};

/** Title, version and style of an engine; the version is that of the installed package. */
export function describeEngine(name: string): ValueFacts {
  const { title, package: of, style } = ENGINES[name]!;
  return { title, ...packageFacts(of), style };
}

/** True, or that an engine's package is missing. */
export function isInstalled(name: string): true | string {
  const { package: of } = ENGINES[name]!;
  return of === null ? true : areInstalled(of);
}
