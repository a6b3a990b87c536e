import type { LatencyCell, TailRow } from "../../record/latency-cell.ts";
import { counted } from "../../basics/units.ts";
import { dueText, msText } from "./wait-sentence.ts";

/** The chance of a wrong verdict among all of a run. */
const ALPHA = 0.05;

/**
 * What may be said of cells beside each other, a sentence each: their waits at the one rate that all were given. One waits
 * less than another where each of its windows does; by chance that happens in 2 of all ways to share out the windows.
 */
export function betweenCells(cells: readonly Pick<LatencyCell, "name" | "tails" | "contradictions">[]): string[] {
  if (cells.length < 2) return [];
  const rows = cells.flatMap(({ name, tails, contradictions }) => {
    const row = tails.find((tail) => tail.name === "common");
    return row === undefined || row.p99_us === null || contradictions !== undefined ? [] : [{ name, row }];
  });
  if (rows.length < 2) {
    const none = cells.every(({ tails }) => tails.every(({ name }) => name !== "common"));
    return [
      none
        ? "cells are not compared: each was given rates of its own; --rate N gives all the same"
        : "cells are not compared: fewer than two have windows at the same rate that count",
    ];
  }
  const pairs = rows.flatMap((one, n) => rows.slice(n + 1).map((other) => inOrder(one, other)));
  const rate = dueText(rows[0]!.row.offered_per_second);
  const proven = pairs.filter(([less, more]) =>
    less.row.p99_most_us! < more.row.p99_least_us! && pairs.length * byChance(less.row.sound, more.row.sound) <= ALPHA
  );
  const open = pairs.filter((pair) => !proven.includes(pair));
  return [
    ...proven.map(([less, more]) =>
      `at ${rate} ${less.name} waits less than ${more.name}: p99 of ${range(less.row)} against ${range(more.row)}`
    ),
    ...(open.length === 0 ? [] : [
      `no difference found at ${rate} between ${
        open.map((pair) => pair.map(({ name }) => name).join(" and ")).join(", ")
      }` +
      `: ${whyOpen(open, pairs.length)}`,
    ]),
  ];
}

type Named = { readonly name: string; readonly row: TailRow };

const inOrder = (one: Named, other: Named): readonly [less: Named, more: Named] =>
  one.row.p99_us! <= other.row.p99_us! ? [one, other] : [other, one];

/** The chance that each of m values lies below each of n, or above, where none differ. */
function byChance(m: number, n: number): number {
  let ways = 1;
  for (let k = 1; k <= m; k++) ways *= (n + k) / k;
  return 2 / ways;
}

function whyOpen(open: readonly (readonly [Named, Named])[], pairs: number): string {
  const least = Math.min(...open.flat().map(({ row }) => row.sound));
  return pairs * byChance(least, least) > ALPHA
    ? `${counted(least, "window")} of one ${least === 1 ? "is" : "are"} too few for a verdict`
    : "their windows overlap";
}

const range = ({ p99_least_us: least, p99_most_us: most }: TailRow) => `${msText(least!)} to ${msText(most!)}`;
