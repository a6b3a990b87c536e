import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { shellWords } from "../../core/own/shell-words.ts";

/** Something in a folder that may be measured; what it is told by words for people. */
export type Proposal =
  | { readonly kind: "app"; readonly file: string; readonly why: string }
  | { readonly kind: "command"; readonly words: string; readonly file: string | null; readonly why: string };

/** What a folder holds. */
export interface Looked {
  /** Of its package.json or deno.json; null where neither has one that can name a server. */
  readonly name: string | null;
  /** Frameworks among its packages. */
  readonly frameworks: readonly string[];
  /** The likeliest first. */
  readonly candidates: readonly Proposal[];
}

/** Frameworks whose names are told. */
const FRAMEWORKS = [
  "hono",
  "express",
  "fastify",
  "koa",
  "elysia",
  "h3",
  "polka",
  "@oakserver/oak",
  "itty-router",
  "restify",
];

/** Where apps and servers are kept, besides what package.json and deno.json name. */
const PLACES = ["src/index", "src/app", "src/server", "src/main", "app", "server", "index", "main", "mod"];
const ENDINGS = ["ts", "tsx", "js", "mjs", "jsx"];

/** A module that listens by itself, in the words of the runtimes and frameworks. */
const LISTENS = /\.listen\s*\(|\bDeno\.serve\s*\(|\bBun\.serve\s*\(|(^|[^.\w])serve\s*\(/m;
/** A module with a default export. */
const EXPORTS = /^\s*export\s+default\b|\bas\s+default\b/m;

interface Manifest {
  readonly name?: unknown;
  readonly main?: unknown;
  readonly module?: unknown;
  readonly exports?: unknown;
  readonly scripts?: Readonly<Record<string, unknown>>;
  readonly tasks?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly devDependencies?: Readonly<Record<string, unknown>>;
  readonly imports?: Readonly<Record<string, unknown>>;
}

/** Looks at a folder without starting anything: modules with a default export, commands that start a server, modules that listen. */
export function lookAtFolder(folder: string): Looked {
  const npm = readManifest(join(folder, "package.json"));
  const deno = readManifest(join(folder, "deno.json"));
  const packages = Object.keys({ ...npm.dependencies, ...npm.devDependencies, ...deno.imports });
  const files = modulesOf(folder, npm, deno).map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }));
  const apps = files.filter(({ text }) => EXPORTS.test(text) && !LISTENS.test(text))
    .map(({ file }): Proposal => ({ kind: "app", file, why: `${file} has a default export` }));
  const scripts = [["package.json", npm.scripts?.["start"]], ["deno.json", deno.tasks?.["start"]]] as const;
  const started = scripts.flatMap(([where, script]) =>
    typeof script === "string" ? commandOf(folder, where, script) : []
  );
  const listening = files.filter(({ text }) => LISTENS.test(text)).map(({ file }): Proposal => ({
    kind: "command",
    words: `${runnerOf(folder, file)} ${file}`,
    file,
    why: `${file} listens by itself`,
  }));
  return {
    name: [npm.name, deno.name].map(plainName).find((name) => name !== null) ?? null,
    frameworks: FRAMEWORKS.filter((name) => packages.includes(name)),
    candidates: [...apps, ...started, ...listening],
  };
}

function readManifest(file: string): Manifest {
  try {
    const read: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof read === "object" && read !== null ? read : {};
  } catch {
    return {};
  }
}

const plainName = (name: unknown) =>
  typeof name === "string" ? /^(?:@[^/]+\/)?([A-Za-z0-9][\w.-]*)$/.exec(name)?.[1] ?? null : null;

/** Modules that may be an app or a server, from the folder; those that are named first. */
function modulesOf(folder: string, npm: Manifest, deno: Manifest): string[] {
  const named = [npm.module, npm.main, entryOf(npm.exports), entryOf(deno.exports)]
    .flatMap((path) => typeof path === "string" ? [path.replace(/^\.\//, "")] : []);
  const places = PLACES.flatMap((place) => ENDINGS.map((ending) => `${place}.${ending}`));
  return [...new Set([...named, ...places])].filter((path) => {
    const file = join(folder, path);
    return /\.[cm]?[jt]sx?$/.test(path) && existsSync(file) && statSync(file).isFile();
  });
}

/** The main entry of `exports`. */
function entryOf(exports: unknown): unknown {
  if (typeof exports !== "object" || exports === null) return exports;
  const entry: unknown = (exports as Record<string, unknown>)["."];
  return typeof entry === "object" && entry !== null
    ? Object.values(entry).find((path) => typeof path === "string" && !path.endsWith(".d.ts"))
    : entry;
}

/** A script as a command: its own words where it is one program, else by the runner of scripts. */
function commandOf(folder: string, where: string, script: string): Proposal[] {
  const words = shellWords(script);
  const plain = words !== null && words.length > 0 && !/[&|;<>$`*]|^\w+=/.test(script);
  const [program] = words ?? [];
  const local = plain && existsSync(join(folder, "node_modules", ".bin", program!));
  const run = where === "package.json" ? "npm start --silent" : "deno task --quiet start";
  return [{
    kind: "command",
    words: !plain ? run : local ? `./node_modules/.bin/${script}` : script,
    file: words?.find((word) => /\.[cm]?[jt]sx?$/.test(word)) ?? null,
    why: `${where} starts it with "${script}"`,
  }];
}

/** What a module is run with: what the folder's own files speak for. */
function runnerOf(folder: string, file: string): string {
  const has = (...names: readonly string[]) => readdirSync(folder).some((name) => names.includes(name));
  if (has("deno.json", "deno.jsonc")) return "deno run --allow-all";
  return has("bun.lock", "bun.lockb", "bunfig.toml") || /x$/.test(file) ? "bun run" : "node";
}
