import { areInstalled, packageFacts } from "../npm-package.ts";
import type { ValueFacts } from "../suite.ts";

/**
 * Facts of a library, known without loading it. `packages` are the imports of its file in libraries/; the first gives
 * its version.
 */
interface LibraryFacts {
  readonly title: string;
  readonly packages: readonly string[];
  /** The language of its page. */
  readonly style: string;
}

const CALLS = "elements made by calls, as a compiler makes them of JSX";

/** The libraries, in the order tables show them. Each has its page in libraries/; all were tried on every runtime. */
export const LIBRARIES: Readonly<Record<string, LibraryFacts>> = {
  react: { title: "React", packages: ["react-dom", "react"], style: CALLS },
  preact: { title: "Preact", packages: ["preact-render-to-string", "preact"], style: CALLS },
  solid: { title: "Solid", packages: ["solid-js"], style: "what its compiler makes for servers, written by hand" },
  vue: { title: "Vue", packages: ["vue"], style: "render functions with h(), without its compiler" },
  "hono-jsx": { title: "hono/jsx", packages: ["hono"], style: CALLS },
};

/** Title, version and style of a library; the version is that of the installed package. */
export function describeLibrary(name: string): ValueFacts {
  const { title, packages, style } = LIBRARIES[name]!;
  return { title, ...packageFacts(packages[0]!), style };
}

/** True, or that packages are missing: the library's, or the parser that documents are compared with. */
export const isInstalled = (name: string): true | string => areInstalled(...LIBRARIES[name]!.packages, "parse5");
