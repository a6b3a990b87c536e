import type { Finding, Grade } from "../record/finding.ts";
import type { Reading } from "../record/samples.ts";
import { type MachineFacts, ROWS } from "./machine-facts.ts";
import { findingOf, noneHere, type Row, type SeenRow, unknown } from "./row.ts";
import type { WatchFacts } from "./watch.ts";

const rows = Object.entries(ROWS) as unknown as readonly [keyof MachineFacts, Row<unknown> | SeenRow<unknown>][];

/** Returns rows with their readings, without those that need a watch if there was none. */
function readingsOf(facts: MachineFacts, watch?: WatchFacts) {
  return rows.flatMap(([code, row]) => {
    const reading = "seen" in row ? row.seen(facts, watch) : facts[code] as Reading<unknown>;
    return reading === null ? [] : [{ code, row, reading }];
  });
}

/** Judges every row, in the order shown. */
export function judgeMachine(facts: MachineFacts, watch: WatchFacts): Finding[] {
  return readingsOf(facts, watch).map(({ code, row, reading }) => {
    const none = row.untold === undefined ? noneHere(facts) : { none: row.untold };
    const judged = "value" in reading ? row.judge(reading.value, facts, watch) : unknown(reading.unreadable, none);
    return findingOf(code, row, judged);
  });
}

/**
 * Grades a machine. A run passes only the facts read at once; the doctor adds those it watched for a second. A needed fact
 * that could not be read counts against the machine: dedicated is a claim that needs proof.
 */
export function gradeOf(facts: MachineFacts, watch?: WatchFacts): Grade {
  const shared = readingsOf(facts, watch).flatMap(({ row, reading }) => {
    if ("value" in reading) return row.shared?.(reading.value, facts, watch) ?? [];
    return row.needed === undefined ? [] : [`${row.needed} cannot be read (${reading.unreadable})`];
  });
  if (facts.topology.cpus === null) return { grade: "advisory", reasons: [facts.topology.why, ...shared] };
  if (shared.length > 0) return { grade: "shared", reasons: shared };
  const proven = [
    "server and generator on cores of their own",
    "bare metal, clock held, no boost",
    "nothing else runs",
  ];
  return { grade: "dedicated", reasons: watch === undefined ? proven : [...proven, "a canary ran steadily"] };
}

/** Returns true if no finding costs figures; unknown facts do not count. */
export function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ effect }) => effect === null || effect === "note");
}
