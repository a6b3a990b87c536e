/** Files that tell when somebody runs, loads or reads them: what hostile runs name. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The baits that hostile runs may name. */
export interface Baits {
  /** The folder of all of them, outside of every run. */
  readonly folder: string;
  /** Is written when one of them ran. */
  readonly marker: string;
  readonly module: string;
  readonly program: string;
  /** A file and a folder with what nobody may see. */
  readonly secret: string;
  /** Where somebody listens. */
  readonly url: string;
}

/** A line nobody may see. */
export const SECRET_LINE = "a line nobody may see";

/** Puts baits into a folder. */
export function layBaits(folder: string, url: string): Baits {
  mkdirSync(folder, { recursive: true });
  const at = (name: string) => join(folder, name);
  const marker = join(folder, "..", "marker");
  const touch = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker)}, "ran");\n`;
  writeFileSync(at("module.ts"), `${touch}export default {};\n`);
  writeFileSync(at("program.sh"), `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 });
  writeFileSync(at("secret"), `${SECRET_LINE}\n`);
  return { folder, marker, module: at("module.ts"), program: at("program.sh"), secret: at("secret"), url };
}

/** The bait in a run's folder. */
export const besideBaits = "bait-beside.ts";

/** Puts the same baits into the folder commands are started in; each has `bait` in its name, by which it is seen. */
export function layBaitsHere(folder: string, { module, program }: Baits): void {
  cpSync(module, join(folder, "bait.ts"));
  cpSync(program, join(folder, "bait.sh"));
}

/** Files that tools look for where they stand or where a run lies, each of which would run the module. */
export function putBaits(folder: string, { module, program }: Baits): void {
  const loads = `import ${JSON.stringify(module)};\nexport default {};\n`;
  const files: Readonly<Record<string, string>> = {
    "levelfield.config.ts": loads,
    "levelfield.config.js": loads,
    "suite.ts": loads,
    "index.ts": loads,
    "package.json": JSON.stringify({ type: "module", main: module, scripts: { preinstall: program, start: program } }),
    "deno.json": JSON.stringify({ tasks: { start: program }, imports: { zod: module } }),
    "tsconfig.json": JSON.stringify({ compilerOptions: { paths: { zod: [module] } } }),
    "bunfig.toml": `preload = [${JSON.stringify(module)}]\n`,
    ".git/config": `[core]\n\tfsmonitor = ${program}\n\thooksPath = ${program}\n`,
    ".env": `NODE_OPTIONS=--import=${module}\n`,
    "node_modules/zod/package.json": JSON.stringify({ name: "zod", main: "index.js", type: "module" }),
    "node_modules/zod/index.js": loads,
    "node_modules/.bin/node": `#!/bin/sh\nexec '${program}'\n`,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
}
