import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

const LOCKS = [
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "bun.lockb",
  "deno.lock",
];

const PACKAGES = "node_modules";

/** The folders from one of a tree up to its root, as relative paths. */
export function upwards(root: string, folder: string): string[] {
  const inside = relative(root, folder);
  if (inside === "" || inside.startsWith("..")) return [""];
  return [inside, ...upwards(root, dirname(folder))];
}

const textOf = (file: string): string | null => existsSync(file) ? readFileSync(file, "latin1") : null;

/** The packages a package.json names, if no lock file pins them. */
function wishesOf(file: string): string | null {
  const text = textOf(file);
  if (text === null) return null;
  try {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = JSON.parse(text);
    return JSON.stringify([dependencies, devDependencies, optionalDependencies, peerDependencies]);
  } catch {
    return text;
  }
}

/** The file that makes two trees want different packages for an app in `home`: a lock file, else a package.json. */
export function packagesDiffer(root: string, other: string, home: string): string | null {
  const folders = upwards(root, home);
  const locks = folders.flatMap((folder) => LOCKS.map((name) => join(folder, name)))
    .filter((path) => existsSync(join(root, path)) || existsSync(join(other, path)));
  const differing = locks.find((path) => textOf(join(root, path)) !== textOf(join(other, path)));
  if (differing !== undefined || locks.length > 0) return differing ?? null;
  return folders.map((folder) => join(folder, "package.json"))
    .find((path) => wishesOf(join(root, path)) !== wishesOf(join(other, path))) ?? null;
}

/**
 * Links a tree's installed packages into another tree of the same repository. A package that is a folder of the repository
 * becomes the other tree's folder: else it would run the first one's code. Returns true if it lent any.
 */
export function lendPackages(root: string, other: string): boolean {
  const folders = foldersWithPackages(root).filter((folder) => {
    const to = join(other, relative(root, folder));
    return existsSync(to) && !existsSync(join(to, PACKAGES));
  });
  for (const folder of folders) lendFolder(root, other, join(folder, PACKAGES));
  return folders.length > 0;
}

function foldersWithPackages(root: string): string[] {
  const found: string[] = [];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === PACKAGES) found.push(folder);
      else if (entry.isDirectory() && !entry.name.startsWith(".")) folders.push(join(folder, entry.name));
    }
  }
  return found;
}

function lendFolder(root: string, other: string, from: string): void {
  const to = join(other, relative(root, from));
  mkdirSync(to, { recursive: true });
  for (const { name } of readdirSync(from, { withFileTypes: true })) {
    const path = join(from, name);
    if (name.startsWith("@")) lendFolder(root, other, path);
    else if (existsSync(path)) {
      const inside = folderInside(root, path);
      const target = inside === null ? path : join(other, inside);
      if (existsSync(target)) symlinkSync(target, join(to, name));
    }
  }
}

/** Returns the true path of a package, from the root of its repository; null for an installed one. */
function folderInside(root: string, path: string): string | null {
  const real = relative(root, realpathSync(path));
  return real.startsWith("..") || real.split(sep).includes(PACKAGES) ? null : real;
}

/** Settings that projects keep out of git, and many apps do without in silence. */
const DOTENV = /^\.env(\.[\w.-]+)?$/;

/** The settings files in some folders of a tree that another tree does not have, from the root. */
export function settingsLacking(root: string, other: string, folders: readonly string[]): string[] {
  return folders.filter((folder) => existsSync(join(other, folder))).flatMap((folder) =>
    readdirSync(join(root, folder)).filter((name) => DOTENV.test(name)).map((name) => join(folder, name))
      .filter((path) => !existsSync(join(other, path)))
  );
}
