import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { orElse } from "../basics/errors.ts";

/** Scripts that package managers run when they install. */
const AT_INSTALL = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare", "dependencies"];

/** Scripts that change no package, or make packages from patches and schemas alone. */
const KNOWN =
  /^(npx\s+)?(husky|lefthook|simple-git-hooks|only-allow|is-ci|true|echo|patch-package|prisma generate)\b[^&;|]*$/;

/** Keys of package.json that change what is installed while the lock file may stay as it is. */
const SETTINGS = ["patchedDependencies", "pnpm", "overrides", "resolutions", "trustedDependencies"];

/** Settings of package managers, patches, and schemas from which Prisma generates its client. */
const SHAPES = /(^|\/)(\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.c?js|pnpm-workspace\.yaml|bunfig\.toml)$|\.(patch|prisma)$/;
const PATCHES = /^(.*\/)?(patches|\.yarn\/patches)\//;

/** Files that no installation reads, as a rule. */
const READ_BY_NOBODY =
  /\.(md|mdx|txt|test\.\w+|spec\.\w+)$|(^|\/)(docs?|tests?|__tests__|\.[^/]+|LICENSE|CHANGELOG)(\/|$)/i;

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

const manifestIn = (file: string): Manifest =>
  orElse(() => JSON.parse(readFileSync(file, "utf8")) as Manifest | null, {}) ?? {};

/** The commands that run when a project is installed, with the scripts of package.json that they call. */
function installScripts({ scripts = {} }: Manifest): string[] {
  const found = new Set<string>();
  const add = (name: string) => {
    const text = scripts[name];
    if (text === undefined || found.has(text)) return;
    found.add(text);
    for (const [, called] of text.matchAll(/\b(?:npm|pnpm|yarn|bun)(?: run)? (?:-\S+ )*([\w:.-]+)/g)) add(called!);
  };
  AT_INSTALL.forEach(add);
  return [...found].filter((text) => !KNOWN.test(text.trim()));
}

const settingsOf = (manifest: Manifest) =>
  JSON.stringify([AT_INSTALL.map((name) => manifest.scripts?.[name]), SETTINGS.map((name) => manifest[name])]);

/** Two trees of one repository, and the paths that differ between them. */
interface Trees {
  readonly root: string;
  readonly other: string;
  readonly changed: readonly string[];
  /** Changed paths that the server opens itself: each revision has its own. */
  readonly opened?: ReadonlySet<string>;
}

/** A changed file from which packages may be made, with the same lock file, for an app in `folders`; null if none. */
export function packageMaker(
  { root, other, changed, opened = new Set() }: Trees,
  folders: readonly string[],
): { readonly path: string; readonly why: string } | null {
  const manifests = folders.map((folder) => join(folder, "package.json"));
  const differing = manifests.find((path) =>
    changed.includes(path) && settingsOf(manifestIn(join(root, path))) !== settingsOf(manifestIn(join(other, path)))
  );
  if (differing !== undefined) {
    return { path: differing, why: "it says what is done to packages when they are installed" };
  }
  const isPatch = (path: string) => {
    const above = PATCHES.exec(path)?.[1];
    return PATCHES.test(path) && existsSync(join(root, above ?? "", "package.json"));
  };
  const shaping = changed.find((path) => SHAPES.test(path) || isPatch(path));
  if (shaping !== undefined) return { path: shaping, why: "packages are made from it when they are installed" };
  const scripts = manifests.flatMap((path) => installScripts(manifestIn(join(root, path))));
  const readable = scripts.length === 0
    ? undefined
    : changed.find((path) =>
      namedBy(scripts, path) || (opened.size > 0 && !opened.has(path) && !READ_BY_NOBODY.test(path) &&
        !manifests.includes(path))
    );
  return readable === undefined
    ? null
    : { path: readable, why: `"${scripts[0]!.slice(0, 60)}", which runs at installation, may read it` };
}

/** True if commands name a file, or the folder that it is in. */
function namedBy(scripts: readonly string[], path: string): boolean {
  const words = scripts.flatMap((text) => text.split(/[\s"'=;&|()]+/)).map((word) => word.replace(/^\.\//, ""));
  const folder = dirname(path);
  return words.some((word) => {
    const named = word.replace(/\/+\*?$/, "");
    return named === path || (named.includes("/") && dirname(named) === folder) ||
      (named !== "" && named !== "." && path.startsWith(`${named}/`));
  });
}
