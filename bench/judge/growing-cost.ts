import { counted, formatBytes, formatUs } from "../basics/units.ts";
import { mark } from "../record/mark.ts";
import type { Member } from "../record/observation-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { endlessRise, type Life } from "../statistics/endless-rise.ts";
import { median } from "../statistics/median.ts";

/**
 * Parts of a warm-up whose costs are compared. Noise of short stretches is not that of longer ones: with eight parts a
 * third of the growths of factor three put upon published warm-ups were missed that three parts find.
 */
const PARTS = 3;

/** Share of a warm-up left out at its begin: engines compile, so costs fall and hide a growth. */
const COMPILED = 1 / 8;

/** The life of one server process: its warm-up alone, and its window. */
type Lived = Pick<Member, "warmup" | "parts" | "sizes">;

/** CPU time per request in ns over the life of a server; empty lists if it was not recorded. */
export function lifeOf({ warmup, parts }: Lived): Life {
  const slices = warmup?.slices?.[0] ?? [];
  const used = slices.slice(Math.floor(slices.length * COMPILED));
  const at = (part: number) => Math.round(part * used.length / PARTS);
  const joined = Array.from({ length: PARTS }, (_, n) =>
    used.slice(at(n), at(n + 1)).reduce(
      ([requests, cpuNs], slice) => [requests + slice[0], cpuNs + slice[1]] as const,
      [0, 0] as const,
    ));
  const costs = (work: readonly (readonly [requests: number, cpuNs: number])[]) =>
    work.filter(([requests, cpuNs]) => requests > 0 && cpuNs > 0).map(([requests, cpuNs]) => cpuNs / requests);
  return [costs(joined), costs((parts ?? []).map(({ requests, cpu_ns }) => [requests, cpu_ns] as const))];
}

/**
 * Returns the mark of a server whose CPU time per request grew through each of its lives and still grew at their ends;
 * null for any other. A longer run measures another cost, so there is no figure of it.
 *
 * @param members all ok observations of a cell, alone or together with others
 */
export function growingMark(members: readonly Lived[]): Mark | null {
  const lives = members.map(lifeOf);
  const rise = endlessRise(lives);
  if (rise === null) return null;
  const ends = lives.map((life) => life.flat()).filter(({ length }) => length > 0);
  const [first, last] = [median(ends.map((costs) => costs[0]!)), median(ends.map((costs) => costs.at(-1)!))];
  return mark(
    "cost-grows",
    `its cost grows without end: ${formatUs(first / 1e3)} a request at first, ${formatUs(last / 1e3)} in the last ` +
      `window, in ${rise.rising} of ${counted(rise.lives, "round")}${heldText(members)}; no figure exists`,
  );
}

/** The growth of memory as a share from which it is named next to that of the cost. */
const HELD = 0.25;

/** Returns the growth of memory over the same lives in words; empty if it grew little, or is unknown. */
function heldText(members: readonly Lived[]): string {
  const sizes = members.flatMap(({ sizes = [] }) =>
    sizes.length < 2 ? [] : [[sizes[0]![1], sizes.at(-1)![1]] as const]
  );
  if (sizes.length === 0) return "";
  const [first, last] = [median(sizes.map(([begin]) => begin)), median(sizes.map(([, end]) => end))];
  return last < first * (1 + HELD) ? "" : `, while its memory grew from ${formatBytes(first)} to ${formatBytes(last)}`;
}
