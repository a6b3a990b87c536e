/** What a tool tells of a function: nanoseconds a call, and the range most of them are in. */
export interface Told {
  readonly low: number;
  readonly middle: number;
  readonly high: number;
}

/** What is clearly apart: so many times as long, and so many nanoseconds longer. */
const LEAST_TIMES = 1.5;
const LEAST_NS = 10;

/** Of two functions the faster one first. */
export type Won = readonly [winner: string, loser: string];

/** The pairs of which a tool's own answer is clear: their ranges do not meet, and they are well apart. */
export function clearlyApart(told: Readonly<Record<string, Told>>): Won[] {
  const all = Object.entries(told);
  return all.flatMap(([winner, a]) =>
    all.filter(([, b]) => a.high < b.low && b.middle > LEAST_TIMES * a.middle && b.middle - a.middle > LEAST_NS).map((
      [loser],
    ): Won => [winner, loser])
  );
}

/** Of the pairs of which all tools have a clear answer: how many there are, and those that tools order unlike the first. */
export function heldAgainst(tools: readonly (readonly Won[])[]): { readonly clear: number; readonly otherwise: Won[] } {
  const [first = [], ...others] = tools;
  const has = (tool: readonly Won[], [a, b]: Won) => tool.some(([winner, loser]) => winner === a && loser === b);
  const clear = first.filter(([a, b]) => others.every((tool) => has(tool, [a, b]) || has(tool, [b, a])));
  return { clear: clear.length, otherwise: clear.filter((pair) => others.some((tool) => !has(tool, pair))) };
}
