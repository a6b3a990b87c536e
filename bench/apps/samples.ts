import type { Draw, RequestPlan } from "../../suites/suite.ts";
import { formOf } from "../plan/example-request.ts";
import type { ReplySample } from "../record/user-spec.ts";
import { createRandom, type Random } from "../basics/random.ts";
import { checkRows, rowsToDraw } from "./rows-to-draw.ts";
import { bodyOfParts, type Part, splitMix, textOfParts } from "../generators/request-mix.ts";

/** The number of sample requests of a kind that draws, and of one that does not. */
const DRAWN = 4;
const FIXED = 1;

/** Seed of the draws: constant, so that a plan made again sends the same requests. */
const SEED = 1;

/** Upper end of the serial numbers, below those of the first load's first thread: see suites/suite.ts. */
const LAST_SERIAL = 2 ** 24 - 1;

/** Some requests of each kind, whole. Throws an Error in one line where the requests make no sense. */
export function samplesOf(requests: RequestPlan): Omit<ReplySample, "reply">[] {
  const random = createRandom(SEED);
  const draws = requests.draws ?? {};
  const mix = splitMix(requests);
  for (const template of mix) checkRows(template, draws);
  return mix.flatMap((template, of) =>
    Array.from({ length: template.draws.length > 0 ? DRAWN : FIXED }, (_, n) => {
      const drawn = new Map<string, number | string>(
        template.draws.map((name) => [name, valueOf(draws[name]!, n, random)]),
      );
      const text = (parts: readonly Part[]) => textOfParts(parts, (name) => textOf(name, draws, drawn));
      const body = bodyOfParts(template.body, text);
      return {
        of,
        method: template.method,
        path: text(template.path),
        headers: Object.fromEntries(template.headers.map(([name, value]) => [name, text(value)])),
        ...(body === "" ? {} : { body }),
      };
    })
  );
}

/** True if a kind of request is never the same twice, so that its replies cannot be compared. */
export function drawsSerially(requests: RequestPlan, of: number): boolean {
  return splitMix(requests)[of]!.draws.some((name) => requests.draws![name]!.kind === "serial");
}

function valueOf(draw: Draw, n: number, random: Random): number | string {
  switch (draw.kind) {
    case "rows": {
      const lines = rowsToDraw(draw.file);
      return lines[Math.floor(random() * lines.length)]!;
    }
    case "serial":
      return draw.from + LAST_SERIAL - n;
    case "same":
      return 0;
    default:
      // A request that may miss is sent with a missing key as well.
      return n === 0 && draw.miss !== undefined && draw.miss.share > 0 ? draw.below : Math.floor(random() * draw.below);
  }
}

function textOf(name: string, draws: NonNullable<RequestPlan["draws"]>, drawn: ReadonlyMap<string, number | string>) {
  const draw = draws[name]!;
  const value = drawn.get(draw.kind === "same" ? draw.of : name)!;
  return typeof value === "string" ? value : formOf(value, draw.kind === "rows" ? undefined : draw.as);
}
