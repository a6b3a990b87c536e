import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import amaro from "amaro";

/**
 * One script from a typed module and what it imports: types stripped the way Node strips them, each module a function
 * that returns what it exports, in the order they need each other. It knows what the page's modules use: named imports
 * of files, exported functions and constants; anything else is an error, not a surprise in the browser.
 *
 * @throws Error when a module imports a package or exports something else by value
 */
export function linkScript(entry: string): string {
  const names = new Map<string, string>();
  const parts: string[] = [];
  const visit = (file: string): string => {
    const known = names.get(file);
    if (known !== undefined) return known;
    const name = `module${names.size}`;
    names.set(file, name);
    const { code } = amaro.transformSync(readFileSync(file, "utf8"), { mode: "strip-only" });
    const body = code.replace(STANDING, "").replace(IMPORT, (_, clause: string, specifier: string) => {
      if (!specifier.startsWith(".")) throw new Error(`"${file}" imports "${specifier}", which no page can have`);
      // With its types gone, an import of types alone has empty braces left.
      if (!/[\w$]/.test(clause)) return "";
      return `const ${clause.trim().replace(/(\w+)\s+as\s+(\w+)/g, "$1: $2")} = ${
        visit(resolve(dirname(file), specifier))
      };`;
    });
    const exported = [...body.matchAll(EXPORT)].map((match) => match[1]!);
    const rest = body.replace(EXPORT, (text) => text.slice("export ".length));
    if (/^(import|export)\b/m.test(rest)) throw new Error(`"${file}" imports or exports in a way no page can have`);
    parts.push(`const ${name} = (() => {\n${lean(rest)}\nreturn { ${exported.join(", ")} };\n})();`);
    return name;
  };
  visit(entry);
  return `(() => {\n"use strict";\n${parts.join("\n")}\n})();`;
}

/** The charting library stands in the page before this script, under the name it has in modules. */
const STANDING = /^import \* as Plot from "@observablehq\/plot";$/m;
const IMPORT = /^import\s+(\{[^}]*\})\s*from\s*"([^"]+)";/gm;
const EXPORT = /^export (?:async )?(?:function|const) (\w+)/gm;

/** The code without comments and blank lines. */
function lean(code: string): string {
  return code.replace(/^\s*\/\*\*[\s\S]*?\*\/$/gm, "").replace(/[ \t]+$/gm, "").replace(/\n{2,}/g, "\n");
}
