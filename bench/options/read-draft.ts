import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { BenchError, usageError } from "../basics/errors.ts";
import { fileHint, fromHere, SCRIPTS } from "../files/near-files.ts";
import { shellQuoted, shellWords } from "../basics/shell.ts";
import { moduleKind } from "../plan/module-kind.ts";
import { homeOf, sourceHash } from "../sources/source-hash.ts";
import { targetFault, type UserDraft, type UserServer } from "../record/user-spec.ts";
import { faultAt, type Origin, refused } from "./origin.ts";
import { lookAtFolder } from "../apps/look-at-folder.ts";
import type { CommandLine } from "./read-line.ts";
import { readAs, type Type } from "./types.ts";
import { filesOfCommand } from "../apps/app-source.ts";
import { draftRequests, type ItemOf, lineOfRequest, requestsIn, type UserItem } from "./draft-requests.ts";
import { WEBSOCKET } from "../process/web-socket.ts";
import { isUserOption, type NamedServer, USER_TYPES, type UserOption } from "./user-options.ts";

/** Reads the value of an option or key. Throws an error that names its place. */
export const userItem = (
  option: UserOption,
  value: unknown,
  origin: Origin,
  folder: string,
  shown?: string,
): UserItem =>
  ({ option, value: readAs(USER_TYPES[option] as never, value, origin, shown), origin, folder }) as UserItem;

/** The options of a command line about the user's servers, in their order. */
export const itemsGiven = (given: CommandLine["given"]): UserItem[] =>
  given.flatMap(([option, word]) => {
    if (!isUserOption(option) || word === "" || word === true) return [];
    const { fromWord } = USER_TYPES[option] as Type;
    const item = userItem(option, fromWord?.(word) ?? word, { from: "flag", option }, process.cwd(), word);
    return [asRequest(item)];
  });

/** Returns the request or body that an option about WebSocket is another word for; any other item as it is. */
function asRequest(item: UserItem): UserItem {
  const { option, value, ...rest } = item;
  if (option === "websocket") return { ...rest, option: "request", value: [`${WEBSOCKET} ${value}`] };
  return option === "message" ? { ...rest, option: "body", value } : item;
}

/** True if an option names a server. */
export const isServer = ({ option }: { readonly option: string }): boolean =>
  ["app", "program", "command", "target"].includes(option);

/**
 * The draft of a spec of the user's servers. A header or body belongs to the request before it, a header
 * before all requests to all of them. Throws an error that names the place of the wrong part.
 * @param items with one server at least
 */
export function draftOf(items: readonly UserItem[]): UserDraft {
  const all = <N extends UserOption>(option: N) => items.filter((item): item is ItemOf<N> => item.option === option);
  const expect = all("expect").flatMap(({ value }) => value);
  const { requests, draws, left_out = [] } = draftRequests(items);
  for (const { value, origin } of all("env")) {
    const unset = value.find((name) => process.env[name] === undefined);
    if (unset !== undefined) throw refused(origin, unset, "is no variable that is set", "set it, or leave it out");
  }
  return {
    schema: "levelfield.own/2",
    servers: serversOf(items, all),
    env: [...new Set(all("env").flatMap(({ value }) => value))],
    requests: requests.map((request) =>
      request.expect !== undefined || expect.length === 0 ? request : { ...request, expect }
    ),
    draws,
    ignore: [...new Set(all("ignore").flatMap(({ value }) => value))],
    given: items.flatMap(givenOf),
    ...(left_out.length === 0 ? {} : { left_out }),
  };
}

/** The option of an item with its values, as on a command line; none for servers. */
function givenOf(item: UserItem): NonNullable<UserDraft["given"]> {
  const { option } = item;
  switch (option) {
    case "request":
      return requestsIn(item).map((one) => [option, lineOfRequest(one)]);
    case "requests":
      return item.value.map((file) => [option, fromHere(resolve(item.folder, file))]);
    case "header":
      return item.value.map(([name, value]) => [option, `${name}: ${value}`]);
    case "expect":
      return [[option, item.value.join(",")]];
    case "body":
    case "first":
    case "env":
    case "ignore":
      return [item.value].flat().map((value) => [option, value]);
    default:
      return [];
  }
}

function serversOf(
  items: readonly UserItem[],
  all: <N extends UserOption>(option: N) => readonly ItemOf<N>[],
): UserServer[] {
  const [port, pid, ready] = [all("port").at(-1), all("pid").at(-1), all("ready").at(-1)];
  const servers = items.flatMap((item): UserServer[] => {
    const at = <S>(make: (one: NamedServer) => S) =>
      (item.value as readonly NamedServer[]).map((one) => readAt(item, one, make));
    switch (item.option) {
      case "app":
        return at(({ name, what }) => appFrom(name, resolve(item.folder, what), what));
      case "program":
        return at((one) => programOf(one, item.folder, port?.value ?? null, ready?.value ?? "/"));
      case "command":
        return at((one) => commandOf(one, port?.value ?? null, ready?.value ?? "/"));
      case "target":
        return at((one) => targetOf(one, pid?.value ?? null));
      default:
        return [];
    }
  });
  const count = (kind: UserServer["kind"]) => servers.filter((server) => server.kind === kind).length;
  const listening = servers.filter((server) => server.kind === "command" || "listens" in server).length;
  const refuse = (item: UserItem | undefined, holds: boolean, what: string, hint: string) => {
    if (item !== undefined && !holds) throw refused(item.origin, undefined, what, hint);
  };
  refuse(port, listening === 1, "belongs to one --program or --command", "have several read PORT");
  refuse(ready, listening > 0, "belongs to --program or --command", "leave it out");
  refuse(pid, count("target") === 1, "belongs to one --target", "leave it out");
  const names = servers.map(({ name }) => name);
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined) throw usageError(`two servers are named "${twice}"`, "name them: --app a=./a.ts,b=./b.ts");
  return servers;
}

