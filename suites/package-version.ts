import { readFile } from "node:fs/promises";

/**
 * Version of an installed package, under the name node_modules has it by: the nearest, as imports find it. Throws where it
 * is not installed.
 */
export async function packageVersion(name: string): Promise<string> {
  for (let folder = new URL("../", import.meta.url);; folder = new URL("../", folder)) {
    try {
      const text = await readFile(new URL(`node_modules/${name}/package.json`, folder), "utf8");
      return (JSON.parse(text) as { version: string }).version;
    } catch (error) {
      if (folder.pathname === new URL("../", folder).pathname) throw error;
    }
  }
}
