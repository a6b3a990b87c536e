/** How values are told apart in pictures: by colour and by shape, the same in each. It takes no library, because the page runs it too. */
import type { PlanAxis } from "../record/cell-schema.ts";

/** Colours there are: `--s0` to `--s9` in style.css, {@link LIGHT} and {@link DARK} in files that stand alone. */
export const COLOURS = 10;
/** On white; each at least 4.5 to 1. */
export const LIGHT: readonly string[] =
  "#7a5195 #b52f6c #9a5800 #1f6fb2 #1d7152 #5f646c #6d4c33 #c03020 #536d00 #0a717b".split(" ");
/** On near black. */
export const DARK: readonly string[] = "#c79be8 #f58ab5 #f2b04f #6fb7f2 #6bcfa5 #b5bac2 #d3a987 #ff9d8a #b6d45a #5fd0dc"
  .split(" ");

/** Shapes there are; their number shares no factor with that of colours, so seventy values look unlike. */
export const SHAPES = ["circle", "square", "triangle", "diamond", "cross", "star", "wye"] as const;

/** How a value is drawn. */
export interface Look {
  /** Place among the colours. */
  readonly colour: number;
  readonly shape: (typeof SHAPES)[number];
}

/**
 * The look of each of some values by its text. It follows from the text alone as far as no two want the same, so that a
 * value looks alike in reports of different runs.
 */
export function looksOf(texts: readonly string[]): ReadonlyMap<string, Look> {
  const room = Math.max(COLOURS, texts.length);
  const taken = new Set<number>();
  return new Map(texts.map((text) => {
    let slot = hashOf(text) % COLOURS;
    while (taken.has(slot)) slot = (slot + 1) % room;
    taken.add(slot);
    return [text, { colour: slot % COLOURS, shape: SHAPES[slot % SHAPES.length]! }];
  }));
}

/** The looks of an axis's values; of none without an axis. */
export function axisLooks(axis: PlanAxis | null): ReadonlyMap<string, Look> {
  return looksOf(axis?.values.map(({ text }) => text) ?? []);
}

/** 32 bits of FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The outline of a shape around a place, as the `d` of an SVG path. */
export function shapePath(shape: Look["shape"], x: number, y: number, r: number): string {
  const corners = (count: number, turn: number, size = r) =>
    Array.from({ length: count }, (_, n) => {
      const angle = turn + 2 * Math.PI * n / count;
      return `${short(x + size * Math.sin(angle))} ${short(y - size * Math.cos(angle))}`;
    });
  const closed = (points: readonly string[]) => `M${points.join("L")}Z`;
  if (shape === "square") return closed(corners(4, Math.PI / 4, 1.25 * r));
  if (shape === "diamond") return closed(corners(4, 0, 1.3 * r));
  if (shape === "triangle") return closed(corners(3, 0, 1.3 * r));
  if (shape === "wye") return closed(corners(3, Math.PI, 1.3 * r));
  if (shape === "star") {
    const [outer, inner] = [corners(5, 0, 1.45 * r), corners(5, Math.PI / 5, 0.65 * r)];
    return closed(outer.flatMap((point, n) => [point, inner[n]!]));
  }
  if (shape === "cross") {
    const [a, b] = [0.42 * r, 1.2 * r];
    const at = ([dx, dy]: readonly [number, number]) => `${short(x + dx)} ${short(y + dy)}`;
    return closed(
      ([[-a, -b], [a, -b], [a, -a], [b, -a], [b, a], [a, a], [a, b], [-a, b], [-a, a], [-b, a], [-b, -a], [
        -a,
        -a,
      ]] as const).map(at),
    );
  }
  return `M${short(x - r)} ${short(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
}

/** A place in a drawing with the digits that can be seen. */
export const short = (value: number): string => String(Math.round(10 * value) / 10);
