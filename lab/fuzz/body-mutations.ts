/** Mutations of the body of a request, and of its length. */
import { ALONE, KEPT, type Manner, type Mutation, oneOf, type Tools, UNFINISHED } from "./exchange.ts";
import { byteString, headOf, requestLine, written } from "./plain-request.ts";

/** Replaces the body and its declared length. Only for requests that have a body. */
function asBody(make: (body: string, tools: Tools) => string | undefined): Mutation {
  return (request, tools) => {
    const body = request.body === null ? undefined : make(request.body, tools);
    return body === undefined
      ? undefined
      : { method: request.method, bytes: written({ ...request, body }), manner: KEPT };
  };
}

const amongBodies = (choices: readonly string[]) => asBody((_, tools) => oneOf(choices, tools));

/** One field of a JSON object with another value, or with one that is written so. */
function withField(values: readonly string[]): Mutation {
  return asBody((body, tools) => {
    const fields = fieldsOf(body);
    if (fields === undefined) return undefined;
    const chosen = oneOf(fields, tools)[0];
    const value = oneOf(values, tools);
    return `{${fields.map(([name, kept]) => `${JSON.stringify(name)}:${name === chosen ? value : kept}`).join(",")}}`;
  });
}

/** Names of a JSON object's fields with their values as JSON; undefined where it is none or has non-ASCII. */
function fieldsOf(body: string): readonly (readonly [string, string])[] | undefined {
  try {
    const json: unknown = JSON.parse(body);
    if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
    const fields = Object.entries(json).map(([name, value]) => [name, JSON.stringify(value)] as const);
    return fields.length === 0 ? undefined : fields;
  } catch {
    return undefined;
  }
}

/** Framed by other lines than one right Content-Length. */
function framed(
  make: (body: string, tools: Tools) => readonly [lines: readonly string[], rest: string],
  manner: Manner = ALONE,
): Mutation {
  return (request, tools) => {
    if (request.body === null) return undefined;
    const [lines, rest] = make(request.body, tools);
    const given = request.headers.map(([name, value]) => `${name}: ${value}`);
    return {
      method: request.method,
      bytes: headOf([requestLine(request), "Host: localhost", ...given, ...lines]) + rest,
      manner,
    };
  };
}

/** One Content-Length of the choices, made from the right one. */
const withLength = (choices: (length: number) => readonly string[], manner: Manner = ALONE) =>
  framed((body, tools) => [[`Content-Length:${oneOf(choices(body.length), tools)}`], body], manner);

/** Sent in chunks, well formed or not; an empty body would be none, and is another. */
const chunked = (make: (body: string, tools: Tools) => string, manner: Manner = ALONE) =>
  framed((body, tools) => [["Transfer-Encoding: chunked"], make(body || "{}", tools)], manner);

/** With Transfer-Encoding of the choices and a body in chunks. */
const coded = (choices: readonly (readonly string[])[]) =>
  framed((body, tools) => [oneOf(choices, tools), `${chunk(body)}0\r\n\r\n`]);

const chunk = (text: string) => text === "" ? "" : `${text.length.toString(16)}\r\n${text}\r\n`;

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

/** Of a request without a body: one it should not have. */
const onGet: Mutation = (request, tools) =>
  request.method !== "GET" ? undefined : {
    method: request.method,
    bytes: written({ ...request, body: oneOf(["{}", "", "x".repeat(2_000)], tools) }),
    manner: KEPT,
  };