function readAt<S>({ origin }: UserItem, one: NamedServer, make: (one: NamedServer) => S): S {
  try {
    return make(one);
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    throw faultAt(origin, error.message, error.hint ?? "docs/your-own-app.md");
  }
}

/** The app of a path: a module, or the one in a folder. Throws a usage error if it is no app. */
function appFrom(name: string | undefined, path: string, typed: string) {
  if (existsSync(path) && statSync(path).isDirectory()) return appOf(name, moduleIn(path, typed), typed);
  const kind = existsSync(path) ? moduleKind(readFileSync(path, "utf8")) : null;
  if (kind === "program") {
    throw usageError(`"${typed}" listens by itself: it is a program`, `--program ${shellQuoted(typed)}`);
  }
  if (kind === "suite") throw usageError(`"${typed}" is a suite, no app`, `bench run ${shellQuoted(typed)}`);
  return appOf(name, path, typed);
}

/** The app's module in a folder. Throws a usage error that names other candidates. */
function moduleIn(folder: string, typed: string): string {
  const [first] = lookAtFolder(folder).candidates;
  if (first?.kind === "app") return join(folder, first.file);
  const hint = first?.kind === "program"
    ? `--program ${shellQuoted(`./${join(fromHere(folder), first.words)}`)}`
    : "name the module that exports it: --app ./app.ts";
  throw usageError(`the folder "${typed}" has no app${first === undefined ? "" : `: ${first.why}`}`, hint);
}

const plainName = (text: string) => text.replaceAll(/[^\w.-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "") || "server";

/**
 * A module as a user's server. Throws a usage error if it is not there.
 * @param typed its path as the user wrote it
 */
export function appOf(name: string | undefined, path: string, typed = path): UserServer & { readonly kind: "app" } {
  const module = resolve(path);
  if (!existsSync(module)) {
    const hint = fileHint("--app", path, SCRIPTS, "--app ./FILE, or --app name=./FILE");
    throw usageError(`there is no file "${typed}"`, hint);
  }
  if (statSync(module).isDirectory()) throw usageError(`"${typed}" is a folder`, "name the file in it");
  const home = homeOf(module), base = basename(module, extname(module));
  return {
    kind: "app",
    name: name ?? plainName(base === "index" ? basename(home) : base),
    module: fromHere(module),
    home: fromHere(home),
    ...sourceHash(module, home),
    needs: {},
  };
}

/** Commands that start a runtime: `--program` is refused if it begins with one. */
const RUNTIME_WORDS = /^(node|deno|bun|tsx|ts-node|nodemon|npm|npx|pnpm|yarn)$/;

/** A program that listens, with its arguments, as a user's server. Throws a usage error if its file is not there. */
function programOf({ name, what }: NamedServer, folder: string, port: number | null, ready: string): UserServer {
  const [file, ...args] = wordsIn(what, "--program ./server.js");
  if (RUNTIME_WORDS.test(file)) {
    throw usageError(`"${what}" begins with "${file}"`, 'name the file alone, or --command "..." for one runtime');
  }
  const path = resolve(folder, file);
  if (!existsSync(path)) {
    const hint = buildHint(path) ?? fileHint("--program", path, SCRIPTS, "--program ./FILE");
    throw usageError(`there is no file "${file}"`, hint);
  }
  return { ...appOf(name, path, file), listens: { args, ready, port } };
}

/** The command that builds a missing file, if its package has a script `build`. */
function buildHint(path: string): string | undefined {
  try {
    const home = homeOf(path);
    const { scripts } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    return typeof scripts?.build === "string" ? `build it first: npm run build in ${fromHere(home)}` : undefined;
  } catch {
    return undefined;
  }
}

function commandOf({ name, what }: NamedServer, port: number | null, ready: string): UserServer {
  const command = wordsIn(what, '--command "python3 server.py {port}"');
  const files = filesOfCommand(command, process.cwd());
  return { kind: "command", name: name ?? plainName(basename(command[0])), command, port, ready, files };
}

function wordsIn(what: string, hint: string): [string, ...string[]] {
  const words = shellWords(what);
  if (words === null) throw usageError(`"${what}" has a quote that is not closed`, "close it");
  const [first, ...others] = words;
  if (first === undefined) throw usageError(`"${what}" names no program`, hint);
  return [first, ...others];
}

function targetOf({ name, what }: NamedServer, pid: number | null): UserServer {
  const fault = targetFault(what);
  if (fault !== null) throw usageError(`"${what}" ${fault.what}`, fault.hint);
  const url = new URL(what);
  return { kind: "target", name: name ?? `port-${url.port}`, url: url.origin, pid };
}
