import type { Body, Draw, Form, RequestPlan } from "../../suites/suite.ts";
import { createRandom, type Random } from "../basics/random.ts";
import { mixedHex } from "../plan/example-request.ts";
import type { Generator, LoadPlan } from "./generator.ts";
import { bodyOfParts, type Part, splitMix, textOfParts } from "./request-mix.ts";

/** One request, whole. */
export interface DrawnRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Body;
}

/** The number of requests drawn beforehand for a generator that cannot draw: more than a server's caches hold by chance. */
export const DRAWN_BEFOREHAND = 20_000;

/** Why the requests of a plan cannot be drawn beforehand, in one line; null when they can. */
export function whyNotDrawn({ mix, draws = {} }: RequestPlan): string | null {
  for (const [name, draw] of Object.entries(draws)) {
    if (draw.kind === "serial") return `"${name}" must never come twice, and a list of requests begins again`;
    if (draw.kind === "rows") return `"${name}" is a line of a file`;
    if ("miss" in draw && draw.miss !== undefined && draw.miss.share > 0) {
      return `"${name}" misses now and then, and nobody counts how many of those were sent`;
    }
  }
  const errors = mix.some(({ expect }) => expect.some((status) => status > 399));
  return errors ? "some of its requests may be answered with an error, and nobody counts those" : null;
}

/**
 * Draws requests beforehand, by the shares of the mix, seeded.
 * @param count how many; one is enough where nothing is drawn
 */
export function drawRequests(requests: RequestPlan, seed: number, count: number = DRAWN_BEFOREHAND): DrawnRequest[] {
  const why = whyNotDrawn(requests);
  if (why !== null) throw new Error(`requests: ${why}`);
  const mix = splitMix(requests);
  const { draws = {} } = requests;
  const random = createRandom(seed >>> 0);
  const fixed = mix.length === 1 && Object.keys(draws).length === 0;
  const sources = Object.fromEntries(Object.entries(draws).map(([name, draw]) => [name, sourceOf(draw, random)]));
  return Array.from({ length: fixed ? 1 : count }, () => {
    let left = random();
    const template = mix.find(({ share }) => (left -= share) < 0) ?? mix.findLast(({ share }) => share > 0)!;
    const numbers = new Map(template.draws.map((name) => [name, sources[name]!()]));
    const text = (parts: readonly Part[]) => textOfParts(parts, (name) => valueOf(name, draws, numbers));
    return {
      method: template.method,
      path: text(template.path),
      headers: template.headers.map(([name, value]) => [name, text(value)] as const),
      body: bodyOfParts(template.body, text),
    };
  });
}

/** Requests for the one server of a plan. */
export const drawnRequestsOf = ({ targets: [{ requests }], seed }: LoadPlan): DrawnRequest[] =>
  drawRequests(requests, seed);

/** The input of generators that take a list of addresses, and one body for all. */
export const listFiles: NonNullable<Generator["input"]> = (plan) => ({
  "urls.txt": drawnRequestsOf(plan).map(({ path }) => `${plan.targets[0].url}${path}\n`).join(""),
  "body.txt": drawnRequestsOf(plan)[0]!.body,
});

function valueOf(name: string, draws: NonNullable<RequestPlan["draws"]>, numbers: ReadonlyMap<string, number>): string {
  const draw = draws[name]!;
  const number = numbers.get(draw.kind === "same" ? draw.of : name)!;
  return formOf(number, draw.kind === "rows" ? undefined : draw.as);
}

const formOf = (number: number, form: Form = "decimal") =>
  form === "decimal" ? String(number) : mixedHex(number, form.hex16);

/** A source of numbers for a draw; other kinds were refused before. */
function sourceOf(draw: Draw, random: Random): () => number {
  switch (draw.kind) {
    case "zipf":
      return zipf(draw.below, draw.exponent, random);
    case "hot":
      return () => Math.floor(random() * (random() < draw.share ? draw.keys : draw.below));
    case "uniform":
      return uniform(draw.below, random);
    default:
      return () => 0;
  }
}

/** The first 64 numbers of van der Corput's sequence, times 64: the bits of the index reversed. */
const VAN_DER_CORPUT = Array.from(
  { length: 64 },
  (_, n) => parseInt([...n.toString(2).padStart(6, "0")].reverse().join(""), 2),
);

/** Uniform numbers that cover all parts of the range evenly, as in wrk.lua. */
function uniform(below: number, random: Random): () => number {
  const strata = VAN_DER_CORPUT.length;
  let place = 0, order = 0;
  return () => {
    if (place === 0) order = Math.floor(random() * strata);
    const stratum = VAN_DER_CORPUT[place]! ^ order;
    place = (place + 1) % strata;
    return Math.min(below - 1, Math.floor((stratum + random()) / strata * below));
  };
}

/** Number k with a chance in proportion to 1 / (k + 1)^exponent, by its distribution function and a search in it. */
function zipf(below: number, exponent: number, random: Random): () => number {
  const sums = new Float64Array(below);
  let sum = 0;
  for (let k = 0; k < below; k++) sums[k] = sum += (k + 1) ** -exponent;
  return () => {
    const sought = random() * sum;
    let low = 0, high = below - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle]! > sought) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
