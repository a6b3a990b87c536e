import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { packageManifest } from "./manifest.ts";
import { sourceOf, trackedFiles } from "./packed-files.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Folders whose files other than TypeScript run, too: scripts of generators, styles, servers in other languages. */
const FOLDERS = ["bench", "suites", "servers", "stores"];

/** Papers that go along. */
const PAPERS = ["LICENSE", "README.md", "CHANGELOG.md", "docs/library.md"];

/**
 * Builds the package into a folder, which is emptied before: JavaScript and declarations in place of TypeScript, what else
 * runs, and a package.json of its own. The checkout stays as it is. Throws when the source does not pass the type check.
 */
export function stagePackage(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const tsc = join(ROOT, "node_modules", ".bin", "tsc");
  execFileSync(tsc, ["-p", join(ROOT, "package"), "--outDir", folder], { stdio: ["ignore", "inherit", "inherit"] });
  const tracked = trackedFiles(ROOT);
  for (const file of filesIn(folder)) {
    // The compiler builds every module of these folders.
    if (!tracked.has(sourceOf(relative(folder, file)))) rmSync(file);
    else if (/\.(js|d\.ts)$/.test(file)) {
      writeFileSync(file, builtNames(readFileSync(file, "utf8"), originDirectory(folder, file)));
    }
  }
  const others = [...tracked].filter((file) => FOLDERS.some((name) => file.startsWith(`${name}/`)) && isAsset(file));
  for (const file of [...others, ...PAPERS]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(folder, file));
  }
  chmodSync(join(folder, "package", "levelfield.js"), 0o755);
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify(packageManifest(readManifest(), commitOf()), null, 2) + "\n",
  );
}

/** Neither source, which is built, nor what only tests and people read. */
const isAsset = (file: string) => !/\.(ts|md)$/.test(file) && !/(^|[/.])golden([/.]|$)/.test(file);

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));

const originDirectory = (folder: string, file: string) => dirname(join(ROOT, relative(folder, file)));

/**
 * A built file whose texts name built files, too: "app.ts" becomes "app.js" where there is a source of that name beside it,
 * and so does a template that ends a path from the module itself. The compiler has renamed what JavaScript imports, not what
 * declarations do.
 */
export function builtNames(text: string, directory: string): string {
  return text
    .replace(
      /(["'])([^"'`\n]+)\.ts\1/g,
      (whole, quote: string, name: string) =>
        existsSync(join(directory, `${name}.ts`)) ? `${quote}${name}.js${quote}` : whole,
    )
    .replace(/\.ts`, import\.meta\.url\)/g, ".js`, import.meta.url)");
}

function readManifest() {
  return JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
}

/** The commit the package is made of, marked where files differ from it; undefined outside a repository. */
function commitOf(): string | undefined {
  if (!existsSync(join(ROOT, ".git"))) return undefined;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
  return git("rev-parse", "HEAD") + (git("status", "--porcelain") === "" ? "" : "-dirty");
}
