/** The sources of the project, as tests of its rules read them. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** A source with its place. */
export interface Source {
  /** From the project's folder, with slashes. */
  readonly path: string;
  readonly text: string;
}

/** True for tests and what they use. */
export const isTest = (path: string) => path.endsWith(".test.ts") || path.startsWith("tests/");

/** Returns the sources in a folder of the project, at any depth. */
export function sourcesIn(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .flatMap((each) => each.isFile() && /\.(ts|lua|css)$/.test(each.name) ? join(each.parentPath, each.name) : [])
    .map((file) => ({ path: relative(ROOT, file).replaceAll("\\", "/"), text: readFileSync(file, "utf8") }));
}

/** Returns the text without its comments; what looks like one inside a string goes too, which no rule minds. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[\s;,({])\/\/.*$/gm, "$1");
}
