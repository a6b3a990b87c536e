import { dirname, join, normalize } from "node:path";

/** A route of a server: its method, and its path with parameters as its framework writes them. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

/** The text of each file by its path from the folder, with slashes. */
export type Sources = ReadonlyMap<string, string>;

const VERB = "get|post|put|patch|delete|head|options";
/** `app.get("/x"`, `.post("/x"` of a chain. */
const CALL = new RegExp(`([\\w$]*)\\s*\\.\\s*(${VERB})\\s*(?:<[^>()]*>)?\\(\\s*(["'\`])(/[^"'\`\\s]*)\\3`, "g");
/** `router.route("/x").get(…)`. */
const ROUTE_CALL = new RegExp(
  `([\\w$]*)\\s*\\.\\s*route\\(\\s*(["'\`])(/[^"'\`\\s]*)\\2\\s*\\)\\s*\\.(${VERB})\\s*\\(`,
  "g",
);
/** `{ method: "GET", path: "/x" }` of Hapi and Fastify, in either order. */
const OBJECT = /\bmethod\s*:\s*["'](\w+)["']\s*,\s*(?:path|url)\s*:\s*["'`](\/[^"'`\s]*)["'`]/g;
const OBJECT_TURNED = /\b(?:path|url)\s*:\s*["'`](\/[^"'`\s]*)["'`]\s*,\s*method\s*:\s*["'](\w+)["']/g;
/** `request.url === "/x"`, `case "/x":` of a plain server, and the method named before it in the same line. */
const COMPARED = /^(.*?)(?:\b(?:url|pathname|path)\s*===?\s*|\bcase\s+)["'`](\/[^"'`\s]*)["'`](.*)$/gm;
/** `app.use("/x", …, router)`, `app.route("/x", router)`, with what is mounted last. */
const MOUNT = /([\w$]*)\s*\.\s*(?:use|route)\(\s*["'`](\/[^"'`\s]*)["'`]\s*,([^;{}]*?)\)\s*[;\n.]/g;
/** `app.register(routes, { prefix: "/x" })`, also of Hapi and of an import written out. */
const REGISTER = /([\w$]*)\s*\.\s*register\(\s*([^;{}]+?),\s*\{[^;]*?\bprefix\s*:\s*["'`](\/[^"'`\s]*)["'`]/g;
/** `const router = new Router({ prefix: "/x" })`. */
const OWN_PREFIX =
  /(?:(?:const|let|var)\s+([\w$]+)\s*=\s*)?new\s+[\w$.]+\(\s*\{[^{}]*?\bprefix\s*:\s*["'`](\/[^"'`\s]*)["'`]/g;
const IMPORT = /import\s+(?:([\w$]+)|\{([^}]*)\}|\*\s+as\s+([\w$]+))\s+from\s+["'](\.[^"']*)["']/g;
const REQUIRE =
  /(?:const|let|var)\s+(?:([\w$]+)|\{([^}]*)\})\s*=\s*(?:await\s+)?(?:require|import)\(\s*["'](\.[^"']*)["']/g;
const WRITTEN_OUT = /(?:require|import)\(\s*["'](\.[^"']*)["']\s*\)/;
/** Objects with methods of these names that are no routers. */
const NO_ROUTER =
  /^(axios|http|https|client|api[Cc]lient|request|req|res|reply|response|fetch|got|supertest|agent|cache|map|headers)$/;

interface Mount {
  readonly file: string;
  readonly on: string;
  readonly prefix: string;
  /** A file, or a name in the same file. */
  readonly target: { readonly file: string } | { readonly name: string };
}

/** The routes that a server's source speaks of, each once, with the prefixes its routers are mounted under where they are seen. */
export function routesInSource(sources: Sources): Route[] {
  const mounts = [...sources].flatMap(([file, text]) => mountsIn(file, text, sources));
  const prefixesOf = (file: string, name: string, seen: readonly string[] = []): string[] => {
    const key = `${file} ${name}`;
    if (seen.includes(key)) return [];
    const own = matches(OWN_PREFIX, sources.get(file)!).find(([, named = ""]) => named === name || named === "");
    const local = mounts.filter(({ file: at, target }) => at === file && "name" in target && target.name === name);
    const by = local.length > 0 ? local : mounts.filter(({ target }) => "file" in target && target.file === file);
    const outer = by.flatMap((mount) =>
      prefixesOf(mount.file, mount.on, [...seen, key]).map((prefix) => prefix + mount.prefix)
    );
    return (outer.length > 0 ? outer : [folderPrefix(file, sources)]).map((prefix) => prefix + (own?.[2] ?? ""));
  };
  const found = [...sources].flatMap(([file, text]) =>
    routesOf(text).flatMap(({ on, method, path }) =>
      prefixesOf(file, on).map((prefix) => ({ method, path: `${prefix}${path}`.replace(/(?<=.)\/+$/, "") }))
    )
  );
  return found.filter((route, n) =>
    !/\$\{|\/\//.test(route.path) &&
    found.findIndex((one) => one.method === route.method && one.path === route.path) === n
  );
}

const matches = (pattern: RegExp, text: string) => [...text.matchAll(pattern)];

/** Routes one file speaks of, each with the name it is made on. */
function routesOf(whole: string): (Route & { readonly on: string })[] {
  const text = whole.replaceAll(/\/\*[\s\S]*?\*\/|(?<!\S)\/\/.*$/gm, "");
  const upper = (method: string) => method.toUpperCase();
  return [
    ...matches(CALL, text).flatMap(([, on = "", method, , path]) =>
      NO_ROUTER.test(on) ? [] : [{ on, method: upper(method!), path: path! }]
    ),
    ...matches(ROUTE_CALL, text).map(([, on, , path, method]) => ({ on: on!, method: upper(method!), path: path! })),
    ...matches(OBJECT, text).map(([, method, path]) => ({ on: "", method: upper(method!), path: path! })),
    ...matches(OBJECT_TURNED, text).map(([, path, method]) => ({ on: "", method: upper(method!), path: path! })),
    ...matches(COMPARED, text).map(([, before, path, after]) => ({
      on: "",
      method: /method\s*===?\s*["'](\w+)["']/.exec(`${before} ${after}`)?.[1] ?? "GET",
      path: path!,
    })),
  ];
}

function mountsIn(file: string, text: string, sources: Sources): Mount[] {
  const imported = new Map<string, string>();
  for (const [, one, several, all, path] of matches(IMPORT, text)) name([one, all, several], path!);
  for (const [, one, several, path] of matches(REQUIRE, text)) name([one, several], path!);
  function name(said: readonly (string | undefined)[], path: string) {
    const there = fileOf(file, path, sources);
    if (there === undefined) return;
    for (const word of said.flatMap((each) => each?.split(",") ?? [])) {
      imported.set(word.trim().split(/\s+as\s+|\s*:\s*/).at(-1)!, there);
    }
  }
  const targetOf = (said: string): Mount["target"] => {
    const path = WRITTEN_OUT.exec(said)?.[1];
    const there = path === undefined ? undefined : fileOf(file, path, sources);
    if (there !== undefined) return { file: there };
    const word = said.split(",").at(-1)!.trim().replace(/\W.*$/s, "");
    return imported.has(word) ? { file: imported.get(word)! } : { name: word };
  };
  return [
    ...matches(MOUNT, text).map(([, on, prefix, what]) => ({
      file,
      on: on!,
      prefix: prefix!,
      target: targetOf(what!),
    })),
    ...matches(REGISTER, text).map(([, on, what, prefix]) => ({
      file,
      on: on!,
      prefix: prefix!,
      target: targetOf(what!),
    })),
  ];
}

/** The file a relative import means; undefined where it is none of the sources. */
function fileOf(from: string, path: string, sources: Sources): string | undefined {
  const base = normalize(join(dirname(from), path)).replaceAll("\\", "/");
  const bare = base.replace(/\.[cm]?jsx?$/, "");
  const endings = ["ts", "js", "mjs", "cjs", "mts", "tsx"];
  return [base, ...endings.map((one) => `${bare}.${one}`), ...endings.map((one) => `${base}/index.${one}`)]
    .find((one) => sources.has(one));
}

/** What Fastify's autoload mounts a file under: its folders below `routes`. */
function folderPrefix(file: string, sources: Sources): string {
  const below = /(?:^|\/)routes\/(.+)\/[^/]+$/.exec(file)?.[1];
  const loads = below !== undefined && [...sources.values()].some((text) => text.includes("@fastify/autoload"));
  return loads ? `/${below.replaceAll(/(^|\/)_/g, "$1:")}` : "";
}
