import { counted } from "../basics/units.ts";
import { waitsAlone } from "../judge/waiting.ts";
import { isOfServer, voidedByOthers } from "../judge/status.ts";
import { timedWork, timedWorkText } from "../judge/timed-work.ts";
import { AA, atWithout, cellKey, MAIN, pointKey } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import { everyTwo, familiesOf, plansVerdict } from "../plan/families.ts";
import { mark, markOf, rowOf, withoutFollowing } from "../record/mark.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { WordedPlan } from "../record/in-words.ts";
import type { Plan } from "../record/plan.ts";
import { type NoiseFloor, noiseFloor } from "../statistics/noise-floor.ts";
import { rank } from "../statistics/rank.ts";
import { fasterFirst } from "../record/inverse.ts";
import { type ComparisonInput, judgeFamily } from "../statistics/verdict.ts";
import { type EnsembleTable, gaugeOf, tableOf } from "./block-tables.ts";
import { isLowerBound } from "../judge/bound.ts";
import { isInTurn, isUnsupported, rateMarks, statusMarks } from "./cell-card.ts";
import { titleOf } from "./checks.ts";
import { crowdingMark } from "./crowding.ts";
import { lossesAlone, lossesTogether, lostAlone, lostTogether } from "./lost-rounds.ts";
import type { Floors, MeasuredCell } from "./measured-cells.ts";
import { soloRounds } from "./ratio-evidence.ts";
import type { Summary } from "../record/summary.ts";
import { useText } from "./service-texts.ts";
import { aloneDoubt, driftDoubt, isOfKnownSize } from "./window-drift.ts";

type Family = Summary["families"][number];

interface JudgedBy {
  readonly words?: WordedPlan;
  /** True if only cells that use their services the same way are compared. */
  readonly like?: boolean | undefined;
  readonly tables: readonly EnsembleTable[];
  readonly floors: Partial<Floors> & { readonly memory?: NoiseFloor };
  /** The looks at these verdicts that share one error; one by default. */
  readonly looks?: number;
  /** Returns the input of a comparison; speed by default. */
  readonly inputOf?: (over: MeasuredCell, under: MeasuredCell) => ComparisonInput;
}

interface JudgedAsOne {
  readonly level: Summary["questions"][number];
  readonly families: readonly Family[];
}

/** The verdicts of a run: of its contrast axes and labels, an axis a question, then of cells named by hand. */
export function judgedFamilies(
  plan: Plan,
  cells: readonly MeasuredCell[],
  by: JudgedBy,
): { families: Family[]; questions: Summary["questions"] } {
  const kept = cells.filter(({ planned, card }) => planned && (card === null || !isUnsupported(card)));
  const measuredAs = new Map(kept.map((measured) => [measured.cell, measured]));
  const grouped = Map.groupBy(
    familiesOf(plan.axes, [...measuredAs.keys()]),
    ({ kind, axis }) => JSON.stringify([kind, axis]),
  );
  const placesOf = (cells: readonly Cell[]) => cells.map((cell) => measuredAs.get(cell)!.place);
  const judgeable = new Set(
    [...grouped.values()].flat().filter(({ cells }) => plansVerdict(plan, placesOf(cells))),
  );
  const questions = [...grouped.values()].map((every): JudgedAsOne => {
    // Places that the plan cannot judge are left out, unless it can judge none.
    const families = judgeable.size > 0 ? every.filter((family) => judgeable.has(family)) : every;
    const members = families.map((family) => family.cells.map((cell) => measuredAs.get(cell)!));
    const { comparisons, level } = judgedTogether(members.map((each) => everyTwo(each)), by);
    const { kind, axis } = every[0]!;
    return {
      level: { kind, axis, ...level },
      families: families.map(({ at, cells }, n): Family => {
        const ranking = rank(members[n]!.map((member) => candidateOf(member, by)), comparisons[n]!);
        return {
          kind,
          axis,
          title: titleOf(plan, at, kind === "axis" ? cells[0]!.label : MAIN),
          at,
          comparisons: comparisons[n]!,
          ranking: ranking.groups.map(({ rank, cells }) => ({ rank, cells: [...cells] })),
          unranked: ranking.unranked.map(({ cell, marks }) => ({ cell, marks: [...marks] })),
        };
      }),
    };
  });
  const all = [...questions, ...pairQuestions(plan, cells, by)];
  return { families: all.flatMap(({ families }) => families), questions: all.map(({ level }) => level) };
}

