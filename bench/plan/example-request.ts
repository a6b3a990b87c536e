import type { Draw, Form, RequestPlan } from "../../suites/suite.ts";

/**
 * The first kind of request of a plan, whole, with the first thing each placeholder may stand for.
 * @param firstRow gives the first line of a file
 */
export function exampleRequest({ mix, draws = {} }: RequestPlan, firstRow: (file: string) => string) {
  const drawn = (draw: Draw): string => {
    if (draw.kind === "rows") return firstRow(draw.file);
    return writtenNumber(numberOf(draw, draws), draw.as);
  };
  const filled = (text: string) =>
    Object.entries(draws).reduce((sum, [name, draw]) => sum.replaceAll(`{${name}}`, () => drawn(draw)), text);
  const { method = "GET", path, headers = {}, body } = mix[0]!;
  return {
    method,
    path: filled(path),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
    body: body === undefined ? null : typeof body === "string" ? filled(body) : body,
  };
}

function numberOf(draw: Draw, draws: NonNullable<RequestPlan["draws"]>): number {
  const other = draw.kind === "same" ? draws[draw.of] : undefined;
  if (other !== undefined && other.kind !== "same") return numberOf(other, draws);
  return draw.kind === "serial" ? draw.from : 0;
}

/** A number as the generator writes it; {@link Form} says how. */
export function writtenNumber(number: number, form: Form = "decimal"): string {
  return form === "decimal" ? String(number) : mixedHex(number, form.hex16);
}

/** A number mixed with four keys, as 16 hexadecimal digits. */
export function mixedHex(number: number, [a, b, c, d]: readonly [number, number, number, number]): string {
  const high = mixed(mixed(number, a), b);
  const low = mixed(mixed(high, c), d);
  return [high, low].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Marsaglia's xorshift32 (13, 17, 5) and an addition; the generator's script computes the same. */
function mixed(word: number, addend: number): number {
  let x = word;
  x ^= x << 13;
  x ^= x >>> 17;
  x ^= x << 5;
  return (x + addend) | 0;
}
