/** Requests of a plan, split into the parts that a generator builds them from. */
import type { Body, Draw, RequestPlan, RequestTemplate } from "../../suites/suite.ts";

/** A piece of a request: fixed text or bytes, or the value of a named draw. */
export type Part = string | { readonly name: string } | { readonly base64: string };

/** The text of pieces that hold no bytes. */
export const textOfParts = (parts: readonly Part[], drawn: (name: string) => string): string =>
  parts.map((part) => typeof part === "string" ? part : "name" in part ? drawn(part.name) : "").join("");

/** A body of pieces: its bytes, or its text. */
export const bodyOfParts = (parts: readonly Part[], text: (parts: readonly Part[]) => string): Body =>
  parts.find((part) => typeof part === "object" && "base64" in part) as Body | undefined ?? text(parts);

/** A template in pieces. */
export interface SplitTemplate {
  readonly share: number;
  readonly method: string;
  readonly path: readonly Part[];
  /** Headers other than Host and Content-Length. */
  readonly headers: readonly (readonly [name: string, value: readonly Part[]])[];
  readonly body: readonly Part[];
  /** Its draws in the order of their first use in path, headers and body; `same` shows as the draw it repeats. */
  readonly draws: readonly string[];
  /**
   * Kinds of its requests, by the statuses they may be answered with: first those whose draws all hit, then those in which
   * each of {@link missing} is the first to miss.
   */
  readonly kinds: readonly (readonly number[])[];
  readonly missing: readonly string[];
}

/** The name of the draw that draws for a name: itself, or the one it repeats. */
export function originOf(requests: RequestPlan, name: string): string {
  const draw = requests.draws?.[name];
  return draw?.kind === "same" ? draw.of : name;
}

/** Splits the templates of a plan. Throws an Error in one line that names what cannot be sent. */
export function splitMix(requests: RequestPlan): readonly SplitTemplate[] {
  const draws = requests.draws ?? {};
  for (const [name, draw] of Object.entries(draws)) checkDraw(name, draw, draws);
  const weights = requests.mix.map(({ weight = 1 }) => weight);
  const sum = weights.reduce((a, b) => a + b, 0);
  if (!(sum > 0 && sum < Infinity && weights.every((weight) => weight >= 0))) {
    throw new Error(
      `requests: the weights of the mix are [${weights.join(", ")}], not numbers from 0 with a sum above 0`,
    );
  }
  return requests.mix.map((template, n) => splitTemplate(requests, template, weights[n]! / sum));
}

function splitTemplate(requests: RequestPlan, template: RequestTemplate, share: number): SplitTemplate {
  const { method = "GET", path: text, headers: given = {}, body: content = "" } = template;
  const where = `requests: ${method} ${text.slice(0, 80)}`;
  if (!TOKEN.test(method)) throw new Error(`${where}: "${method}" is no method`);
  if (template.expect.length === 0) throw new Error(`${where}: no expected status`);
  const path = splitText(text, requests);
  if (!text.startsWith("/")) throw new Error(`${where}: a path begins with "/"`);
  for (const part of path) {
    if (typeof part !== "string") continue;
    const braces = /\{[^{}]*\}/.exec(part)?.[0];
    if (braces !== undefined) {
      throw new Error(`${where}: there is no draw for ${braces}; a brace itself is written %7B`);
    }
    const fault = pathFault(part);
    if (fault !== null) throw new Error(`${where}: ${fault}`);
  }
  const headers = Object.entries(given).map(([name, value]) => [name, splitText(value, requests)] as const);
  for (const [name, value] of Object.entries(given)) {
    const fault = headerFault(name, value);
    if (fault !== null) throw new Error(`${where}: header "${name}" ${fault}`);
  }
  const body = typeof content === "string" ? splitText(content, requests) : [content];
  if (body.length > 0 && !hasHeader(headers, "content-type")) headers.push(["Content-Type", ["application/json"]]);
  if ((requests.connection ?? "kept") !== "kept" && !hasHeader(headers, "connection")) {
    headers.push(["Connection", ["close"]]);
  }
  const names = [...path, ...headers.flatMap(([, value]) => value), ...body]
    .flatMap((part) => typeof part === "object" && "name" in part ? [originOf(requests, part.name)] : []);
  const used = [...new Set(names)];
  const misses = used.flatMap((name) => {
    const draw = requests.draws![name]!;
    return "miss" in draw && draw.miss !== undefined && draw.miss.share > 0 ? [{ name, expect: draw.miss.expect }] : [];
  });
  return {
    share,
    method,
    path,
    headers,
    body,
    draws: used,
    kinds: [template.expect, ...misses.map(({ expect }) => expect)],
    missing: misses.map(({ name }) => name),
  };
}