const candidateOf = ({ name, card, planned }: MeasuredCell, { tables }: JudgedBy) => ({
  cell: name,
  speed: card?.requests_per_second ?? 0,
  marks: card === null
    ? planned ? [mark("not-measured", "it was not measured")] : []
    : card.status === "ok" || voidedByOthers(card) && tables.some(({ members }) => members.includes(name))
    ? []
    : statusMarks(card).map((given): Mark => ({ ...given, text: `it is ${card.status}` })),
});

type Pair = readonly [MeasuredCell, MeasuredCell];

/** Judges the pairs of several families as one; the comparisons come back by family, the faster one over the other. */
function judgedTogether(families: readonly (readonly Pair[])[], by: JudgedBy) {
  const { looks = 1 } = by;
  const { comparisons, family } = judgeFamily(
    families.flat().map(([over, under]) => by.inputOf?.(over, under) ?? inputOf(over, under, by)),
    by.floors,
    looks,
  );
  const stored = comparisons.map(fasterFirst);
  let next = 0;
  return {
    comparisons: families.map(({ length }) => stored.slice(next, next += length)),
    level: {
      comparisons: family.comparisons / looks,
      level: family.level,
      level_each: family.levelEach,
      ...(looks === 1 ? {} : { looks }),
    },
  };
}

/** Cells named by hand, with or without common values: every two of an ensemble are compared. */
function pairQuestions(plan: Plan, cells: readonly MeasuredCell[], by: JudgedBy): JudgedAsOne[] {
  return plan.ensembles.filter(({ purpose }) => purpose === "pair").flatMap((ensemble): JudgedAsOne[] => {
    const members = ensemble.cells.map((place) => cells[place]!).filter(({ cell }) => cell.label !== AA);
    if (members.length < 2) return [];
    const { comparisons, level } = judgedTogether([everyTwo(members)], by);
    const first = members[0]!.cell.point.at;
    const differing = Object.keys(first).filter((axis) =>
      members.some(({ cell }) => cell.point.at[axis] !== first[axis])
    );
    return [{
      level: { kind: "pair", axis: null, ...level },
      families: [{
        kind: "pair",
        axis: null,
        title: members.map(({ name }) => name).join(" against "),
        at: atWithout(first, ...differing),
        comparisons: comparisons[0]!,
        ranking: [],
        unranked: [],
      }],
    }];
  });
}

/** If both were planned together, those observations decide; else sound rates of each alone. */
function inputOf(
  over: MeasuredCell,
  under: MeasuredCell,
  { tables, like = false, words = {} }: JudgedBy,
): ComparisonInput {
  const names = { over: over.name, under: under.name };
  const shared = tableOf(tables, over.place, under.place);
  const broken = [over, under].flatMap(({ card }) =>
    // Other processes during a cell's load alone do not affect its load together with the second cell.
    card === null || shared !== undefined && voidedByOthers(card) ? [] : statusMarks(card)
  );
  if (like) broken.push(...unlikeUse(over, under));
  if (shared !== undefined) {
    const lost = lossesTogether(shared, [over.name, under.name]);
    const crowded = crowdingMark(shared, over.name, under.name);
    return {
      ...names,
      basis: "together",
      evidence: { kind: "blocks", table: shared },
      marks: [
        ...(lost.length > 0 ? lost : broken),
        // Other marks of cells concern only their rates alone.
        ...withoutFollowing([
          ...[over, under].flatMap(({ name, marks }) => marks.filter(isOfServer).map((given) => markOf(name, given))),
          ...[over, under].flatMap(({ name }) => restlessMarks(shared, name)),
        ]),
        ...(crowded === null ? [] : [crowded]),
        ...timedMarks(shared, [over.name, under.name]),
      ],
      doubt: driftDoubt(shared, over.name, under.name) ?? undefined,
      gauge: gaugeOf(shared, over.name, under.name),
    };
  }
  const alone = [over, under].map(({ name, card, marks, solo }) => {
    const waits = waitsAlone(solo);
    // The cost of a request, which a warm-up lowers, is not what limits a server that waits.
    const says = (given: Mark) =>
      given.effect === "withholds" && !isOfKnownSize(given) && !(waits && rowOf(given).helps === "warmup");
    return [
      ...(card === null ? [] : rateMarks(card, waits || isInTurn(words, solo))),
      ...marks.filter(says).map((given) => markOf(name, given)),
    ];
  });
  const limit = limitOf([over, under], alone);
  const pairs = soloRounds(over.solo, under.solo);
  const lost = lossesAlone([over, under], pairs);
  return {
    ...names,
    basis: "solo",
    evidence: { kind: "rounds", pairs, better: "higher" },
    marks: lost.length > 0 ? lost : limit === undefined ? [...broken, ...alone.flat()] : broken,
    doubt: aloneDoubt([over, under]),
    limit,
  };
}

