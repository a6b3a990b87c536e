import { orElse } from "../basics/errors.ts";
import type { CostLayer } from "../record/explanation-schema.ts";
import type { SourceLayers } from "../../suites/registry.ts";
import type { SampledNode } from "./samples-within.ts";

/** The folders of files, and the kinds of files in them. */
export interface KnownSources {
  readonly layers: SourceLayers;
  /** Absolute folders of the project and of its other revisions. */
  readonly roots: readonly string[];
  /** Absolute folders of servers that a user gave: their files are named from there, so that two revisions have the same names. */
  readonly homes: readonly string[];
}

/** A function, and the layer it belongs to. `file` names no folder of the machine; null if there is none. */
export interface CodePlace {
  readonly name: string;
  readonly file: string | null;
  /** The line it begins at, from 1; absent for what is no file of the user or of a package. */
  readonly line?: number;
  /** `caller`: whoever called it; `binding`: native code behind a function; `unseen`: neither JavaScript nor known code. */
  readonly layer: CostLayer | "caller" | "binding" | "unseen";
}

/** Built-in objects of the language: their functions' cost belongs to the caller. */
const OBJECTS: readonly { readonly name?: string; readonly prototype?: object }[] = [
  ...("Array Boolean Date Error Function Map Math JSON Number Object Promise Proxy Reflect RegExp Set String Symbol WeakMap " +
    "WeakSet BigInt ArrayBuffer DataView Uint8Array").split(" ").map((name) => Reflect.get(globalThis, name)),
  Object.getPrototypeOf(Uint8Array),
];
const LANGUAGE: ReadonlySet<string> = new Set([
  ...OBJECTS.flatMap((object) => [object, object.prototype ?? {}].flatMap((each) => Object.getOwnPropertyNames(each))),
  ...OBJECTS.map(({ name }) => name ?? ""),
  ..."next copyDataProperties parseInt parseFloat isNaN decodeURI encodeURI decodeURIComponent encodeURIComponent"
    .split(" "),
]);

/** Objects of HTTP, which one runtime has as native code. */
const OF_HTTP: ReadonlySet<string> = new Set("Response Request Headers URL fetch Blob ReadableStream".split(" "));

/** Parts of a runtime's JavaScript that serve HTTP: sockets, streams and the objects of fetch with it. */
const HTTP_CODE =
  /^(node:(internal\/)?(deps\/undici|_?https?|_http_|_tls|tls|net|_?stream|streams|stream_base|js_stream|webstreams|url)|ext:deno_(http|net|fetch|tls|websocket)|ext:deno_web\/06_streams|ext:deno_node\/(internal\/(http|streams|stream_base)|_?http|net|_stream|_tls|stream))/;

/** JSON's functions, as servers/native-calls.ts names them. */
const JSON_CALLS = /\/servers\/native-calls\.[jt]s$/;

/** Functions of runtimes that are native code behind JavaScript: patterns of their files, and of names if not all count. */
const IN_FILES: readonly { readonly file: RegExp; readonly names?: readonly string[]; readonly title?: string }[] = [
  { file: JSON_CALLS },
  { file: /^(node:|internal:|ext:deno_node\/)(internal\/)?crypto\b/ },
  // One function name covers all of zlib.
  { file: /^(node:|ext:deno_node\/_?)zlib\b/, title: "zlib" },
  { file: /^(node:internal\/worker\/js_transferable|ext:deno_web\/13_message_port)/, names: ["structuredClone"] },
  { file: /^(node:internal\/deps\/undici|ext:deno_fetch\/23_response)/, names: ["json"], title: "Response.json" },
];

/** The same as Bun names them: native functions without a file. */
const WITHOUT_FILE: ReadonlyMap<string, string> = new Map([
  ...(["parse", "stringify"] as const).map((name) => [name, `JSON.${name}`] as const),
  ...("structuredClone json pbkdf2Sync scryptSync hkdfSync argon2Sync hash createHash createHmac createCipheriv " +
    "createDecipheriv createSign createVerify update digest final sign verify randomBytes randomUUID randomInt " +
    "randomFillSync timingSafeEqual")
    .split(" ").map((name) => [name, name] as const),
]);

/** Returns the name of a sampled function that is a native call on each runtime; null for any other. */
export function nativeCall({ functionName, url }: SampledNode["callFrame"]): string | null {
  if (url === "" || url === "native") return WITHOUT_FILE.get(functionName) ?? null;
  const found = IN_FILES.find(({ file, names }) => file.test(url) && (names?.includes(functionName) ?? true));
  return found === undefined ? null : found.title ?? (functionName || "(anonymous)");
}

/** Returns the layer and the name of a sampled function. */
export function codePlace(frame: SampledNode["callFrame"], sources: KnownSources): CodePlace {
  const { url, lineNumber } = frame;
  const name = (frame.functionName || "(anonymous)").slice(0, 200);
  if (url === "" || url === "native") return { name, file: null, layer: layerOfName(name) };
  if (/^(node|ext|bun|deno|internal|builtin|checkin):/.test(url)) {
    return { name, file: url.slice(0, 200), layer: HTTP_CODE.test(url) ? "runtime-http" : "runtime" };
  }
  if (JSON_CALLS.test(url)) return { name, file: null, layer: "caller" };
  if (/^(wasm|evalmachine|blob|data):?/.test(url)) return { name, file: url.split(":")[0]!, layer: "caller" };
  return { name, ...fileOf(pathOf(url), sources), ...(lineNumber < 0 ? {} : { line: lineNumber + 1 }) };
}

function layerOfName(name: string): CodePlace["layer"] {
  if (name === "(garbage collector)") return "garbage-collection";
  if (/^\((root|program|idle)\)$/.test(name)) return "unseen";
  if (OF_HTTP.has(name)) return "runtime-http";
  // Regular expressions stand as themselves.
  const plain = name.replace(/^(bound|get|set|async) /, "");
  return /^(RegExp: |\/|\(anonymous\)|\(module\))/.test(name) || LANGUAGE.has(plain) ? "caller" : "binding";
}

function pathOf(url: string): string {
  const path = url.replace(/^file:\/\//, "").replace(/[?#].*$/, "");
  return orElse(() => decodeURIComponent(path), path);
}

/** The folder of some that a path is in, with a slash at its end: the innermost. */
const folderOf = (path: string, folders: readonly string[]): string | undefined =>
  folders.map((each) => each.replace(/\/*$/, "/")).filter((each) => path.startsWith(each))
    .toSorted((a, b) => b.length - a.length)[0];

function fileOf(path: string, { layers, roots, homes }: KnownSources): { file: string; layer: CostLayer } {
  const modules = path.lastIndexOf("/node_modules/");
  const [root, home] = [folderOf(path, roots), folderOf(path, homes)];
  if (modules < 0 && (root === undefined || home !== undefined && home.length > root.length)) {
    const file = home === undefined ? path.split("/").slice(-2).join("/") : path.slice(home.length);
    return { file: file.slice(-200), layer: "app" };
  }
  const short = modules >= 0 ? path.slice(modules + 1) : path.slice(root!.length);
  const known = layers.filter(([begin]) => short.startsWith(begin)).toSorted(([a], [b]) => b.length - a.length)[0];
  return {
    file: short.replace(/^node_modules\//, "").slice(-200),
    layer: known?.[1] ?? (modules >= 0 ? "unknown" : "app"),
  };
}