/** Mutations of bodies and their framing, by name. */
export const BODY_MUTATIONS: Readonly<Record<string, Mutation>> = {
  "body: empty": amongBodies([""]),
  "body: no JSON": amongBodies([
    "{",
    "}",
    "nul",
    "{'a':1}",
    '{"a":}',
    "[1,]",
    "// a",
    "<a/>",
    "\x01",
    "NaN",
    "a=b&c=d",
  ]),
  "body: JSON of another kind": amongBodies(["null", "0", '""', "[]", "[[]]", "true", "-0", '"text"', "{}"]),
  "body: deep JSON": asBody((_, tools) =>
    oneOf([nested(100), nested(5_000), `{"a":${nested(3_000)}}`, "[".repeat(8_000)], tools)
  ),
  "body: many fields": amongBodies([`{${Array.from({ length: 900 }, (_, n) => `"f${n}":${n}`).join(",")}}`]),
  "body: names of properties": amongBodies([
    '{"__proto__":{"a":1}}',
    '{"__proto__":null}',
    '{"constructor":{"prototype":{"a":1}}}',
    '{"toString":1,"hasOwnProperty":2,"toJSON":3}',
  ]),
  "body: a field of another kind": withField(["null", "true", '""', "[]", "{}", '{"__proto__":1}', "-1", "1.5"]),
  "body: a huge number": withField(["1e999", "-1e999", "9007199254740993", "1e-999", `${"9".repeat(400)}`, "-0"]),
  "body: a long text": withField([`"${"z".repeat(300)}"`, `"${"z".repeat(5_000)}"`]),
  "body: a text with NUL": withField(['"\\u0000"', '"a\\u0000b"']),
  "body: a text with half a character": withField(['"\\ud800"', '"\\udc00a"', '"\\ud83d"']),
  "body: a field twice": asBody((body) => body.startsWith('{"') ? `{${body.slice(1, -1)},${body.slice(1)}` : undefined),
  "body: not UTF-8": asBody((body, tools) =>
    oneOf(
      ["\xff\xfe", '{"a":"\xff"}', '"\xc0\xaf"', '"\xed\xa0\x80"', `${body.slice(0, -2)}\xe9${body.slice(-2)}`],
      tools,
    )
  ),
  "body: byte order mark": asBody((body, tools) => oneOf(["\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"], tools) + body),
  "body: NUL bytes": asBody((body, tools) => oneOf(["\x00", `${body}\x00`, `\x00${body}`, "\x00".repeat(500)], tools)),
  "body: cut short": asBody((body, { random }) => body.slice(0, Math.floor(random() * body.length))),
  "body: white space around": asBody((body) => ` \r\n\t${body}\n `),
  "body: characters of several bytes": withField([JSON.stringify("é無🐻")].map(byteString)),
  "body: above the limit": asBody((_, tools) => `"${"b".repeat(oneOf([16_384, 20_000, 66_000], tools))}"`),
  "body: far above the limit": (request, tools) =>
    request.body === null ? undefined : {
      method: request.method,
      bytes: written({ ...request, body: "b".repeat(oneOf([300_000, 1_000_000], tools)) }),
      manner: ALONE,
    },
  "body: of a GET": onGet,
  "length: negative": withLength(() => [" -1", " -0", " -5"]),
  "length: with a sign or spaces": withLength((
    length,
  ) => [` +${length}`, ` ${length} ${length}`, ` ${length}, `, ` 1 0`]),
  "length: hexadecimal": withLength((length) => [` 0x${length.toString(16)}`, ` ${length.toString(16)}h`]),
  "length: no number": withLength(() => [" a", " five", " NaN", " 1e2", " 1.0", " ;"]),
  "length: empty": withLength(() => ["", " "]),
  "length: leading zeros": withLength((length) => [` 0${length}`, ` 00000000000000${length}`]),
  "length: spaces around": withLength((length) => [`${length}`, `   ${length}`, ` ${length}   `, `\t${length}`]),
  "length: far too large": withLength(() => [" 99999999999", " 4294967297", " 9007199254740993"], UNFINISHED),
  "length: larger than any number": withLength(() => [" 18446744073709551617", ` 1${"0".repeat(40)}`]),
  "length: too large, and no more comes": withLength((length) => [` ${length + 1}`, ` ${length + 100}`], UNFINISHED),
  "length: too large for the limit, and no more comes": withLength(() => [" 16385", " 70000", " 1000000"], UNFINISHED),
  "length: too small": withLength((length) => length < 2 ? [" 0"] : [` ${length - 1}`, " 1", " 0"]),
  "length: twice the same": framed((
    body,
  ) => [[`Content-Length: ${body.length}`, `Content-Length: ${body.length}`], body]),
  "length: twice, different": framed((
    body,
  ) => [[`Content-Length: ${body.length}`, `Content-Length: ${body.length + 1}`], body]),
  "length: a list of the same": withLength((length) => [` ${length}, ${length}`]),
  "length: none": framed((body) => [[], body]),
  "length: with chunks": framed((body, tools) => {
    const lines = [`Content-Length: ${body.length}`, "Transfer-Encoding: chunked"];
    return [oneOf([lines, lines.toReversed()], tools), `${chunk(body)}0\r\n\r\n`];
  }),
  "coding: unknown": coded([["Transfer-Encoding: x"], ["Transfer-Encoding: gzip"], ["Transfer-Encoding: identity"]]),
  "coding: something before chunked": coded([["Transfer-Encoding: gzip, chunked"], ["Transfer-Encoding: x, chunked"]]),
  "coding: something behind chunked": coded([["Transfer-Encoding: chunked, gzip"], [
    "Transfer-Encoding: chunked, identity",
  ]]),
  "coding: chunked twice": coded([
    ["Transfer-Encoding: chunked, chunked"],
    ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
  ]),
  "coding: chunked, oddly written": coded([
    ["Transfer-Encoding: CHUNKED"],
    ["transfer-encoding:chunked"],
    ["Transfer-Encoding:\tchunked\t"],
  ]),
  "coding: nearly chunked": coded([
    ["Transfer-Encoding: xchunked"],
    ["Transfer-Encoding: chunkedx"],
    ['Transfer-Encoding: "chunked"'],
    ["Transfer-Encoding: chunked;q=1"],
    ["Transfer-Encoding: \x0bchunked"],
    ["Transfer-Encoding:"],
  ]),
  "chunks: sound": chunked((body) => `${chunk(body)}0\r\n\r\n`, KEPT),
  "chunks: sound, many": chunked((body) => [...body].map(chunk).join("") + "0\r\n\r\n", KEPT),
  "chunks: leading zeros and capitals": chunked((body) =>
    `000${body.length.toString(16).toUpperCase()}\r\n${body}\r\n000\r\n\r\n`
  ),
  "chunks: above the limit": chunked((_, tools) => chunk("c".repeat(oneOf([20_000, 70_000], tools))) + "0\r\n\r\n"),
  "chunks: extensions": chunked((body) => `${body.length.toString(16)};a=b;c="d"\r\n${body}\r\n0;e\r\n\r\n`),
  "chunks: long extension": chunked((body) =>
    `${body.length.toString(16)};${"e".repeat(20_000)}\r\n${body}\r\n0\r\n\r\n`
  ),
  "chunks: trailers": chunked((body, tools) =>
    `${chunk(body)}0\r\n${oneOf(["X-A: b", "Content-Length: 3", "Host: x"], tools)}\r\n\r\n`
  ),
  "chunks: no size": chunked((body, tools) =>
    `${oneOf(["", "xyz", "-1", "+5", "0x5", " ", ";", "G"], tools)}\r\n${body}\r\n0\r\n\r\n`
  ),
  "chunks: size too large to count": chunked((body, tools) =>
    `${oneOf(["ffffffffffffffff", "10000000000000005", "f".repeat(40)], tools)}\r\n${body}`
  ),
  "chunks: size too small": chunked((body) => body.length < 3 ? "1\r\nab\r\n0\r\n\r\n" : `1\r\n${body}\r\n0\r\n\r\n`),
  "chunks: spaces behind the size": chunked((body) => `${body.length.toString(16)}  \r\n${body}\r\n0\r\n\r\n`),
  "chunks: ended by LF alone": chunked((body) => `${body.length.toString(16)}\n${body}\n0\n\n`),
  "chunks: without an end": chunked(chunk, UNFINISHED),
  "chunks: one that is broken off": chunked((body) => `${(body.length + 50).toString(16)}\r\n${body}`, UNFINISHED),
};
