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
import { bundleLibraries } from "./bundle.ts";
import { type Manifest, packageManifest } from "./manifest.ts";
import { absoluteLinks, addressOf, namesOfPackage } from "./names.ts";
import { sourceOf, trackedFiles } from "./packed-files.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Folders whose files other than TypeScript run, too: scripts of generators, styles, servers in other languages. */
const FOLDERS = ["bench", "suites", "servers", "stores"];

/** Papers that go along; their links lead to the repository. */
const PAPERS = ["README.md", "CHANGELOG.md", "docs/library.md"];

/** How a package is built. */
export interface Build {
  /** False where somebody else checks the types of this source: building is faster then. */
  readonly typeCheck?: boolean;
}

/**
 * Builds the package into a folder, which is emptied before: JavaScript and declarations in place of TypeScript, what else
 * runs, and a package.json of its own. The checkout stays as it is. Throws when the source does not pass the type check.
 */
export function stagePackage(folder: string, { typeCheck = true }: Build = {}): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const manifest: Manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const project = join(ROOT, "package");
  tsc("-p", project, "--outDir", folder, ...(typeCheck ? [] : ["--noCheck"]));
  const tracked = trackedFiles(ROOT), declared = declarations(folder, Object.values(manifest.exports));
  for (const file of filesIn(folder)) {
    // The compiler builds every module of these folders.
    const isKept = tracked.has(sourceOf(relative(folder, file))) && (!file.endsWith(".d.ts") || declared.has(file));
    if (!isKept) rmSync(file);
    else if (file.endsWith(".js")) {
      writeFileSync(file, builtCode(readFileSync(file, "utf8"), dirname(relative(folder, file))));
    }
  }
  const others = [...tracked].filter((file) => FOLDERS.some((name) => file.startsWith(`${name}/`)) && isAsset(file));
  for (const file of [...others, "LICENSE"]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(folder, file));
  }
  const packed = packageManifest(manifest, commitOf());
  for (const paper of PAPERS) {
    mkdirSync(dirname(join(folder, paper)), { recursive: true });
    writeFileSync(join(folder, paper), packedPaper(paper, addressOf(packed), manifest.version));
  }
  bundleLibraries(ROOT, folder, manifest.imports);
  chmodSync(join(folder, "package", "levelfield.js"), 0o755);
  writeFileSync(join(folder, "package.json"), JSON.stringify(packed, null, 2) + "\n");
}

const tsc = (...args: readonly string[]) =>
  execFileSync(join(ROOT, "node_modules", ".bin", "tsc"), args, {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });

/** The declarations that a compiler reads for the package's exports, of those built into a folder. */
function declarations(folder: string, sources: readonly string[]): Set<string> {
  const entries = sources.map((source) => join(folder, source.replace(/\.ts$/, ".d.ts")));
  const options = ["--module", "nodenext", "--types", "", "--noEmit", "--listFilesOnly", "--ignoreConfig"];
  return new Set(tsc(...options, ...entries).trim().split("\n"));
}

/** A paper with whole addresses, in which commands are those of the package. */
function packedPaper(paper: string, address: string, version: string): string {
  const text = absoluteLinks(readFileSync(join(ROOT, paper), "utf8"), address, version, dirname(paper));
  return paper === "CHANGELOG.md" ? text : namesOfPackage(text, "npx levelfield");
}

/** Neither source, which is built, nor what only tests and people read. */
const isAsset = (file: string) => !/\.(ts|md)$/.test(file) && !/(^|[/.])golden([/.]|$)/.test(file);

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));

/**
 * Built code whose texts name built files, too: "app.ts" becomes "app.js" where there is a source of that name beside it, and
 * so does a template that ends a path from the module itself. Commands are those of the package.
 * @param directory the folder of the source, from the root
 */
function builtCode(text: string, directory: string): string {
  const built = text
    .replace(
      /(["'])([^"'`\n]+)\.ts\1/g,
      (whole, quote: string, name: string) =>
        existsSync(join(ROOT, directory, `${name}.ts`)) ? `${quote}${name}.js${quote}` : whole,
    )
    .replace(/\.ts`, import\.meta\.url\)/g, ".js`, import.meta.url)");
  return namesOfPackage(built);
}

/** The commit the package is made of, marked where files differ from it; undefined without one. */
function commitOf(): string | undefined {
  if (!existsSync(join(ROOT, ".git"))) return undefined;
  const git = (...args: string[]) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
  if (git("log", "--all", "--max-count=1", "--format=%H") === "") return undefined;
  return git("rev-parse", "HEAD") + (git("status", "--porcelain") === "" ? "" : "-dirty");
}
