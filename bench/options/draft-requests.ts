import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Body } from "../../suites/suite.ts";
import { bodyBytes, bodyOfBytes } from "../basics/body-bytes.ts";
import { usageError } from "../basics/errors.ts";
import { fromHere } from "../files/near-files.ts";
import { headerFault } from "../generators/request-mix.ts";
import type { UserDraft, UserRequest } from "../record/user-spec.ts";
import { faultAt, type Origin, refused } from "./origin.ts";
import { readAs, ValueFault, type ValueOf } from "./types.ts";
import { WEBSOCKET } from "../process/web-socket.ts";
import { joinedHeaders, MOST_BODY_BYTES, unsendable } from "../apps/sendable-request.ts";
import { USER_TYPES, type UserOption } from "./user-options.ts";
import { MOST_KINDS, readRequest, type ReadRequests, readRequestsFile } from "./read-request.ts";

/** Bytes of all bodies together; {@link unsendable} has the limit of one. */
const MOST_BODIES_BYTES = 4 * MOST_BODY_BYTES;

/** One option or key about the user's servers, read as its type. */
export type UserItem = {
  [N in UserOption]: {
    readonly option: N;
    readonly value: ValueOf<(typeof USER_TYPES)[N]>;
    readonly origin: Origin;
    /** The folder of its relative paths. */
    readonly folder: string;
  };
}[UserOption];
export type ItemOf<N extends UserOption> = Extract<UserItem, { readonly option: N }>;

/** The requests of an option or key. Throws an error that names the place of a wrong one. */
export const requestsIn = ({ value, origin, folder }: ItemOf<"request">): ReadRequests[] =>
  value.map((one, n) => {
    const read = readRequest(one, folder);
    if (!(read instanceof ValueFault)) return read;
    const within = { read: () => new ValueFault(read.what, [...(value.length > 1 ? [n] : []), ...read.path]) };
    return readAs({ ...USER_TYPES.request, ...within }, value.length > 1 ? value : one, origin) as never;
  });

/** A request as a word of the command line. */
export function lineOfRequest({ requests: [request], draws }: ReadRequests): string {
  const { method, path, body, ...others } = request!;
  const plain = body === undefined && Object.keys(others).length === 0 && Object.keys(draws).length === 0;
  if (plain) return `${method} ${path}`;
  const written = typeof body === "object" ? { body_base64: body.base64 } : { body };
  return JSON.stringify({ ...others, method, path, ...written, ...(Object.keys(draws).length > 0 && { draws }) });
}

/**
 * The requests of a user, with their headers, bodies and draws. Throws an error that names the place of the wrong
 * part was given.
 */
