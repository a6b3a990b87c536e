import { relative, resolve } from "node:path";
import type { GivenOption } from "./own/read-draft.ts";
import { optionName } from "../core/axis-options.ts";
import type { Config, ConfigRequest, OneOrMore } from "./config.ts";

const all = <T>(some: OneOrMore<T> | undefined): readonly T[] =>
  some === undefined ? [] : Array.isArray(some) ? some : [some as T];

/** A path of a config as it is from the current folder. */
export const fromHere = (folder: string, path: string): string => relative(process.cwd(), resolve(folder, path)) || ".";

/** Names a server: `a=./a.ts`. */
const servers = (
  option: string,
  given: string | Readonly<Record<string, string>> | undefined,
  path = (text: string) => text,
) =>
  given === undefined
    ? []
    : typeof given === "string"
    ? [[option, path(given)] as const]
    : Object.entries(given).map(([name, what]) => [option, `${name}=${path(what)}`] as const);

/** A path as an option takes it, from the current folder: it is never mistaken for a name. */
export const asPath = (folder: string) => (text: string) => {
  const path = fromHere(folder, text);
  return path.startsWith("/") || path.startsWith(".") ? path : `./${path}`;
};

/** What a config says of servers of one's own, as the command line would say it: by its three kinds of options. */
export function ownWordsOf(config: Config, folder: string): GivenOption[] {
  const given: (readonly GivenOption[])[] = [
    servers("app", config.app, asPath(folder)),
    servers("command", config.command),
    servers("target", config.target),
    (["port", "pid", "ready"] as const).flatMap((name) =>
      config[name] === undefined ? [] : [[name, String(config[name])] as const]
    ),
    Object.entries(config.header ?? {}).map(([name, value]) => ["header", `${name}: ${value}`] as const),
    all(config.request).map((request) => ["request", requestWord(request, folder)] as const),
    all(config.requests).map((file) => ["requests", fromHere(folder, file)] as const),
    (["env", "expect", "ignore"] as const).flatMap((name) =>
      all<string | number>(config[name]).map((value) => [name, String(value)] as const)
    ),
  ];
  return given.flat();
}

/** A request as an option takes it: a line, or JSON. */
function requestWord(request: string | ConfigRequest, folder: string): string {
  if (typeof request === "string") return request;
  const draws = Object.entries(request.draws ?? {}).map((
    [name, draw],
  ) => [name, draw.kind === "rows" ? { ...draw, file: fromHere(folder, draw.file) } : draw]);
  return JSON.stringify(draws.length === 0 ? request : { ...request, draws: Object.fromEntries(draws) });
}

/** Options that are folders. */
const FOLDERS: readonly string[] = ["results", "data"];

/** What a config says of the driver's own options, by their names: a switch is true. */
export function optionsOfConfig(config: Config, folder: string): Map<string, string | true> {
  const options = new Map<string, string | true>();
  for (const key of PLAIN) {
    const value = config[key];
    if (value === undefined || value === false) continue;
    const text = value === true ? true : all<string | number>(value).join(",");
    options.set(optionName(key), FOLDERS.includes(key) ? fromHere(folder, String(text)) : text);
  }
  return options;
}

/** Keys that are options of the same name, with a text or a number as value, or switches. */
export const PLAIN = [
  "quick",
  "thorough",
  "preset",
  "rounds",
  "duration",
  "warmup",
  "warmupLoads",
  "timeout",
  "threads",
  "seed",
  "serverCpus",
  "loadCpus",
  "generator",
  "alone",
  "label",
  "results",
  "data",
  "rate",
  "slo",
  "failOn",
  "requestsPerVisit",
  "visitsPerDay",
  "peakShare",
  "headRoom",
  "think",
] as const satisfies readonly (keyof Config)[];

/** Keys of servers of one's own. */
export const OWN_KEYS = [
  "app",
  "command",
  "target",
  "pid",
  "port",
  "ready",
  "request",
  "requests",
  "header",
  "env",
  "expect",
  "ignore",
] as const satisfies readonly (keyof Config)[];
