/** The part of wrk's script that depends on what is sent: Lua text for bench/generators/wrk.lua, which says how it is used. */
import { type Draw, type RequestPlan, serialNumber } from "../../suites/suite.ts";
import { bodyBytes } from "../basics/body-bytes.ts";
import type { LoadPlan } from "./generator.ts";
import { hasHeader, originOf, type Part, splitMix, type SplitTemplate } from "./request-mix.ts";

/** Lua lets a function have 200 local variables, here three a draw, and use 60 from around it, here two a draw. */
const MOST_DRAWS = 60;
const MOST_IN_ONE = 25;

/** Constants of a number mixed with keys, and the most digits of one in decimal. */
const DIGITS = 16;

const KIT = "random uniform zipf hot serial rows missing digits decimal hex16 buffer copy request".split(" ");

/** Numbers of a lane of serial draws, and of lanes in a load. */
const LANE = serialNumber(0, 0, 1, 0);
const LANES = serialNumber(0, 1, 0, 0) / LANE;

/**
 * The program of a load. It returns the seed, a function for each distinct plan of requests, and which of them each target
 * has. Called with its lane of serial numbers such a function returns another and the number of kinds of request. That one is
 * called with a place in a batch and returns a request and its kind, counted from 1 over all templates.
 * @param lanes threads that draw serial numbers of one server
 * Throws an Error in one line when something cannot be sent.
 */
export function wrkProgram(plan: LoadPlan, lanes: number): string {
  const host = /^https?:\/\/([^/]+)/.exec(plan.targets[0].url)?.[1] ?? "";
  const makers: string[] = [];
  const makerOf = plan.targets.map(({ requests }) => {
    const maker = makerText(requests, { host, load: plan.load, lanes });
    return (makers.includes(maker) ? makers.indexOf(maker) : makers.push(maker) - 1) + 1;
  });
  return [
    "local kit = ...",
    `local ${KIT.join(", ")} = ${KIT.map((name) => `kit.${name}`).join(", ")}`,
    `return ${plan.seed}, {`,
    makers.join(",\n"),
    `}, { ${makerOf.join(", ")} }`,
  ].join("\n");
}

interface Load {
  readonly host: string;
  readonly load: number;
  readonly lanes: number;
}

function makerText(requests: RequestPlan, load: Load): string {
  const mix = splitMix(requests);
  const draws = [...new Set(mix.flatMap(({ draws }) => draws))];
  if (draws.length > MOST_DRAWS || mix.some((template) => template.draws.length > MOST_IN_ONE)) {
    throw new Error(`requests: wrk's script takes at most ${MOST_DRAWS} draws, ${MOST_IN_ONE} in one request`);
  }
  checkSerials(requests, draws, load);
  const lines = ["function(lane)", "local builders, digits_of_length = {}, digits()"];
  draws.forEach((name, n) => {
    const draw = drawText(requests.draws![name]!, load.load);
    lines.push(`local draw${n}, most${n} = ${draw}`, `local digits${n} = digits()`);
  });
  let kind = 1;
  mix.forEach((template, n) => {
    lines.push(...builderText(template, { requests, host: load.host, place: n + 1, kind, draws }));
    kind += template.kinds.length;
  });
  lines.push(`return ${chooserText(mix)}, ${kind - 1}`, "end");
  return lines.join("\n");
}

/** Throws when two threads would draw the same serial number, or two numbers would become the same digits. */
function checkSerials(requests: RequestPlan, used: readonly string[], { load, lanes }: Load): void {
  for (const [name, draw] of Object.entries(requests.draws ?? {})) {
    const origin = requests.draws![originOf(requests, name)]!;
    if (origin.kind !== "serial" || !used.includes(originOf(requests, name))) continue;
    if (lanes > LANES) throw new Error(`requests: serial draws take at most ${LANES} threads of wrk, got ${lanes}`);
    const end = serialNumber(origin.from, load, lanes, 0);
    if ("as" in draw && typeof draw.as === "object" && end > 2 ** 32) {
      throw new Error(`requests: draw "${name}": numbers up to ${end} do not all differ in 16 digits, 2^32 do`);
    }
  }
}

/** A call of the kit that makes a draw. */
function drawText(draw: Draw, load: number): string {
  switch (draw.kind) {
    case "uniform":
      return missText(draw, `uniform(${draw.below})`);
    case "zipf":
      return missText(draw, `zipf(${draw.below}, ${draw.exponent})`);
    case "hot":
      return missText(draw, `hot(${draw.below}, ${draw.keys}, ${draw.share})`);
    case "serial":
      return `serial(${serialNumber(draw.from, load, 0, 0)} + lane * ${LANE}, ${LANE})`;
    case "rows":
      return `rows(${quoted(bytesOf(draw.file))})`;
    case "same":
      throw new Error("a draw that repeats another draws nothing");
  }
}

function missText({ below, miss }: Extract<Draw, { below: number }>, draw: string): string {
  return miss === undefined || miss.share === 0 ? draw : `missing(${draw}, ${below}, ${miss.share})`;
}

/** A piece of a request: fixed bytes, 16 digits of a number, or other bytes; all but the first as Lua. */
type Stretch =
  | { readonly bytes: string }
  | { readonly value: string; readonly keys: readonly number[] }
  | { readonly from: string; readonly length: string; readonly most: string };

interface Around {
  readonly requests: RequestPlan;
  readonly host: string;
  /** Names of all draws, by their number in the program. */
  readonly draws: readonly string[];
  /** The place of the template among the others, and of its first kind among all, from 1. */
  readonly place: number;
  readonly kind: number;
}

