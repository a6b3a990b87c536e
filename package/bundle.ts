import { buildSync } from "esbuild";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUNDLED } from "./manifest.ts";

/**
 * Bundles libraries that only the driver uses, each with all that it needs in one file, and writes their licences beside them.
 * Some 60 packages less are fetched so.
 * @param imports packages by the names under which package.json of the checkout gives them to modules
 */
export function bundleLibraries(root: string, folder: string, imports: Readonly<Record<string, string>>): void {
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: Object.entries(imports).map(([name, from]) => ({ in: from, out: name.slice(1) })),
    outdir: join(folder, BUNDLED),
    ...{
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      mainFields: ["module", "main"],
      minify: true,
    },
    ...{ metafile: true, logLevel: "error", legalComments: "none" },
  });
  const inside = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const packages = [...new Set(used.flatMap((file) => inside.exec(file)?.[1] ?? []))].sort();
  mkdirSync(join(folder, BUNDLED), { recursive: true });
  writeFileSync(join(folder, BUNDLED, "LICENSES.txt"), packages.map((each) => licenceOf(join(root, each))).join("\n"));
}

/** The name, version and licence of a package. Throws if it has no licence, since it could not be passed on. */
function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (typeof license !== "string") throw new Error(`"${name}" says no licence, so it cannot be bundled`);
  const text = file === undefined ? `${license}\n` : readFileSync(join(folder, file), "utf8");
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
