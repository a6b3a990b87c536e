/** Real benchmarks are judged by their structure: what only an idle machine can give is no part of it. */
import assert from "node:assert/strict";
import { type MarkCode, MARKS } from "../bench/record/mark.ts";

/** Marks that a busy machine can bring about, or a process that was halted for some seconds. */
const OF_THE_MACHINE: readonly MarkCode[] = [
  ...["contended", "clock-changed", "core-not-full", "too-few-requests", "timeouts", "server-hung"] as const,
  ...["rate-not-kept", "near-ceiling", "service-waited-for", "steal", "foreign-cpu", "foreign-cpu-beside"] as const,
  ...[
    "cpu-wait",
    "server-waited",
    "generator-wait",
    "spread",
    "trend",
    "warming-up",
    "slowing-down",
    "never-steady",
  ] as const,
  ...["noisy-warm-up", "later-work", "rounds-lost", "in-flight-counted", "few-replies", "workers-crowded"] as const,
];

/** A cell or an observation with what was found wrong with it. */
interface Judged {
  readonly status: string;
  readonly marks?: readonly { readonly code: string; readonly text: string }[] | null;
}

const isVoid = (code: string) => MARKS[code as MarkCode].effect === "voids";

/**
 * Asserts that nothing is wrong with cells or observations but what the machine can do, and that those are "ok" which no
 * mark voids. Gives these.
 */
export function soundOf<T extends Judged>(judged: readonly T[]): T[] {
  for (const { status, marks } of judged) {
    const codes = (marks ?? []).map(({ code }) => code);
    const told = JSON.stringify(marks);
    assert.deepEqual(codes.filter((code) => !OF_THE_MACHINE.some((own) => own === code)), [], told);
    // A cell has no voiding mark of its own where all its rounds are void.
    if (status === "ok") assert.deepEqual(codes.filter(isVoid), [], told);
    else assert.deepEqual([status, codes.length > 0], ["invalid", true], told);
  }
  return judged.filter(({ status }) => status === "ok");
}

/** The exit code of a run with these cells: 3 where one of them is not sound. */
export const exitCodeOf = (cells: readonly Judged[]): number => cells.every(({ status }) => status === "ok") ? 0 : 3;