export function draftRequests(items: readonly UserItem[]): Pick<UserDraft, "requests" | "draws" | "left_out"> {
  const requests: UserRequest[] = [];
  const draws: UserDraft["draws"] = {};
  const leftOut: string[] = [];
  const asRecorded: UserRequest[] = [];
  /** Headers of all requests, by where they were given; and those given after a request. */
  const everywhere = new Map<Origin["from"], HeaderPair[]>();
  const after = new Map<UserRequest, HeaderPair[]>();
  let last: UserRequest | undefined;
  const add = (read: ReadRequests, origin: Origin) => {
    const clash = Object.keys(read.draws).find((each) =>
      each in draws && JSON.stringify(draws[each]) !== JSON.stringify(read.draws[each])
    );
    if (clash !== undefined) throw faultAt(origin, `"${clash}" draws one thing here and another before`, "rename one");
    Object.assign(draws, read.draws);
    requests.push(...read.requests.map((request) => ({ ...request })));
    leftOut.push(...read.leftOut ?? []);
    if (read.leftOut !== undefined) asRecorded.push(...requests.slice(-read.requests.length));
  };
  for (const item of items) {
    const { option, value, origin, folder } = item;
    if (option === "request") {
      for (const read of requestsIn(item)) add(read, origin);
      last = requests.at(-1);
    } else if (option === "requests") {
      for (const file of value) add(readRequestsFile(fromHere(resolve(folder, file))), origin);
      last = undefined;
    } else if (option === "header") {
      for (const [name, text] of value) {
        const fault = headerFault(name, text);
        if (fault !== null) throw faultAt(origin, `header "${name}" ${fault}`, "docs/your-own-app.md");
      }
      if (last === undefined) everywhere.set(origin.from, [...everywhere.get(origin.from) ?? [], ...value]);
      else after.set(last, [...after.get(last) ?? [], ...value]);
    } else if (option === "body" || option === "first") {
      if (last === undefined) {
        const word = origin.from === "flag" ? origin.option : option;
        const order = word === "body" ? '--request "POST /" --body @file' : `--websocket /chat --${word} TEXT`;
        throw refused(origin, value, "comes before a request", order);
      }
      if (last[option] !== undefined) {
        throw usageError(
          `${last.method} ${last.path} has two ${option === "body" ? "bodies" : "first messages"}`,
          "give it one",
        );
      }
      last[option] = bodyOf(value, option);
      const fault = unsendable({ method: last.method, [option]: last[option] });
      if (fault !== null) throw refused(origin, value, fault.what, `--${option} @FILE, or the text itself`);
    }
  }
  if (requests.length === 0) requests.push({ method: "GET", path: "/" });
  if (requests.some(({ method }) => method === WEBSOCKET)) {
    if (requests.length > 1) {
      throw usageError("a message over a WebSocket is measured by itself", "leave out the other requests");
    }
    if (Object.keys(draws).length > 0) {
      throw usageError("a message over a WebSocket draws nothing", "leave out its draws");
    }
  }
  if (requests.length > MOST_KINDS) throw usageError(`more than ${MOST_KINDS} kinds of request`, "leave out some");
  for (const request of asRecorded) keepBraces(request, Object.keys(draws));
  const ofAll = [...everywhere.values()].map(joined).reduce(overlaid, {});
  const withHeaders = (request: UserRequest): UserRequest => {
    const headers = [ofAll, request.headers ?? {}, joined(after.get(request) ?? [])].reduce(overlaid);
    return Object.keys(headers).length === 0 ? request : { ...request, headers };
  };
  const all = requests.map(withHeaders);
  const bytes = all.reduce(
    (sum, { body = "", first = "" }) => sum + bodyBytes(body).length + bodyBytes(first).length,
    0,
  );
  if (bytes > MOST_BODIES_BYTES) {
    const what = `bodies of ${bytes} bytes in all, more than ${MOST_BODIES_BYTES}`;
    throw usageError(what, "leave out some, or send smaller ones");
  }
  return { requests: all, draws, left_out: leftOut };
}

/** Escapes braces of a recording, which would be draws of another request. */
function keepBraces(request: UserRequest, draws: readonly string[]): void {
  const drawn = (text: string) => draws.find((name) => text.includes(`{${name}}`));
  const { method, path, headers = {}, body } = request;
  const name = Object.values(headers).map(drawn).find((each) => each !== undefined);
  if (name !== undefined) {
    const what = `${method} ${path}: a recorded header holds {${name}}, which is a draw`;
    throw usageError(what, "give the draw another name");
  }
  if (typeof body !== "string" || drawn(body) === undefined) return;
  request.body = { base64: Buffer.from(body, "utf8").toString("base64") };
}

type HeaderPair = readonly [name: string, value: string];

function joined(pairs: readonly HeaderPair[]): Readonly<Record<string, string>> {
  const headers = joinedHeaders(pairs);
  if (typeof headers === "string") throw usageError(headers, "give it once");
  return headers;
}

/** Headers over others of the same names, ignoring case. */
function overlaid(under: Readonly<Record<string, string>>, over: Readonly<Record<string, string>>) {
  const names = Object.keys(over).map((name) => name.toLowerCase());
  return {
    ...Object.fromEntries(Object.entries(under).filter(([name]) => !names.includes(name.toLowerCase()))),
    ...over,
  };
}

function bodyOf(text: string, option: "body" | "first"): Body {
  if (!text.startsWith("@")) return text;
  const file = text.slice(1);
  if (!existsSync(file)) {
    throw usageError(`--${option}: there is no file "${file}"`, `--${option} @FILE, or the text itself`);
  }
  if (statSync(file).isDirectory()) throw usageError(`--${option}: "${file}" is a folder`, `--${option} @FILE`);
  return bodyOfBytes(readFileSync(file));
}
