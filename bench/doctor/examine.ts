import type { Finding, Grade } from "../record/finding.ts";
import type { Reading } from "../record/samples.ts";
import { type MachineFacts, ROWS } from "./machine-facts.ts";
import { findingOf, judgedUnknown, type Row, type SeenRow } from "./row.ts";
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
    const judged = "value" in reading ? row.judge(reading.value, facts, watch) : judgedUnknown(reading.unreadable);
    return findingOf(code, row, judged);
  });
}

/** Grades a machine, by what was watched too if it was. An unreadable needed fact counts against it. */
export function gradeOf(facts: MachineFacts, watch?: WatchFacts): Grade {
  const against = (code: string, text: string) => ({ code, effect: "withholds", text }) as const;
  const shared = readingsOf(facts, watch).flatMap(({ code, row, reading }) => {
    if ("value" in reading) {
      const text = row.shared?.(reading.value, facts, watch) ?? null;
      return text === null ? [] : [against(code, text)];
    }
    return row.needed === undefined ? [] : [against(code, `${row.needed} cannot be read (${reading.unreadable})`)];
  });
  const { cpus, why } = facts.topology;
  if (cpus === null) return { grade: "advisory", reasons: [against("pinning", why), ...shared] };
  if (shared.length > 0) return { grade: "shared", reasons: shared };
  const proven = PROOFS.filter(({ code }) => watch !== undefined || code !== "canary");
  return { grade: "dedicated", reasons: proven.map((proof) => ({ ...proof, effect: "note" })) };
}

const PROOFS = [
  { code: "pinning", text: "server and generator on cores of their own" },
  { code: "governor", text: "bare metal, clock held, no boost" },
  { code: "load", text: "nothing else runs" },
  { code: "canary", text: "a canary ran steadily" },
] as const satisfies readonly { readonly code: keyof typeof ROWS; readonly text: string }[];

/** Returns true if no finding costs figures; unknown facts do not count. */
export function isWell(findings: readonly Finding[]): boolean {
  return findings.every(({ effect }) => effect === null || effect === "note");
}
