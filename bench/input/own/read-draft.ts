import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, extname, relative, resolve } from "node:path";
import { usageError } from "../../basics/errors.ts";
import { shellWords } from "../../core/own/shell-words.ts";
import type { OwnDraft, OwnRequest, OwnServer } from "../../record/own-spec.ts";
import { homeOf, sourceHash } from "../../host/source-hash.ts";
import { filesOfCommand } from "./app-source.ts";
import { checkIgnored, checkVariable, parseHeader, parseRequestLine, parseStatuses } from "./request-line.ts";
import { MOST_KINDS, readRequestObject, readRequestsFile } from "./requests-file.ts";

/** An option of the command line with its value, in the order they were given. */
export type GivenOption = readonly [name: string, value: string];

/** Options that name servers of one's own. */
export const SERVER_OPTIONS: readonly string[] = ["app", "command", "target"];

/**
 * Reads what a person gave about servers of their own; null where no server was named. A header or body belongs to the
 * request before it, a header before all requests to all of them. Throws a usage error that names the option.
 */
export function readDraft(given: readonly GivenOption[]): OwnDraft | null {
  if (!given.some(([name]) => SERVER_OPTIONS.includes(name))) return null;
  const all = (name: string) => given.flatMap(([each, value]) => each === name ? [value] : []);
  for (const [name, value] of given) {
    if (value === "") throw usageError(`--${name} needs a value`, "bench run --help");
  }
  const expect = all("expect").map(parseStatuses).flat();
  const { requests, draws } = requestsOf(given);
  return {
    schema: "levelfield.own/1",
    servers: serversOf(given),
    env: [...new Set(all("env").map(checkVariable))],
    requests: requests.map((request) =>
      request.expect !== undefined || expect.length === 0 ? request : { ...request, expect }
    ),
    draws,
    ignore: [...new Set(all("ignore").flatMap((text) => text.split(",")).map(checkIgnored))],
    words: given.filter(([name]) => ["request", "requests", "header", "body", "env", "expect", "ignore"].includes(name))
      .flatMap(([name, value]) => [`--${name}`, value]),
  };
}

function requestsOf(given: readonly GivenOption[]): Pick<OwnDraft, "requests" | "draws"> {
  const requests: OwnRequest[] = [];
  const draws: OwnDraft["draws"] = {};
  const everywhere: Record<string, string> = {};
  let last: OwnRequest | undefined;
  for (const [name, value] of given) {
    if (name === "request" && !isObject(value)) requests.push(last = parseRequestLine(value));
    else if (name === "request" || name === "requests") {
      const read = name === "request" ? readRequestObject(value) : readRequestsFile(value);
      const clash = Object.keys(read.draws).find((each) =>
        each in draws && JSON.stringify(draws[each]) !== JSON.stringify(read.draws[each])
      );
      if (clash !== undefined) {
        throw usageError(`"${clash}" draws one thing here and another in "${value}"`, "rename one");
      }
      Object.assign(draws, read.draws);
      requests.push(...read.requests);
      last = name === "request" ? read.requests[0] : undefined;
    }
    if (name === "header") {
      const [header, text] = parseHeader(value);
      if (last === undefined) everywhere[header] = text;
      else last.headers = { ...last.headers, [header]: text };
    }
    if (name === "body") {
      if (last === undefined) {
        throw usageError(`--body "${value.slice(0, 40)}" comes before a request`, '--request "POST /" --body @file');
      }
      if (last.body !== undefined) throw usageError(`${last.method} ${last.path} has two bodies`, "give it one");
      last.body = bodyOf(value);
    }
  }
  if (requests.length === 0) requests.push({ method: "GET", path: "/" });
  if (requests.length > MOST_KINDS) throw usageError(`more than ${MOST_KINDS} kinds of request`, "leave out some");
  return { requests: requests.map((request) => withHeaders(request, everywhere)), draws };
}

const isObject = (request: string) => request.trimStart().startsWith("{");

function withHeaders(request: OwnRequest, everywhere: Readonly<Record<string, string>>): OwnRequest {
  const headers = { ...everywhere, ...request.headers };
  return Object.keys(headers).length === 0 ? request : { ...request, headers };
}

function bodyOf(text: string): string {
  if (!text.startsWith("@")) return text;
  const file = text.slice(1);
  if (!existsSync(file)) throw usageError(`--body: there is no file "${file}"`, "--body @FILE, or the body itself");
  return readFileSync(file, "utf8");
}

