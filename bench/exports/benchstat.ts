import { inWords, type Worded } from "../record/in-words.ts";
import { isLowerBound } from "../judge/bound.ts";
import { MAIN, shownAxes } from "../record/cell.ts";
import { printable } from "../report/align.ts";
import type { RunFiles } from "../page/shown-run.ts";
import type { Solo } from "../judge/lines.ts";
import { observedFigures } from "../judge/observed-figures.ts";
import { keyNames, soloObservations } from "./rows.ts";
import { FIGURES } from "../report/figures.ts";

/**
 * Go's benchmark format, for benchstat: one line for each observation of a cell alone that holds, so that benchstat sees
 * every round. The axes are keys of the name: `benchstat -col /runtime` compares on one. What does not hold is left out,
 * and what the generator limited carries its bound in the name: benchstat must not compare it with others.
 *
 * @see https://go.googlesource.com/proposal/+/master/design/14313-benchmark-format.md
 */
export function toBenchstat(files: RunFiles): string {
  const { run } = files;
  const head = [
    `goos: ${run.machine.os.toLowerCase()}`,
    `goarch: ${run.machine.architecture === "x64" ? "amd64" : run.machine.architecture}`,
    "pkg: levelfield",
    `cpu: ${run.machine.cpu_model}`,
    `run: ${run.run}`,
    `grade: ${run.grade.grade}`,
  ].map((line) => printable(line).replace(/\s+/g, " "));
  const keys = keyNames(shownAxes(run.plan.axes), ["label", "bound"], ({ option }) => option.replace(/[^\w.-]/g, "_"));
  const nameOf = ({ member: { cell: { point, label } }, bound }: Solo) => {
    const [first, ...rest] = point.suite;
    return [
      `Benchmark${escaped(`${first!.toUpperCase()}${rest.join("")}`)}`,
      ...keys.map(({ key, axis }) => `${key}=${escaped(String(point.at[axis.name]))}`),
      ...(label === MAIN ? [] : [`label=${escaped(label)}`]),
      ...(isLowerBound(bound) ? [`bound=${bound}`] : []),
    ].join("/");
  };
  const rows = soloObservations(files).filter(({ status, load }) => status === "ok" && load !== null)
    .map((solo) => [nameOf(solo), solo.load!.requests, ...figuresOf(run.plan, solo)].join("\t"));
  return [...head, "", ...rows, ""].join("\n");
}

/** A value as part of a name, which blanks and slashes would end: those are written `%20`, so different values stay different. */
const escaped = (text: string) => text.replace(/[\s/%\p{Cc}\p{Cf}]/gu, (character) => encodeURIComponent(character));

function figuresOf(plan: Worded, solo: Solo): string[] {
  const figures = observedFigures(solo);
  const text = (value: number, unit: string) => `${Number(value.toPrecision(7))} ${unit}`;
  return [
    text(1e9 / solo.load!.requests_per_second, "ns/op"),
    ...FIGURES.flatMap(({ key, benchstat }) => {
      const value = figures[key];
      return value === null || benchstat === undefined ? [] : [text(benchstat[1] * value, inWords(plan, benchstat[0]))];
    }),
  ];
}
