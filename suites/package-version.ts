import { readFile } from "node:fs/promises";

/** Version of an installed package, under the name node_modules has it by. Throws where it is not installed. */
export async function packageVersion(name: string): Promise<string> {
  const text = await readFile(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
