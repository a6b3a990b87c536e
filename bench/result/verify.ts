import { derivedLine } from "../plan/derived-line.ts";
import { givenCpus } from "../plan/workers.ts";
import { counted } from "../basics/units.ts";
import { judgeLine } from "../judge/judge-line.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { RunRecord } from "../record/run-record.ts";
import { publish } from "./published.ts";
import { differences, differenceText } from "./run-changes.ts";
import { scheduleFaults, timeFaults, windowFaults } from "./schedule-faults.ts";

/** The files of a run's folder, as far as they could be read. */
export interface RunEvidence {
  readonly run: RunRecord;
  readonly lines: readonly Observation[];
  /** Parsed JSON of every file under cells/ and of summary.json, by name in the folder. */
  readonly published: ReadonlyMap<string, unknown>;
}

/** Returns a sentence for each thing a run says that its raw lines do not say; empty if there is none. */
export function faultsOfRun(evidence: RunEvidence): string[] {
  return [...rawFaults(evidence.run, evidence.lines), ...publishedFaults(evidence)];
}

/** Returns the differences between the published files and those that the lines give now. */
export function publishedFaults(
  { run, lines, published }: RunEvidence,
  expected: ReadonlyMap<string, unknown> = publish(run, lines).files,
): string[] {
  const faults: string[] = [];
  for (const [file, content] of expected) {
    const found = published.get(file);
    if (found === undefined) faults.push(`${file} is missing`);
    else {
      for (const difference of differences(found, JSON.parse(JSON.stringify(content)))) {
        faults.push(`${file} does not follow from the journal: ${differenceText(difference)}`);
      }
    }
  }
  for (const file of published.keys()) {
    if (!expected.has(file)) faults.push(`${file} has no observations`);
  }
  return faults;
}

/** Returns the faults of plan and raw lines: nothing published is looked at. */
export function rawFaults(run: RunRecord, lines: readonly Observation[]): string[] {
  return [
    ...scheduleFaults(run, lines),
    ...timeFaults(run, lines),
    ...windowFaults(run, lines),
    ...lines.flatMap((line) => lineFaults(line, run).map((fault) => `step ${line.index}: ${fault}`)),
  ];
}

/** Returns the differences after judging a line again: marks by code only, since earlier versions word them differently. */
function lineFaults(line: Observation, run: RunRecord): string[] {
  const again = judgeLine(derivedLine(line), givenCpus(run, line.members[0]!.cell));
  const derived = differences(line, again).filter(({ path }) => !path.split(".").includes("marks"))
    .map((difference) => `it does not follow from its other figures: ${differenceText(difference)}`);
  const given = markPlaces(again);
  const marks = markPlaces(line).flatMap((found, place) => [
    ...given[place]!.filter(({ code }) => !found.some((one) => one.code === code))
      .map(({ code, text }) => `its figures say "${code}", and it does not: ${text}`),
    ...found.filter(({ code }) => !given[place]!.some((one) => one.code === code))
      .map(({ code }) => `it says "${code}", and its figures do not`),
  ]);
  return [...marks, ...derived];
}

const markPlaces = ({ marks, members, windows = [] }: Observation): (readonly Mark[])[] => [
  marks,
  ...members.flatMap((member) => [member.marks, member.alone?.marks ?? []]),
  ...windows.map((window) => window.marks),
];

/** Returns a sentence with the number of warm-ups that cannot be judged again, and why; nothing if all can. */
export function unjudgedWarmups(lines: readonly Observation[]): string[] {
  const all = lines.flatMap(({ warmup, members }) => [warmup, ...members.map((member) => member.warmup)])
    .filter((warmup) => warmup !== null);
  const without = all.filter(({ slices }) => slices === null);
  if (without.length === 0) return [];
  const why = without[0]!.why_no_slices ?? "no reason kept";
  return [`${without.length} of ${counted(all.length, "warm-up")} cannot be judged again: ${why}`];
}
