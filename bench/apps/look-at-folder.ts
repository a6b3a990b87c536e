import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../basics/errors.ts";
import { EXPORTS_DEFAULT, LISTENS } from "../plan/module-kind.ts";
import { shellWords } from "../basics/shell.ts";

/** A server in a folder that may be measured, and the reason for it in words. */
export type Proposal =
  | { readonly kind: "app"; readonly file: string; readonly why: string }
  /** A program on each runtime: a file with its arguments. */
  | { readonly kind: "program"; readonly words: string; readonly why: string }
  | { readonly kind: "command"; readonly words: string; readonly why: string };

interface Looked {
  /** The name in its package.json or deno.json; null if neither can name a server. */
  readonly name: string | null;
  /** The most likely one first. */
  readonly candidates: readonly Proposal[];
}

/** Frameworks whose default exports are plugins or routers and no fetch handlers: programs come first. */
const LISTENING = ["express", "fastify", "koa", "@hapi/hapi", "polka", "restify"];

/** Usual places of apps other than those in package.json and deno.json. */
const PLACES = ["src/index", "src/app", "src/server", "src/main", "app", "server", "index", "main", "mod"];
const ENDINGS = ["ts", "tsx", "js", "mjs", "jsx"];

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
  const apps = files.filter(({ text }) => EXPORTS_DEFAULT.test(text) && !LISTENS.test(text))
    .map(({ file }): Proposal => ({ kind: "app", file, why: `${file} has a default export` }));
  const scripts = [["package.json", npm.scripts?.["start"]], ["deno.json", deno.tasks?.["start"]]] as const;
  const said = scripts.flatMap(([where, script]) => typeof script === "string" ? [{ where, script }] : []);
  const programs = said.flatMap(({ where, script }) => programOf(folder, where, script));
  const listening = files.filter(({ text }) => LISTENS.test(text)).map(({ file }): Proposal => ({
    kind: "program",
    words: `./${file}`,
    why: `${file} listens by itself`,
  }));
  const commands = said.map(({ where, script }) => commandOf(folder, where, script));
  const ahead = LISTENING.some((name) => packages.includes(name)) ? programs : [];
  const candidates = [...ahead, ...apps, ...programs, ...listening, ...commands];
  const keys = candidates.map(startedBy);
  return {
    name: [npm.name, deno.name].map(plainName).find((name) => name !== null) ?? null,
    candidates: candidates.filter((one, n) => n === keys.indexOf(startedBy(one))),
  };
}

/** The file or words that a proposal starts. */
export const startedBy = (one: Proposal): string =>
  `the ${one.kind} ${one.kind === "app" ? `./${one.file}` : one.words}`;

function readManifest(file: string): Manifest {
  // Reading a pipe would wait for its other end.
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  const read: unknown = isFile ? orElse(() => JSON.parse(readFileSync(file, "utf8")), null) : null;
  return typeof read === "object" && read !== null ? read : {};
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

function entryOf(exports: unknown): unknown {
  if (typeof exports !== "object" || exports === null) return exports;
  const entry: unknown = (exports as Record<string, unknown>)["."];
  return typeof entry === "object" && entry !== null
    ? Object.values(entry).find((path) => typeof path === "string" && !path.endsWith(".d.ts"))
    : entry;
}

/** A script that runs a file which other runtimes can run as well, with no words for its own runtime. */
const RUNS_FILE = /^(?:node|tsx|bun(?: run)?|deno run) (?:\.\/)?([\w./-]+\.[cm]?[jt]sx?(?: [^&|;<>$`*]*)?)$/;

function programOf(folder: string, where: string, script: string): Proposal[] {
  const [, words] = RUNS_FILE.exec(script) ?? [];
  return words === undefined || !existsSync(join(folder, words.split(" ")[0]!))
    ? []
    : [{ kind: "program", words: `./${words}`, why: `${where} starts it with "${script}"` }];
}

/** A script as a command: its words if it is one program, else the runner of scripts. */
function commandOf(folder: string, where: string, script: string): Proposal {
  const words = shellWords(script);
  const plain = words !== null && words.length > 0 && !/[&|;<>$`*]|^\w+=/.test(script);
  const [program] = words ?? [];
  const local = plain && existsSync(join(folder, "node_modules", ".bin", program!));
  const run = where === "package.json" ? "npm start --silent" : "deno task --quiet start";
  return {
    kind: "command",
    words: !plain ? run : local ? `./node_modules/.bin/${script}` : script,
    why: `${where} starts it with "${script}"`,
  };
}
