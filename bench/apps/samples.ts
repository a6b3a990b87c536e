import { readFileSync, statSync } from "node:fs";
import type { Draw, RequestPlan } from "../../suites/suite.ts";
import { writtenNumber } from "../plan/example-request.ts";
import type { ReplySample } from "../record/user-spec.ts";
import { createRandom, type Random } from "../basics/random.ts";
import { bodyOfBytes } from "../basics/body-bytes.ts";
import {
  bodyOfParts,
  type Part,
  pathFault,
  splitMix,
  type SplitTemplate,
  textOfParts,
} from "../generators/request-mix.ts";

/** The number of sample requests of a kind that draws, and of one that does not. */
const DRAWN = 4;
const FIXED = 1;

/** Seed of the draws: constant, so that every plan of one suite sends the same requests. */
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
      const body = bodyOfParts(template.body, text), { first } = requests.mix[of]!;
      return {
        of,
        method: template.method,
        path: text(template.path),
        headers: Object.fromEntries(template.headers.map(([name, value]) => [name, text(value)])),
        ...(body === "" ? {} : { body }),
        ...(first === undefined ? {} : { first }),
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
  return typeof value === "string" ? value : writtenNumber(value, draw.kind === "rows" ? undefined : draw.as);
}

/** The lines of a file as wrk's script reads them, without their ends. Throws an Error that names a faulty line. */
export function rowsToDraw(file: string): string[] {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new Error(`requests: there is no file of rows "${file}"`);
  }
  const body = bodyOfBytes(readFileSync(file));
  const lines = (typeof body === "string" ? body : readFileSync(file, "utf8")).split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines.length === 0) throw new Error(`requests: "${file}" has no lines`);
  const refuse = (what: string, isWrong: (line: string) => boolean) => {
    const n = lines.findIndex(isWrong);
    if (n >= 0) throw new Error(`requests: "${file}", line ${n + 1}: ${what}`);
  };
  if (lines[0]!.startsWith("\ufeff")) refuse("begins with a byte order mark: save it without", () => true);
  if (typeof body !== "string") refuse("is no UTF-8", (line) => line.includes("\ufffd"));
  refuse("holds a null byte", (line) => line.includes("\0"));
  return lines.map((line) => line.replace(/\r$/, ""));
}

/** Throws an Error that names the row which cannot stand in the path or in a header of a request. */
function checkRows({ path, headers }: SplitTemplate, draws: NonNullable<RequestPlan["draws"]>): void {
  const check = (parts: readonly Part[], faultOf: (row: string) => string | null) => {
    for (const part of parts) {
      const draw = typeof part === "object" && "name" in part ? draws[part.name]! : undefined;
      if (draw?.kind !== "rows") continue;
      for (const [n, row] of rowsToDraw(draw.file).entries()) {
        const fault = faultOf(row);
        if (fault !== null) throw new Error(`requests: "${draw.file}", line ${n + 1}: ${fault}`);
      }
    }
  };
  check(path, pathFault);
  for (const [name, value] of headers) {
    check(value, (row) => /[^\t -~]/.test(row) ? `cannot stand in header "${name}": only ASCII can` : null);
  }
}
