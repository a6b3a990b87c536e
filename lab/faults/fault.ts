import type { Mark } from "../../bench/record/outcome-schema.ts";
import type { Stage } from "./stage.ts";

/** Kinds of faults, in the order they are tried. */
export const GROUPS = [
  "servers",
  "services",
  "generators",
  "files",
  "disks",
  "signals",
  "locks",
  "clocks",
  "environments",
  "hosts",
  "input",
] as const;

/** See {@link GROUPS}. */
export type Group = (typeof GROUPS)[number];

interface Any {
  /** Unique, lower-case letters, digits and dashes. */
  readonly name: string;
  readonly group: Group;
  readonly injected: string;
  /** True if the gate tries it. */
  readonly quick?: boolean;
  /** True if it waits for minutes and uses next to no CPU time: it then runs at the same time as others. */
  readonly waits?: boolean;
}

/** A server or a generator with a fault built in, measured as a cell of a run among sound ones. */
export interface CellFault extends Any {
  readonly kind: "cell";
  readonly group: "servers" | "generators";
  readonly runtime: "node" | "deno" | "bun";
  /** An app of this project's, somebody's own, or a program. */
  readonly as: "app" | "own" | "command";
  /** The mark of its cell: one of these reasons, or none where the fault does a measurement no harm. */
  readonly marks: readonly Mark["code"][] | "none";
  /** The words of the reason, or facts of a cell that is measured. */
  readonly says?: RegExp;
}

/** Anything else that is done to a bench: it runs whatever commands the fault needs and throws a {@link Missed}. */
export interface BenchFault extends Any {
  readonly kind: "bench";
  readonly expected: string;
  /** Why it cannot be injected here; null where it can. */
  readonly impossible?: () => string | null;
  /** A bench that is killed cannot clear up its temporary files. */
  readonly leavesFiles?: boolean;
  readonly inject: (stage: Stage) => Promise<void>;
}

/** A fault of a group without what all of the group have in common. */
export type FaultRow = Omit<BenchFault, "kind" | "group">;

/** Rows as faults of a group. */
export const ofGroup = (group: Group, rows: readonly FaultRow[]): BenchFault[] =>
  rows.map((row) => ({ ...row, kind: "bench", group }));

/** One fault of the catalogue. */
export type Fault = CellFault | BenchFault;

/** Marks that others on this machine may earn with any fault: they say nothing of the one that was injected. */
export const OF_OTHERS: readonly Mark["code"][] = ["contended", "clock-changed", "memory-short"];

/** The expected outcome of a fault that is a line. */
export const saysText = (says: RegExp): string => `says ${says.source.replaceAll("\\", "")}`;

/** A fault did not give what it has to give. */
export class Missed extends Error {
  override readonly name = "Missed";
}
