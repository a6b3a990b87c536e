import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { orElse, usageError } from "../basics/errors.ts";
import { shellQuoted } from "../basics/shell.ts";
import { findProgram } from "../machine/programs.ts";
import { locateRuntime } from "../runtimes/runtimes.ts";
import { present } from "../basics/present.ts";

/** A runtime as a shell finds it: by its name, or by the path of the one that measures. */
const runtime = (name: "deno" | "bun") =>
  findProgram(name) === undefined ? shellQuoted(orElse(() => locateRuntime(name).file, name)) : name;

const npm = () => "npm ci --prefer-offline --no-audit --no-fund";
const bun = () => `${runtime("bun")} install --frozen-lockfile`;

/** Lock files, each with the command that installs exactly its versions, from the manager's cache if it can. */
const LOCKS: readonly (readonly [name: string, line: (text: string) => string])[] = [
  ["package-lock.json", npm],
  ["npm-shrinkwrap.json", npm],
  ["pnpm-lock.yaml", () => "pnpm install --frozen-lockfile --prefer-offline"],
  ["yarn.lock", (text) => `yarn install ${isBerry(text) ? "--immutable" : "--frozen-lockfile --prefer-offline"}`],
  ["bun.lock", bun],
  ["bun.lockb", bun],
  ["deno.lock", () => `${runtime("deno")} install --frozen`],
];

/** True for a lock file of Yarn 2 or later, which knows other options. */
const isBerry = (text: string) => text.includes("__metadata:");

/** The folders from one of a tree up to its root, as relative paths. */
export function foldersUpTo(root: string, folder: string): string[] {
  const inside = relative(root, folder);
  if (inside === "" || inside.startsWith("..")) return [""];
  return [inside, ...foldersUpTo(root, dirname(folder))];
}

const textOf = (file: string): string | null => orElse(() => readFileSync(file, "utf8"), null);
const jsonAt = (file: string) => orElse(() => JSON.parse(textOf(file) ?? "{}") as Record<string, unknown>, null);
const isFilled = (value: unknown) => Object.keys(value ?? {}).length > 0;

/** Keys of manifests that ask for packages. */
const DEPENDENCY_KEYS: Readonly<Record<string, readonly string[]>> = {
  "package.json": ["dependencies", "devDependencies", "optionalDependencies", "workspaces"],
  "deno.json": ["imports", "workspace"],
  "deno.jsonc": ["imports", "workspace"],
};

/** True if the manifests of a folder ask for packages; also of one that cannot be read. */
const wantsPackages = (folder: string): boolean =>
  existsSync(join(folder, "pnpm-workspace.yaml")) || Object.entries(DEPENDENCY_KEYS).some(([name, keys]) => {
    const manifest = jsonAt(join(folder, name));
    return manifest === null || keys.some((key) => isFilled(manifest[key]));
  });

/** The way a tree's packages are installed. */
export interface Installation {
  /** The folder with the lock file, from the tree's root. */
  readonly folder: string;
  /** The lock file, from the root. */
  readonly lock: string;
  readonly line: string;
}

/**
 * Returns how the packages of a tree are installed, by the nearest lock file; null if no manifest asks for any, and
 * `unlocked` if a package.json has dependencies that no lock file pins.
 *
 * @param folders the app's folder and those above it, from the root
 */
export function installationOf(root: string, folders: readonly string[]): Installation | "unlocked" | null {
  const first = folders.findIndex((folder) => wantsPackages(join(root, folder)));
  if (first < 0) return null;
  for (const folder of folders.slice(first)) {
    for (const [name, line] of LOCKS) {
      const lock = join(folder, name);
      const text = textOf(join(root, lock));
      if (text !== null) return { folder, lock, line: line(text) };
    }
  }
  const manifest = jsonAt(join(root, folders[first]!, "package.json")) ?? {};
  return isFilled(manifest["dependencies"]) ? "unlocked" : null;
}

/** True if two trees have different contents of one lock file, or only one of them has it. */
export const locksDiffer = (root: string, other: string, { lock }: Installation): boolean =>
  textOf(join(root, lock)) !== textOf(join(other, lock));

interface Pinned {
  readonly [key: string]: unknown;
}

const packagesIn = (file: string): Readonly<Record<string, Pinned>> | null =>
  jsonAt(file)?.["packages"] as Record<string, Pinned> | undefined ?? null;

/**
 * Returns true if the installed packages of a tree are those of its lock file: by npm's and pnpm's own copy of it, which
 * stands beside the packages. Other managers keep none: any packages will do.
 */
export function isInstalled(root: string, { folder, lock }: Installation): boolean {
  const packages = join(root, folder, "node_modules");
  if (lock.endsWith("deno.lock")) return true;
  if (!existsSync(packages)) return existsSync(join(root, folder, ".pnp.cjs"));
  if (lock.endsWith("pnpm-lock.yaml")) return textOf(join(packages, ".pnpm", "lock.yaml")) === textOf(join(root, lock));
  if (!lock.endsWith(".json")) return true;
  const there = packagesIn(join(packages, ".package-lock.json")), wanted = packagesIn(join(root, lock));
  if (there === null || wanted === null) return false;
  const isSame = (a: Pinned, b: Pinned) =>
    ["version", "resolved", "integrity"].every((key) =>
      a[key] === undefined || b[key] === undefined || a[key] === b[key]
    );
  const isSpared = ({ dev, optional, devOptional, peer }: Pinned) => [dev, optional, devOptional, peer].includes(true);
  const names = [...new Set([...Object.keys(there), ...Object.keys(wanted)])];
  return names.filter((name) => name.includes("node_modules/")).every((name) => {
    const [one, other] = [there[name], wanted[name]];
    return other !== undefined && (one === undefined ? isSpared(other) : isSame(one, other));
  });
}

/** Names of the packages in a folder's `node_modules`, scoped ones with their scope. */
const packagesOf = (folder: string): string[] =>
  orElse(() => readdirSync(folder), []).filter((name) => !name.startsWith(".")).flatMap((name) =>
    name.startsWith("@") ? orElse(() => readdirSync(join(folder, name)), []).map((inner) => join(name, inner)) : [name]
  );

/** Returns the fields of a package that decide which file is loaded, and its place; null for one of the repository. */
function loadedBy(root: string, path: string): string | null {
  const place = relative(realpathSync(root), orElse(() => realpathSync(path), path));
  if (place.startsWith("..")) return "elsewhere";
  if (!place.split(sep).includes("node_modules")) return null;
  const manifest = orElse(() => JSON.parse(readFileSync(join(path, "package.json"), "utf8")), {});
  const { name, version, type, main, module, exports } = manifest as Readonly<Record<string, unknown>>;
  return JSON.stringify(present({ name, version, type, main, module, exports }));
}

/**
 * Throws a usage error if a package of the work tree is another one than its lock file installs: linked from elsewhere, or
 * put there by hand. The base has what the lock file says, so that the difference would count as the code's.
 */
export function refuseOtherPackages(root: string, base: string, { folder, lock, line }: Installation): void {
  const [yours, installed] = [root, base].map((tree) => join(tree, folder, "node_modules")) as [string, string];
  const other = packagesOf(yours).find((name) => {
    if (!existsSync(join(installed, name))) return false;
    const [mine, theirs] = [loadedBy(root, join(yours, name)), loadedBy(base, join(installed, name))];
    return mine !== null && theirs !== null && mine !== theirs;
  });
  if (other === undefined) return;
  throw usageError(
    `"${join(folder, "node_modules", other)}" of yours is another package than ${lock} installs, which the base has`,
    line,
  );
}
