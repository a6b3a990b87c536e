import { buildSync } from "esbuild";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Builds `@levelfield/statistics` for JSR from a staged package: one module with its library inside, and the compiler's
 * declarations, which JSR asks for where types are not all written out. There a module has an address of https, from which
 * no CommonJS is loaded, and an import has the whole name of its file.
 *
 * @param root of the checkout
 * @param stage the folder of {@link stagePackage}
 * @param folder is emptied before
 */
export function stageStatistics(root: string, stage: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { version, license, dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entry = "bench/engine/statistics";
  const library = join(stage, "bench", "statistics", "logarithms.js");
  const code = readFileSync(library, "utf8");
  const cephes = JSON.stringify(join(root, "node_modules", "cephes", "index.js"));
  const bundled = code.replace('import { createRequire } from "node:module";', `import packed from ${cephes};`)
    .replace('createRequire(import.meta.url)("cephes")', "packed");
  if (!bundled.includes("= packed;") || bundled.includes("createRequire")) {
    throw new Error(`"${library}" does not load its library as it did`);
  }
  writeFileSync(library, bundled);
  try {
    buildSync({
      absWorkingDir: stage,
      entryPoints: [`${entry}.js`],
      outfile: join(folder, "statistics.js"),
      banner: { js: `/* @ts-self-types="./${entry}.d.ts" */` },
      ...{ bundle: true, format: "esm", platform: "node", target: "node20", external: ["zod"] },
      ...{ minifyWhitespace: true, logLevel: "error" },
    });
  } finally {
    writeFileSync(library, code);
  }
  const declared = new Set<string>();
  const declare = (file: string): void => {
    if (declared.has(file)) return;
    declared.add(file);
    const text = readFileSync(join(stage, file), "utf8").replace(/ from "(\.[^"]+)\.ts"/g, (_, path: string) => {
      declare(join(dirname(file), `${path}.d.ts`));
      return ` from "${path}.d.ts"`;
    });
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  declare(`${entry}.d.ts`);
  writeFileSync(join(folder, "LICENSE"), readFileSync(join(root, "LICENSE"), "utf8"));
  const manifest = { name: "@levelfield/statistics", version, license, exports: "./statistics.js" };
  const imports = { zod: `npm:zod@${dependencies.zod}` };
  writeFileSync(join(folder, "deno.json"), JSON.stringify({ ...manifest, imports }, null, 2) + "\n");
}
