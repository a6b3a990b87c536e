import { bodyBytes } from "../../bench/basics/body-bytes.ts";
import type { Draw, RequestPlan } from "../../suites/suite.ts";
import { mixedHex } from "../../bench/plan/example-request.ts";
import type { Random } from "../../bench/basics/random.ts";
import { byteString, isUnsafe, type PlainRequest } from "./plain-request.ts";

/** The sound requests to a server: of its load, and of its oracle. */
export interface Corpus {
  readonly requests: readonly PlainRequest[];
  /** Paths somebody reads: a request that was tampered with must not write there, or the oracle would be told lies. */
  readonly read: ReadonlySet<string>;
}

/** Numbers a serial draw gives: few, so that what is written stays bounded however long it goes on. */
const SERIALS = 64;

/** A corpus of the requests given, each once. */
export function corpusOf(requests: readonly PlainRequest[]): Corpus {
  const distinct = new Map(requests.map((request) => [JSON.stringify(request), request]));
  return {
    requests: [...distinct.values()],
    read: new Set([...distinct.values()].filter(({ method }) => !isUnsafe(method)).map(({ path }) => path)),
  };
}

/** Some requests of a plan, so many of each kind. Those whose draws are lines of files are left out. */
export function plannedRequests(plan: RequestPlan, each: number, random: Random): PlainRequest[] {
  const draws = plan.draws ?? {};
  if (Object.values(draws).some(({ kind }) => kind === "rows")) return [];
  return plan.mix.flatMap(({ method = "GET", path, headers = {}, body }) =>
    Array.from({ length: each }, (): PlainRequest => {
      const numbers = new Map<string, number>();
      const filled = (text: string) =>
        byteString(
          text.replace(/\{(\w+)\}/g, (whole, name: string) => {
            const draw = draws[name];
            return draw === undefined || draw.kind === "rows"
              ? whole
              : textIn(draw, numberOf(name, draws, numbers, random));
          }),
        );
      return {
        method,
        path: filled(path),
        headers: Object.entries(headers).map(([name, value]) => [name, filled(value)] as const),
        body: body === undefined ? null : typeof body === "string" ? filled(body) : bodyBytes(body).toString("latin1"),
      };
    })
  );
}

/** The number a name stands for in one request. */
function numberOf(
  name: string,
  draws: Readonly<Record<string, Draw>>,
  known: Map<string, number>,
  random: Random,
): number {
  const draw = draws[name]!;
  const origin = draw.kind === "same" ? draw.of : name;
  const there = known.get(origin);
  if (there !== undefined) return there;
  const source = draws[origin]!;
  const number = source.kind === "serial"
    ? source.from + Math.floor(random() * SERIALS)
    : "below" in source
    ? Math.floor(random() * source.below)
    : 0;
  known.set(origin, number);
  return number;
}

const textIn = (draw: Exclude<Draw, { kind: "rows" }>, number: number): string =>
  draw.as === undefined || draw.as === "decimal" ? String(number) : mixedHex(number, draw.as.hex16);
