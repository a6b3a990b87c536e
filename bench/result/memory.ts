import { AA, pointKey } from "../record/cell.ts";
import { isOfCalls, type Worded } from "../record/in-words.ts";
import type { Member } from "../record/observation-record.ts";
import type { Summary } from "../record/summary.ts";
import { voidedByOthers } from "../judge/contention.ts";
import type { Lines } from "../judge/lines.ts";
import type { Compared } from "../statistics/evidence.ts";
import { median } from "../statistics/median.ts";
import { noiseFloor } from "../statistics/noise-floor.ts";
import { judgeFamily } from "../statistics/verdict.ts";
import { fasterFirst } from "../record/inverse.ts";
import type { MeasuredCell } from "./measured-cells.ts";

type Moment = keyof NonNullable<Member["memory"]>;
/** Bytes by round. */
type Readings = ReadonlyMap<number, number>;

/**
 * What servers held, judged pair by pair as their speed is: ratios within rounds, a noise floor from A/A twins, one level for
 * each question. A process that only calls a function is no server; what one keeps of each request is no figure of it.
 */
export function memoryOf(
  plan: Worded,
  cells: readonly MeasuredCell[],
  families: Summary["families"],
  lines: Lines,
): Pick<Summary, "memory"> {
  const moments = (["loaded", "started", "rested"] as const).flatMap((moment) => {
    const told = new Map(cells.map((cell) => [cell.name, { cell, bytes: readingsOf(cell, lines, moment) }]));
    const known = [...told].filter(([, { bytes }]) => bytes.size > 0);
    return known.length === 0 ? [] : [{
      moment,
      cells: known.map(([name, { bytes }]) => ({ name, bytes: median([...bytes.values()]) })),
      ...judged(told, families, moment === "started"),
    }];
  });
  return moments.length === 0 || isOfCalls(plan) ? {} : { memory: moments };
}

function judged(
  told: ReadonlyMap<string, { readonly cell: MeasuredCell; readonly bytes: Readings }>,
  families: Summary["families"],
  unloaded: boolean,
) {
  const compared = (over: string, under: string): Compared => {
    const [own, other] = [told.get(over)!.bytes, told.get(under)!.bytes];
    const rounds = [...new Set([...own.keys(), ...other.keys()])].toSorted((a, b) => a - b);
    const pairs = rounds.map((round) => ({ round, over: own.get(round) ?? null, under: other.get(round) ?? null }));
    return { over, under, evidence: { kind: "rounds", pairs, better: "lower" } };
  };
  const objections = (name: string) =>
    told.get(name)!.cell.marks.filter(({ code }) => !unloaded && (code === "leak" || code === "memory-kept"))
      .map(({ text }) => `${name}: ${text}`);
  const own = [...told].filter(([, { cell }]) => cell.cell.label !== AA);
  const floor = noiseFloor(
    [...told].filter(([, { cell }]) => cell.cell.label === AA).flatMap(([twin, { cell }]) => {
      const base = own.find(([, other]) => pointKey(other.cell.cell.point) === pointKey(cell.cell.point));
      return base === undefined ? [] : [compared(base[0], twin)];
    }),
  );
  const questions = Map.groupBy(families, ({ kind, axis, title }) => `${kind} ${kind === "pair" ? title : axis}`);
  return {
    noise_floor: floor,
    families: [...questions.values()].flatMap((some) => {
      const asked = some.flatMap(({ comparisons }) => comparisons).map(({ over, under }) => ({
        ...compared(over, under),
        basis: "memory" as const,
        objections: [...objections(over), ...objections(under)],
      }));
      const made = judgeFamily(asked, { memory: floor }).comparisons.map(fasterFirst);
      return some.map(({ kind, axis, title, at, comparisons: { length } }) => ({
        ...{ kind, axis, title, at },
        comparisons: made.splice(0, length),
      }));
    }),
  };
}

/**
 * What a cell's server held at a moment in each round, the first where it was measured more than once. That others took CPU
 * time moves no memory.
 */
function readingsOf({ key }: MeasuredCell, { solo, together }: Lines, moment: Moment): Readings {
  const alone = (solo.get(key) ?? []).filter((one) => one.status === "ok" || voidedByOthers(one));
  const beside = together.filter(({ answered, members }) => answered && members.get(key)?.marks.length === 0)
    .map(({ round, members }) => ({ round, member: members.get(key)! }));
  return new Map(
    [...beside, ...alone].toReversed().flatMap(({ round, member }) => {
      const bytes = member.memory?.[moment];
      return bytes === undefined ? [] : [[round, bytes]];
    }),
  );
}