function builderText(template: SplitTemplate, { requests, host, draws, place, kind }: Around): string[] {
  const numberOf = (name: string) => draws.indexOf(originOf(requests, name));
  const code = template.draws.map((name) => {
    const missed = template.missing.includes(name) ? `, missed${numberOf(name)}` : "";
    return `local value${numberOf(name)}${missed} = draw${numberOf(name)}()`;
  });
  const stretchOf = (part: Part): Stretch => {
    if (typeof part === "string") return { bytes: bytesOf(part) };
    if ("base64" in part) return { bytes: bodyBytes(part).toString("latin1") };
    const draw = requests.draws![part.name]!, n = numberOf(part.name);
    if (draw.kind === "rows") return { from: `value${n}`, length: `#value${n}`, most: `most${n}` };
    if (draw.as !== undefined && draw.as !== "decimal") return { value: `value${n}`, keys: draw.as.hex16 };
    const line = `local from${n}, length${n} = decimal(digits${n}, value${n})`;
    if (!code.includes(line)) code.push(line);
    return { from: `from${n}`, length: `length${n}`, most: `${DIGITS}` };
  };
  const body = template.body.map(stretchOf);
  const inLatin1 = (part: Part): Stretch => typeof part === "string" ? { bytes: part } : stretchOf(part);
  const request = [
    { bytes: `${template.method} ` },
    ...template.path.map(stretchOf),
    { bytes: " HTTP/1.1\r\n" },
    ...hasHeader(template.headers, "host") ? [] : [{ bytes: `Host: ${host}\r\n` }],
    ...template.headers.flatMap(([name, value]) => [`${name}: `, ...value, "\r\n"]).map(inLatin1),
    ...lengthHeader(template, body, code),
    { bytes: "\r\n" },
    ...body,
  ];
  const { beginning, size, end } = writeStretches(joined(request), code);
  const missed = template.missing.map((name, n) => `missed${numberOf(name)} and ${kind + 1 + n} or `);
  return [
    "do",
    `local to = buffer(${quoted(beginning)}, ${size})`,
    `builders[${place}] = function(place)`,
    ...code,
    `return request(to, ${end}, place), ${missed.join("")}${kind}`,
    "end",
    "end",
  ];
}

function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const all: Stretch[] = [];
  for (const stretch of stretches) {
    const last = all.at(-1);
    if (last !== undefined && "bytes" in last && "bytes" in stretch) {
      all[all.length - 1] = { bytes: last.bytes + stretch.bytes };
    } else all.push(stretch);
  }
  return all;
}

/** The Content-Length header; Lua counts the length if it varies. */
function lengthHeader({ method }: SplitTemplate, body: readonly Stretch[], code: string[]): Stretch[] {
  const takesBody = method === "POST" || method === "PUT" || method === "PATCH";
  if (body.length === 0 && !takesBody) return [];
  let length = 0;
  const lengths: string[] = [];
  for (const stretch of body) {
    if ("from" in stretch) lengths.push(stretch.length);
    else length += "bytes" in stretch ? stretch.bytes.length : DIGITS;
  }
  if (lengths.length === 0) return [{ bytes: `Content-Length: ${length}\r\n` }];
  code.push(`local from, length = decimal(digits_of_length, ${[length, ...lengths].join(" + ")})`);
  return [{ bytes: "Content-Length: " }, { from: "from", length: "length", most: `${DIGITS}` }, { bytes: "\r\n" }];
}

/**
 * Adds the writing of a request to the code of its builder. All text before the first stretch of varying length stands in
 * the buffer from the beginning; what comes after it moves with it and is written each time.
 * @returns what stands in the buffer from the beginning, its size and the request's length as Lua
 */
function writeStretches(stretches: readonly Stretch[], code: string[]) {
  let beginning = "", length = 0, moved = false;
  const sizes: string[] = [];
  for (const stretch of stretches) {
    const at = moved ? `${length} + moved` : `${length}`;
    if ("from" in stretch) {
      code.push(`copy(to + (${at}), ${stretch.from}, ${stretch.length})`);
      code.push(moved ? `moved = moved + ${stretch.length}` : `local moved = ${stretch.length}`);
      sizes.push(stretch.most);
      moved = true;
    } else if ("bytes" in stretch) {
      if (!moved) beginning += stretch.bytes;
      else code.push(`copy(to + (${at}), ${quoted(stretch.bytes)}, ${stretch.bytes.length})`);
      length += stretch.bytes.length;
    } else {
      code.push(`hex16(to + (${at}), ${[stretch.value, ...stretch.keys].join(", ")})`);
      if (!moved) beginning += "0".repeat(DIGITS);
      length += DIGITS;
    }
  }
  return { beginning, size: [length, ...sizes].join(" + "), end: moved ? `${length} + moved` : `${length}` };
}

/** A function that builds the only template's requests, or those of one drawn by its share. */
function chooserText(mix: readonly SplitTemplate[]): string {
  const sent = mix.flatMap(({ share }, n) => share > 0 ? [{ share, builder: `builders[${n + 1}]` }] : []);
  const last = sent.pop()!;
  if (sent.length === 0) return last.builder;
  let below = 0;
  const choices = sent.map(({ share, builder }) => `if r < ${below += share} then return ${builder}(place) end`);
  return ["function(place)", "local r = random()", ...choices, `return ${last.builder}(place)`, "end"].join("\n");
}

/** The UTF-8 bytes of a text, a character each. */
function bytesOf(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** Returns a Lua string of bytes, in ASCII. */
export function quoted(bytes: string): string {
  const escaped = bytes.replace(/[^ !#-[\]-~]/g, (byte) => `\\${String(byte.charCodeAt(0)).padStart(3, "0")}`);
  return `"${escaped}"`;
}
