/** Builds the site: `bin/site [FOLDER]`, by default into .data/site of this checkout. */
import { join, resolve } from "node:path";
import { dataFolder } from "../bench/runtimes/project-folders.ts";
import { buildSite } from "./build.ts";

const folder = resolve(process.argv[2] ?? join(dataFolder(), "site"));
try {
  const { pages } = buildSite(folder, process.env);
  process.stdout.write(`${pages} pages in ${folder}\n`);
} catch (error) {
  const { message, hint } = error as Error & { readonly hint?: string };
  process.stderr.write(`error: ${message}\n${hint === undefined ? "" : `  try: ${hint}\n`}`);
  process.exitCode = 1;
}
