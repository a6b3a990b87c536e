import { readFileSync } from "node:fs";
import type { Body, Draw, Opening, RequestPlan } from "../../suites/suite.ts";
import { createRandom, type Random } from "../basics/random.ts";
import { writtenNumber } from "../plan/example-request.ts";
import { bodyOfParts, originOf, type Part, splitMix, textOfParts } from "./request-mix.ts";

/** The number of examples of a template that draws, and of one that does not: two show if its replies vary. */
export const FEW_DRAWN = 16;
const FIXED = 2;

/** One request, whole. */
export interface ExampleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
  readonly opening?: Opening;
}

/**
 * Some requests of each template: of what draws both ends, one that misses, and others. None of a template that never sends
 * the same twice. Throws an Error in one line where they cannot be sent.
 *
 * @param drawing the number of examples of a template that draws
 */
export function exampleRequests(requests: RequestPlan, seed: number, drawing = FEW_DRAWN): ExampleRequest[][] {
  const random = createRandom(seed >>> 0);
  const files = new Map<string, readonly string[]>();
  const { draws = {} } = requests;
  const replies = requests.websocket?.firstReplies ?? 0;
  return splitMix(requests).map((template, of) => {
    const { first } = requests.mix[of]!;
    if (template.draws.some((name) => draws[name]!.kind === "serial")) return [];
    return Array.from({ length: template.draws.length === 0 ? FIXED : drawing }, (_, n) => {
      const drawn = new Map(template.draws.map((name) => [name, drawnOf(draws[name]!, n, random, files)]));
      const text = (parts: readonly Part[]) =>
        textOfParts(parts, (name) => {
          const value = drawn.get(originOf(requests, name))!;
          const draw = draws[name]!;
          return typeof value === "string" ? value : writtenNumber(value, "as" in draw ? draw.as : undefined);
        });
      return {
        method: template.method,
        path: text(template.path),
        headers: Object.fromEntries(template.headers.map(([name, value]) => [name, text(value)])),
        ...(template.body.length === 0 ? {} : { body: bodyOfParts(template.body, text) }),
        ...(first === undefined ? {} : { opening: { message: first, replies } }),
      };
    });
  });
}

/** The n-th value: both ends first, then a miss; for skewed draws more of the frequent ranks. */
function drawnOf(draw: Draw, n: number, random: Random, files: Map<string, readonly string[]>): number | string {
  if (draw.kind === "rows") return rowOf(draw.file, random, files);
  if (draw.kind === "serial" || draw.kind === "same") return 0;
  if (n === 0) return 0;
  if (n === 1) return draw.below - 1;
  if (n === 2 && draw.miss !== undefined && draw.miss.share > 0) return draw.below;
  const rank = draw.kind !== "uniform" && n % 2 === 0 ? draw.below ** random() - 1 : random() * draw.below;
  return Math.min(draw.below - 1, Math.floor(rank));
}

function rowOf(file: string, random: Random, files: Map<string, readonly string[]>): string {
  const lines = files.get(file) ?? readFileSync(file, "utf8").split(/\r?\n/).filter((line) => line !== "");
  files.set(file, lines);
  return lines[Math.floor(random() * lines.length)] ?? "";
}