/** `a=./a.ts` is a name and what it names. */
function named(text: string): readonly [name: string | undefined, what: string] {
  const [, name, what] = /^([A-Za-z0-9][\w.-]*)=(.+)$/s.exec(text) ?? [];
  return name === undefined ? [undefined, text] : [name, what!];
}

function serversOf(given: readonly GivenOption[]): OwnServer[] {
  const one = (name: string) => {
    const values = given.flatMap(([each, value]) => each === name ? [value] : []);
    if (values.length > 1) throw usageError(`--${name} is given ${values.length} times`, "give it once");
    return values[0];
  };
  const whole = (name: "port" | "pid", most: number) => {
    const text = one(name);
    const value = text === undefined ? null : Number(text);
    if (value === null || (Number.isInteger(value) && value >= 1 && value <= most)) return value;
    throw usageError(`--${name} "${text}" is no whole number from 1 to ${most}`, "give it as digits");
  };
  const [port, pid, ready = "/"] = [whole("port", 65_535), whole("pid", 2 ** 22), one("ready")];
  const servers = given.flatMap(([option, value]): OwnServer[] => {
    switch (option) {
      case "app":
        return value.split(",").map((text) => appOf(...named(text.trim())));
      case "command":
        return [commandOf(...named(value), port, ready)];
      case "target":
        return [targetOf(...named(value), pid)];
      default:
        return [];
    }
  });
  const refused = (held: boolean, what: string, hint: string) => {
    if (!held) throw usageError(what, hint);
  };
  const count = (kind: OwnServer["kind"]) => servers.filter((server) => server.kind === kind).length;
  refused(port === null || count("command") === 1, "--port belongs to one --command", "put {port} in several commands");
  refused(one("ready") === undefined || count("command") > 0, "--ready belongs to --command", "leave it out");
  refused(ready.startsWith("/"), `--ready "${ready}" is no path`, "--ready /health");
  refused(pid === null || count("target") === 1, "--pid belongs to one --target", "leave it out");
  const names = servers.map(({ name }) => name);
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  refused(twice === undefined, `two servers are named "${twice}"`, "name them: --app a=./a.ts,b=./b.ts");
  return servers;
}

/** A path as it is from the folder the bench was started in. */
export const fromHere = (path: string): string => relative(process.cwd(), path).replaceAll("\\", "/") || ".";
const plainName = (text: string) => text.replaceAll(/[^\w.-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "") || "server";

/** A module as a server of one's own. Throws a usage error where it is not there. */
export function appOf(name: string | undefined, path: string): OwnServer & { readonly kind: "app" } {
  const module = resolve(path);
  if (!existsSync(module)) {
    throw usageError(`--app: there is no file "${path}"`, "--app ./app.ts, or --app name=./app.ts");
  }
  if (statSync(module).isDirectory()) throw usageError(`--app: "${path}" is a folder`, "name the module in it");
  const home = homeOf(module);
  return {
    kind: "app",
    name: name ?? plainName(nameOfModule(module, home)),
    module: fromHere(module),
    home: fromHere(home),
    ...sourceHash(module, home),
    needs: {},
  };
}

/** A module's own name; of one that is called as every other is, that of its folder. */
function nameOfModule(module: string, home: string): string {
  const own = basename(module, extname(module));
  return own === "index" ? basename(home) : own;
}

function commandOf(name: string | undefined, text: string, port: number | null, ready: string): OwnServer {
  const command = shellWords(text);
  if (command === null) throw usageError(`--command "${text}" has a quote that is not closed`, "close it");
  if (command.length === 0) {
    throw usageError(`--command "${text}" names no program`, '--command "python3 server.py {port}"');
  }
  return {
    kind: "command",
    name: name ?? plainName(basename(command[0]!)),
    command,
    port,
    ready,
    files: filesOfCommand(command, process.cwd()),
  };
}

/** Addresses of this machine alone: nothing else is ever loaded. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost)$/;

function targetOf(name: string | undefined, text: string, pid: number | null): OwnServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.protocol !== "http:" || url.port === "" || url.pathname !== "/" || url.search !== "") {
    throw usageError(`--target "${text}" is no address of a server`, "such as --target http://127.0.0.1:8080");
  }
  if (!LOOPBACK.test(url.hostname)) {
    throw usageError(`--target "${text}" is not on this machine: only loopback is loaded`, "http://127.0.0.1:PORT");
  }
  return { kind: "target", name: name ?? `port-${url.port}`, url: url.origin, pid };
}
