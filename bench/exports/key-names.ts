import type { PlanAxis } from "../record/cell-schema.ts";

/**
 * A key for each axis in a form that has rules for keys. `clean` makes it from the axis; one that is taken gets a
 * number.
 */
export function keyNames(
  axes: readonly PlanAxis[],
  taken: readonly string[],
  clean: (axis: PlanAxis) => string,
): readonly { readonly key: string; readonly axis: PlanAxis }[] {
  const used = new Set(taken);
  return axes.map((axis) => {
    const base = clean(axis);
    let key = base;
    for (let n = 2; used.has(key); n++) key = `${base}_${n}`;
    used.add(key);
    return { key, axis };
  });
}