/** Returns the side whose rate alone is a lower bound, with the marks that say so; undefined if there is none. */
function limitOf(sides: readonly MeasuredCell[], marks: readonly (readonly Mark[])[]): ComparisonInput["limit"] {
  const limited = sides.map(({ card }, n) =>
    card !== null && isLowerBound(card.bound) &&
    marks[n]!.every((given) => rowOf(given).of === "limit")
  );
  const [side] = limited.flatMap((isLimited, n) => isLimited && marks[1 - n]!.length === 0 ? [n] : []);
  return side === undefined ? undefined : { side: side === 0 ? "over" : "under", marks: marks[side]! };
}

function unlikeUse(over: MeasuredCell, under: MeasuredCell): Mark[] {
  const [use, other] = [over, under].map(({ card }) => card && useText(card));
  const text = `unlike use: ${over.name} ${use ?? "unknown"}; ${under.name} ${other ?? "unknown"}`;
  return use === other ? [] : [mark("unlike-use", text)];
}

/** Returns the mark of a server that was still changing against the others when most windows began; nothing for others. */
function restlessMarks({ members, rounds }: EnsembleTable, name: string): Mark[] {
  const place = members.indexOf(name);
  const restless = rounds.filter(({ moving }) => moving[place]).length;
  if (2 * restless <= rounds.length) return [];
  const when = `when ${restless} of ${counted(rounds.length, "window")} began`;
  return [{ ...mark("restless", `${name} was still changing against the others ${when}`), cell: name }];
}

/** Returns the marks of those of some servers that turns do not count the work of; nothing for others. */
function timedMarks({ lines, members: cells }: EnsembleTable, names: readonly string[]): Mark[] {
  const keys = lines.flatMap(({ members }) => members).map(({ cell }) => cellKey(cell));
  return timedWork(lines.map(({ line }) => line)).flatMap(({ member, ...found }) => {
    const name = cells[keys.indexOf(cellKey(member.cell))]!;
    return names.includes(name) ? [{ ...mark("timed-work", timedWorkText(name, found)), cell: name }] : [];
  });
}

/** The A/A twins of a run, each with the cell it is the same as before it. */
export const twinsOf = (cells: readonly MeasuredCell[]): Pair[] =>
  cells.filter(({ cell }) => cell.label === AA).flatMap((twin): Pair[] => {
    const key = pointKey(twin.cell.point);
    const base = cells.find(({ cell }) => cell.label !== AA && pointKey(cell.point) === key);
    return base === undefined ? [] : [[base, twin]];
  });

/** The noise floors of a run from its twins. */
export function floorsOf(cells: readonly MeasuredCell[], tables: readonly EnsembleTable[]): Floors {
  const twins = twinsOf(cells);
  const shared = twins.flatMap(([{ name: over, place }, { name: under, place: other }]) => {
    const table = tableOf(tables, place, other);
    return table === undefined ? [] : [{ over, under, table }];
  });
  return {
    together: withLost(
      shared.flatMap(({ over, under, table }) => lostTogether(table, [over, under]) ?? []),
      noiseFloor(
        shared.map(({ over, under, table }) => ({ over, under, evidence: { kind: "blocks" as const, table } })),
      ),
    ),
    solo: withLost(
      twins.flatMap((pair) => pair.flatMap(({ name, solo }) => lostAlone(name, solo) ?? [])),
      noiseFloor(
        twins.filter((pair) => pair.every(({ solo }) => solo.length > 0)).map(([over, under]) => ({
          over: over.name,
          under: under.name,
          evidence: { kind: "rounds" as const, pairs: soloRounds(over.solo, under.solo), better: "higher" as const },
        })),
      ),
    ),
  };
}

/** Returns a floor that is unknown because rounds were lost with their cause. */
const withLost = ([lost]: readonly Mark[], floor: NoiseFloor): NoiseFloor =>
  floor.kind === "unknown" && lost !== undefined ? { kind: "unknown", mark: lost } : floor;
