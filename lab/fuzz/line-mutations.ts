/** Mutations of a request line: path, query, method, version. */
import { ALONE, KEPT, type Manner, type Mutation, oneOf, type Tools } from "./exchange.ts";
import { byteString, headerLines, headOf, type PlainRequest, written } from "./plain-request.ts";

/** The path with something of the choices put where the last segment begins, within it, or in place of it. */
function inPath(choices: readonly string[]): Mutation {
  return (request, tools) => {
    const sign = oneOf(choices, tools);
    const at = request.path.lastIndexOf("/") + 1;
    const [front, last] = [request.path.slice(0, at), request.path.slice(at)];
    const middle = Math.floor(last.length / 2);
    const path = oneOf([
      front + sign + last,
      front + last.slice(0, middle) + sign + last.slice(middle),
      front + last + sign,
      front + sign,
    ], tools);
    return sent({ ...request, path }, KEPT);
  };
}

/** In place of the whole path. */
function asPath(make: (request: PlainRequest, tools: Tools) => string, manner: Manner = KEPT): Mutation {
  return (request, tools) => sent({ ...request, path: make(request, tools) }, manner);
}

const sent = (request: PlainRequest, manner: Manner) => ({
  method: request.method,
  bytes: written(request),
  manner,
});

/** A query behind a path that may have one. */
function withQuery(choices: readonly string[], manner: Manner = KEPT): Mutation {
  return (request, tools) => {
    const query = oneOf(choices, tools);
    return sent({ ...request, path: request.path + (request.path.includes("?") ? "&" : "?") + query }, manner);
  };
}

/** In place of the method. */
function asMethod(choices: readonly string[], manner: Manner): Mutation {
  return (request, tools) => sent({ ...request, method: oneOf(choices, tools) }, manner);
}

/** In place of the whole first line. */
function asLine(make: (request: PlainRequest, tools: Tools) => string): Mutation {
  return (request, tools) => ({
    method: request.method,
    bytes: headOf([make(request, tools), ...headerLines(request)]) + (request.body ?? ""),
    manner: ALONE,
  });
}

const inVersion = (choices: readonly string[]) =>
  asLine(({ method, path }, tools) => `${method} ${path} ${oneOf(choices, tools)}`);

const repeated = (text: string, lengths: readonly number[]) => lengths.map((length) => text.repeat(length));

