import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { formatRatio, orDash } from "../basics/units.ts";
import { compareVersions } from "../plan/versions.ts";
import type { Figures, Subject } from "../record/card.ts";
import type { Comparison } from "../record/comparison.ts";
import { comparisonOf } from "../record/inverse.ts";
import { isJudged, type Judged, shownInterval, signLegend, VERDICTS } from "../record/verdicts.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import type { TitledTable } from "./table.ts";
import { figuresIn } from "./figures.ts";

/** One version of a runtime at one place. */
export interface VersionRow {
  readonly place: string;
  readonly label: string;
  readonly name: string;
  /** Its speed over that of the oldest, with the interval that its verdict was read from; null without a verdict. */
  readonly ratio: number | null;
  readonly interval: Pick<Judged["interval"], "low" | "high"> | null;
  readonly verdict: Comparison["verdict"] | null;
  /** The proven step from the version before it. */
  readonly step: "faster" | "slower" | null;
  /** Mean speed of the versions around it between which no step is proven; null where none has one. */
  readonly level: number | null;
  readonly card: Figures | undefined;
}

/** Versions of a runtime at each place, the oldest first. */
interface VersionRows {
  readonly runtime: string;
  readonly rows: readonly VersionRow[];
}

/** The runtimes of which a run measured several versions. */
export function versionRows(
  { runtimes }: Pick<RunRecord, "runtimes">,
  { families, cells }: Pick<Summary, "families" | "cells">,
  cards: readonly (Subject & Figures)[],
): VersionRows[] {
  return RUNTIME_NAMES.flatMap((runtime) => {
    const versions = runtimes.filter(({ name }) => name === runtime)
      .toSorted((a, b) => compareVersions(a.version, b.version));
    const rows = versions.length < 2 ? [] : families.filter(({ kind }) => kind === "axis").flatMap((family) => {
      const inFamily = new Set(family.comparisons.flatMap(({ over, under }) => [over, under]));
      const members = versions.flatMap(({ label }) =>
        cells.filter(({ name, cell }) => inFamily.has(name) && cell.point.at[family.axis!] === label)
          .map(({ name }) => ({ label, name, card: cards.find((card) => card.name === name) }))
      );
      return members.length < 2 ? [] : rowsOfPlace(family, members);
    });
    return rows.length === 0 ? [] : [{ runtime, rows }];
  });
}

function rowsOfPlace(
  { title, comparisons }: Summary["families"][number],
  members: readonly Pick<VersionRow, "label" | "name" | "card">[],
): VersionRow[] {
  const oldest = members[0]!.name;
  let group = 0;
  const rows = members.map((member, n) => {
    const first = n === 0 ? undefined : comparisonOf(member.name, oldest, comparisons);
    const verdict = n === 0 ? undefined : comparisonOf(member.name, members[n - 1]!.name, comparisons)?.verdict;
    const step = verdict === "faster" || verdict === "slower" ? verdict : null;
    if (step !== null) group++;
    const ratio = n === 0 ? 1 : first?.ratio ?? null;
    const interval = first !== undefined && isJudged(first) ? shownInterval(first) : null;
    return { ...member, place: title, ratio, interval, verdict: first?.verdict ?? null, step, group };
  });
  return rows.map(({ group, ...row }) => {
    const alike = rows.flatMap((other) => other.group === group && other.ratio !== null ? [other.ratio] : []);
    return { ...row, level: alike.length === 0 ? null : alike.reduce((sum, each) => sum + each, 0) / alike.length };
  });
}

const signAfter = (verdict: Comparison["verdict"]) => ` ${VERDICTS[verdict].sign}`.trimEnd();

const STEPS = { faster: "▲ faster", slower: "▼ slower" } as const;

/** Versions of a runtime as a table; the place is a column only where there are several. */
export function versionTable({ runtime, rows }: VersionRows): TitledTable {
  const several = new Set(rows.map(({ place }) => place)).size > 1;
  const figures = figuresIn("versions"), legend = signLegend(rows.flatMap(({ verdict }) => verdict ?? []));
  return {
    title: `Versions of ${runtime}: speed, ${rows[0]!.label} = 1`,
    isText: (column) => column <= Number(several),
    heads: [...(several ? ["at"] : []), "version", "speed", "interval", "step", ...figures.map(({ head }) => head)],
    ...(legend === "" ? {} : { remark: legend }),
    rows: rows.map(({ place, label, ratio, interval, verdict, step, card }) => [
      ...(several ? [place] : []),
      label,
      orDash(ratio, formatRatio) + (interval === null ? "" : signAfter(verdict!)),
      interval === null ? "–" : `${formatRatio(interval.low)}–${formatRatio(interval.high)}`,
      step === null ? "" : STEPS[step],
      ...figures.map(({ key, format }) => orDash(card?.[key], format)),
    ]),
  };
}

/** The meaning of the figures of versions. */
export const VERSIONS_NOTE =
  "Speed is CPU time per request against the oldest version, all measured together; a step is " +
  "told where a version and the one before it are proven to differ. Memory and the time until it listens are of each server alone.";
