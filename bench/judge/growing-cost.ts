import { counted, formatBytes, formatUs } from "../basics/units.ts";
import { mark } from "../record/mark.ts";
import type { Member } from "../record/observation-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { endlessRise, type Life } from "../statistics/endless-rise.ts";
import { median } from "../statistics/median.ts";
import { costOf } from "../statistics/slices.ts";
import { sum } from "../statistics/variation.ts";

/**
 * Parts of a warm-up whose costs are compared: few and long, since short ones scatter. Of growths by a factor of two that
 * were put upon published warm-ups three parts find half as many again as six.
 */
const PARTS = 3;

/** Share of a warm-up left out at its begin: engines compile, so costs fall and hide a growth. */
const COMPILED = 1 / 8;

type Lived = Pick<Member, "warmup" | "parts" | "sizes">;

/** CPU time per request in ns over the life of a server; without costs if they were not recorded. */
export function lifeOf({ warmup, parts }: Lived): Life {
  const slices = warmup?.slices?.[0] ?? [];
  const used = slices.slice(Math.floor(slices.length * COMPILED));
  const at = (part: number) => Math.round(part * used.length / PARTS);
  const joined = Array.from({ length: PARTS }, (_, n) => used.slice(at(n), at(n + 1))).map((part) => ({
    requests: sum(part.map(([requests]) => requests)),
    cpu_ns: sum(part.map(([_, cpuNs]) => cpuNs)),
  }));
  return { costs: joined.flatMap((part) => costOf(part) || []), window: parts && costOf(parts[1]) || null };
}

/** Returns the mark of a server whose cost grew through each of its lives: a longer run measures another cost. */
export function growingMark(members: readonly Lived[]): Mark | null {
  const lives = members.map(lifeOf).filter(({ costs }) => costs.length > 0);
  const rise = endlessRise(lives);
  if (rise === null) return null;
  const first = median(lives.map(({ costs }) => costs[0]!));
  const last = median(lives.map(({ costs, window }) => window ?? costs.at(-1)!));
  return mark(
    "cost-grows",
    `its cost grows without end: ${formatUs(first / 1e3)} a request at first, ${formatUs(last / 1e3)} in the last ` +
      `window, in ${rise.rising} of ${counted(rise.lives, "round")}${heldText(members)}; no figure exists`,
  );
}

/** The growth of memory as a share from which it is named next to that of the cost. */
const HELD = 0.25;

function heldText(members: readonly Lived[]): string {
  const sizes = members.flatMap(({ sizes = [] }) =>
    sizes.length < 2 ? [] : [[sizes[0]![1], sizes.at(-1)![1]] as const]
  );
  if (sizes.length === 0) return "";
  const [first, last] = [median(sizes.map(([begin]) => begin)), median(sizes.map(([, end]) => end))];
  return last < first * (1 + HELD) ? "" : `, while its memory grew from ${formatBytes(first)} to ${formatBytes(last)}`;
}
