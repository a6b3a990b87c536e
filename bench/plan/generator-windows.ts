import { createRandom, shuffle } from "../basics/random.ts";
import type { Cell } from "../record/cell-schema.ts";
import { cellKey } from "../record/cell.ts";
import type { ContrastRow } from "../record/contrast-rows.ts";
import type { Observation, Window } from "../record/observation-record.ts";
import type { ExtraAxis, PlannedObservation } from "../record/plan.ts";

/** The axis `generator` of a plan. */
export type GeneratorAxis = Extract<ExtraAxis, { axis: "generator" }>;

/** Returns the position of a generator's window on the plan's axes. */
export const generatorAt = (generator: string, place: ContrastRow["place"]) =>
  ({ generator, place, requests: "one" }) as const;

/** The position of wrk's window with the cell's requests, drawn while loading. */
export const DRAWN = { generator: "wrk", place: "apart", requests: "drawn" } as const;

/** Returns the position of a generator's window at a share of the closed loop. */
export const pacedAt = (generator: string, share: string) =>
  ({ ...generatorAt(generator, "apart"), pace: share }) as const;

/** Returns the requests per second that are due in a window, of a closed loop's; undefined for another closed loop. */
export const pacePerSecond = ({ pace }: Window["at"], closedRate: number): number | undefined =>
  pace === undefined ? undefined : Math.max(1, Math.round(Number.parseFloat(String(pace)) / 100 * closedRate));

/** The windows of an observation along the axis `generator`, in an order drawn for the round. */
export function generatorWindows(
  { generators, open }: GeneratorAxis,
  places: readonly ContrastRow["place"][],
  { draw_seed }: Pick<PlannedObservation, "draw_seed">,
): Window["at"][] {
  const each = generators.flatMap((name) => places.map((place) => generatorAt(name, place)));
  const paced = (open?.generators ?? []).map((name) => pacedAt(name, open!.share));
  return shuffle<Window["at"]>([DRAWN, ...each, ...paced], createRandom(draw_seed));
}

/** The lines of a cell measured alone. */
export function linesOfCell(lines: readonly Observation[], cell: Cell): Observation[] {
  return lines.filter(({ members }) => cellKey(members[0]!.cell) === cellKey(cell));
}

/** True if a window has these values on its axes, and no others. */
export const standsAt = (at: Window["at"]) => (window: Pick<Window, "at">): boolean =>
  Object.keys(window.at).length === Object.keys(at).length &&
  Object.entries(at).every(([axis, value]) => window.at[axis] === value);

/** True if the figures of a window may be used. */
export const isSound = ({ marks, load }: Pick<Window, "marks" | "load">): boolean =>
  marks.length === 0 && load !== null;