/** Mutations of the first line, by name. */
export const LINE_MUTATIONS: Readonly<Record<string, Mutation>> = {
  "path: broken percent-encoding": inPath(["%", "%2", "%zz", "%u0041", "%%", "%-1", "%4"]),
  "path: percent-encoding that is not UTF-8": inPath("%ff %c0%af %ed%a0%80 %f8%80%80%80%80 %80 %e2%82".split(" ")),
  "path: encoded NUL and control characters": inPath(["%00", "%0a", "%0d%0a", "%1b", "%7f"]),
  "path: encoded letters": inPath(["%41", "%7e", "%2d", "%C3%A9", "%F0%9F%90%BB", "%20"]),
  "path: encoded slash": inPath(["%2f", "%2F", "%5c"]),
  "path: encoded question mark or number sign": inPath(["%3f", "%23", "%3Fa=b"]),
  "path: dots": asPath(({ path }, tools) =>
    oneOf(
      [`/..${path}`, `/.${path}`, `/a/..${path}`, `${path}/..`, `${path}/.`, `/../../../etc/passwd`, "/.", "/.."],
      tools,
    )
  ),
  "path: encoded dots": asPath(({ path }, tools) =>
    oneOf([`/%2e%2e${path}`, `/%2e${path}`, `/a/%2E%2E${path}`, `${path}/%2e%2e`, `/.%2e${path}`], tools)
  ),
  "path: doubled slashes": asPath(({ path }, tools) =>
    oneOf([`/${path}`, `//${path}`, path.replaceAll("/", "//"), `${path}//`], tools)
  ),
  "path: slash at the end": asPath(({ path }) => `${path}/`),
  "path: back slash": inPath(["\\", "\\..\\", "a\\b"]),
  "path: odd signs": inPath([..."[]{}|^`\"<>'", ";a=1", ",", "*", "$&", "(", ":id", "@"]),
  "path: number sign": inPath(["#", "#a", "a#b?c"]),
  "path: bytes above 127": inPath([byteString("é"), byteString("無"), byteString("🐻"), "\xff", "\xc0\xaf", "\xe9"]),
  "path: control characters": asPath(
    ({ path }, tools) => path + oneOf(["\x01", "\x7f", "\t", "\x1b", "\x0b", "\x00"], tools),
    ALONE,
  ),
  "path: space": asPath(({ path }, tools) => oneOf([`${path} a`, ` ${path}`, `/a b${path}`], tools), ALONE),
  "path: long": inPath(repeated("x", [201, 1_000, 4_000])),
  "path: longer than servers take": asPath(
    ({ path }, tools) => path + oneOf(repeated("y", [20_000, 70_000, 200_000]), tools),
    ALONE,
  ),
  "path: many segments": asPath(({ path }, tools) => path + "/a".repeat(oneOf([30, 300, 1_500], tools))),
  "path: upper case": asPath(({ path }) => path.toUpperCase()),
  "path: name of a property": asPath(({ path }, tools) =>
    path.slice(0, path.lastIndexOf("/") + 1) + oneOf(["__proto__", "constructor", "toString", "hasOwnProperty"], tools)
  ),
  "path: absolute form": asPath(({ path }, tools) =>
    oneOf([`http://localhost${path}`, `http://other.example:81${path}`, `HTTP://LOCALHOST${path}`], tools)
  ),
  "path: absolute form of another scheme": asPath(
    ({ path }, tools) =>
      oneOf([`https://localhost${path}`, `ftp://localhost${path}`, `file://${path}`, `http:${path}`], tools),
    ALONE,
  ),
  "path: absolute form without a sound host": asPath(
    ({ path }, tools) =>
      oneOf([`http://${path}`, `http://[${path}`, `http://a b${path}`, `http://a:99999${path}`, "http://"], tools),
    ALONE,
  ),
  "path: authority form": asPath((_, tools) => oneOf(["localhost:80", "localhost", "[::1]:80"], tools), ALONE),
  "path: asterisk": asPath(() => "*", ALONE),
  "path: empty": asPath(() => "", ALONE),
  "path: without its slash": asPath(({ path }) => path.slice(1) || "a", ALONE),
  "query: sound": withQuery(["a=b", "a=b&a=c", "a[]=1&a[b]=2", "", "?", "a=%20+b", "x=%ff"]),
  "query: broken percent-encoding": withQuery(["%", "a=%zz", "%=%", "a=%u0041"]),
  "query: name of a property": withQuery(["__proto__=1", "__proto__[a]=1", "constructor[prototype][a]=1"]),
  "query: odd signs": withQuery(['"', "<>", "{a}", "a|b", "`", "^", "\\", "//", "http://a", "'"]),
  "query: bytes above 127": withQuery([byteString("é=無"), "\xff"]),
  "query: long": withQuery([...repeated("q", [1_000, 4_000]), "a&".repeat(2_000)]),
  "query: longer than servers take": withQuery(repeated("q", [70_000, 200_000]), ALONE),
  "method: another known one": asMethod(["POST", "PUT", "PATCH", "DELETE", "GET", "OPTIONS"], KEPT),
  "method: HEAD": (request) => sent({ ...request, method: "HEAD", body: null }, KEPT),
  "method: TRACE": (request) => sent({ ...request, method: "TRACE", body: null }, ALONE),
  "method: CONNECT": asLine(({ path }, tools) => `CONNECT ${oneOf(["localhost:80", path, "a"], tools)} HTTP/1.1`),
  "method: of WebDAV and others": asMethod(["PROPFIND", "PURGE", "LOCK", "SEARCH", "LINK", "M-SEARCH", "QUERY"], ALONE),
  "method: unknown": asMethod(["FOO", "GETX", "NOTIFYALL", "X", "POS"], ALONE),
  "method: lower case": (request) => sent({ ...request, method: request.method.toLowerCase() }, ALONE),
  "method: mixed case": asMethod(["Get", "gEt", "Post", "hEAD"], ALONE),
  "method: long": asMethod(repeated("M", [60, 300, 9_000]), ALONE),
  "method: no token": asMethod(["G@T", "(GET)", "GE\tT", "\x00GET", "G\xc9T", "GET/", "{}"], ALONE),
  "method: none": asLine(({ path }, tools) => oneOf([`${path} HTTP/1.1`, ` ${path} HTTP/1.1`, "HTTP/1.1"], tools)),
  "version: 1.0": inVersion(["HTTP/1.0"]),
  "version: another minor one": inVersion(["HTTP/1.2", "HTTP/1.9"]),
  "version: another major one": inVersion(["HTTP/2.0", "HTTP/3.0", "HTTP/9.9", "HTTP/0.9"]),
  "version: lower case": inVersion(["http/1.1", "Http/1.1"]),
  "version: rubbish": inVersion("HTTP/1 HTTP/1.1.1 HTTP/a.b HTTP/1.x HTTP/11 ICE/1.0 XXXX/1.1 HTTP".split(" ")),
  "version: none": asLine(({ method, path }) => `${method} ${path}`),
  "line: more than one space": asLine(({ method, path }, tools) =>
    oneOf([`${method}  ${path} HTTP/1.1`, `${method} ${path}  HTTP/1.1`, `${method} ${path} HTTP/1.1 `], tools)
  ),
  "line: tab in place of a space": asLine(({ method, path }) => `${method}\t${path}\tHTTP/1.1`),
};