/** Returns the fault of a path, or a part of it; null if it can be sent as it is. */
export function pathFault(path: string): string | null {
  const odd = /[^!-~]|#/u.exec(path)?.[0];
  if (odd === undefined) return null;
  if (!odd.isWellFormed()) return "half a character in a path";
  return `${JSON.stringify(odd)} in a path is written ${odd === "#" ? "%23" : encodeURIComponent(odd)}`;
}

/** Headers that the bench makes, and the alternative. */
const MADE: Readonly<Record<string, string>> = {
  "content-length": "is counted: leave it out",
  "transfer-encoding": "is not sent: bodies go out whole, with their length",
  "connection": "is not given: connections stay open",
  "keep-alive": "is not given: connections stay open",
  "expect": "is not sent: bodies go out with their heads",
  "upgrade": "is not sent: only HTTP/1.1 is measured",
  "sec-websocket-key": "is made for each connection: leave it out",
  "sec-websocket-version": "is 13: leave it out",
  "sec-websocket-extensions": "is not sent: messages go uncompressed",
  "te": "is not sent: only HTTP/1.1 is measured",
  "trailer": "is not sent: bodies go out whole, with their length",
};

/** Returns the fault of a header, to follow its name; null if it can be sent as it is. */
export function headerFault(name: string, value: string): string | null {
  if (!TOKEN.test(name)) return "has no name a header may have";
  const made = MADE[name.toLowerCase()];
  if (made !== undefined) return made;
  const odd = /[^\t -~\u0080-\u00ff]/u.exec(value)?.[0];
  return odd === undefined ? null : `holds ${JSON.stringify(odd)}, which no header may: write it some other way`;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Returns true if there is a header with a name in lower case. */
export function hasHeader(headers: SplitTemplate["headers"], lowerCase: string): boolean {
  return headers.some(([name]) => name.toLowerCase() === lowerCase);
}

/** Splits a text at the placeholders that are declared; other braces stay. */
function splitText(text: string, { draws = {} }: RequestPlan): Part[] {
  const parts: Part[] = [];
  let rest = 0;
  for (let open = text.indexOf("{"); open >= 0; open = text.indexOf("{", open + 1)) {
    const close = text.indexOf("}", open);
    const name = text.slice(open + 1, close);
    if (close < 0 || !Object.hasOwn(draws, name)) continue;
    if (open > rest) parts.push(text.slice(rest, open));
    parts.push({ name });
    rest = close + 1;
  }
  if (rest < text.length) parts.push(text.slice(rest));
  return parts;
}

const WORDS = 2 ** 32;

function checkDraw(name: string, draw: Draw, draws: Readonly<Record<string, Draw>>): void {
  const need = (holds: boolean, what: string) => {
    if (!holds) throw new Error(`requests: draw "${name}": ${what}`);
  };
  if (draw.kind === "same") {
    const of = draws[draw.of]?.kind;
    need(of !== undefined && of !== "same" && of !== "rows", `"${draw.of}" draws no number to repeat`);
  } else if (draw.kind === "serial") {
    need(
      Number.isInteger(draw.from) && draw.from >= 0 && draw.from <= 1e12,
      `from ${draw.from} is not from 0 to 10^12`,
    );
  } else if (draw.kind !== "rows") {
    const { below, miss } = draw;
    need(Number.isInteger(below) && below >= 1 && below <= WORDS, `below ${below} is not from 1 to 2^32`);
    if (draw.kind === "zipf") {
      need(draw.exponent > 0 && draw.exponent <= 10, `exponent ${draw.exponent} is not above 0 and at most 10`);
    }
    if (draw.kind === "hot") {
      need(
        Number.isInteger(draw.keys) && draw.keys >= 1 && draw.keys <= below,
        `keys ${draw.keys} is not from 1 to below`,
      );
      need(draw.share >= 0 && draw.share <= 1, `share ${draw.share} is not from 0 to 1`);
    }
    if (miss !== undefined) {
      need(miss.share >= 0 && miss.share <= 1, `miss share ${miss.share} is not from 0 to 1`);
      need(miss.share === 0 || below < WORDS, "there is no number from below to 2^32 to miss with");
      need(miss.expect.length > 0, "no expected status of a miss");
    }
  }
}

/** The number of requests of one kind that must be answered with an error status, and the number that may be. */
export function errorsOf(expect: readonly number[], sent: number): { readonly due: number; readonly allowed: number } {
  const errors = expect.filter((status) => status > 399).length;
  return { due: errors === expect.length ? sent : 0, allowed: errors > 0 && errors < expect.length ? sent : 0 };
}
