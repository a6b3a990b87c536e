/** Colours and shapes of values, the same in each picture. */
import { fnv1aOf } from "../basics/fnv.ts";
import type { PlanAxis } from "../record/cell-schema.ts";

const COLOURS = 10;

/** Shapes, whose number shares no factor with that of colours: seventy values look different. */
const SHAPES = ["circle", "square", "triangle", "diamond", "cross", "star", "wye"] as const;

/** How a value is drawn. */
export interface ValueLook {
  readonly colour: number;
  readonly shape: (typeof SHAPES)[number];
}

/** Values with a look on every page that no other value has. */
const RESERVED: readonly string[] = ["node", "deno", "bun"];

/** The look of each value, from its text alone unless two collide; a runtime always has its own. */
export function valueLooks(texts: readonly string[]): ReadonlyMap<string, ValueLook> {
  const first = RESERVED.length;
  const room = Math.max(COLOURS, first + texts.length);
  const taken = new Set<number>();
  return new Map(texts.map((text) => {
    const reserved = RESERVED.indexOf(text);
    let slot = reserved >= 0 ? reserved : first + hashOf(text) % (COLOURS - first);
    while (taken.has(slot)) slot = slot + 1 < room ? slot + 1 : first;
    taken.add(slot);
    return [text, { colour: slot % COLOURS, shape: SHAPES[slot % SHAPES.length]! }];
  }));
}

/** The looks of an axis's values; of none without an axis. */
export function axisLooks(axis: PlanAxis | null): ReadonlyMap<string, ValueLook> {
  return valueLooks(axis?.values.map(({ text }) => text) ?? []);
}

function hashOf(text: string): number {
  const hash = fnv1aOf(text);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The colour of a look, as drawings and pages name it. */
export const lookColour = (look: ValueLook | undefined): string => `var(--s${look?.colour ?? 5})`;
