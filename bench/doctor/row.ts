import type { Finding } from "../record/finding.ts";
import type { Effect } from "../record/mark.ts";
import type { Topology } from "../plan/placement.ts";
import { type Reading, valueOf } from "../record/samples.ts";
import type { OutputOf } from "../machine/programs.ts";
import type { FileTree } from "../machine/readings.ts";
import type { WatchFacts } from "./watch.ts";

/** Sources of rows on Linux: files of /proc and /sys, the CPUs this process may use, its environment. */
export interface Linux {
  readonly files: FileTree;
  readonly allowed: readonly number[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Sources of rows on macOS: programs, and single settings of `sysctl`, which throw if they are missing. */
export interface Mac {
  readonly ask: OutputOf;
  readonly setting: (name: string) => string;
}

/** Facts of a machine that judges may use in addition to the value of their row. */
export interface Around {
  readonly os: "linux" | "darwin";
  /** True if this process may change the machine without sudo. */
  readonly root: boolean;
  /** CPUs this process may use and be pinned to. */
  readonly topology: Topology;
  /** The hypervisor's name; null on bare metal. */
  readonly "virtual-machine": Reading<string | null>;
}

interface Judged {
  readonly effect: Effect | null;
  readonly text: string;
  /** The command that mends it; null without one. */
  readonly mend: string | null;
  readonly cost?: string | undefined;
}

interface Judging<T> {
  readonly judge: (value: T, around: Around, watch: WatchFacts) => Judged;
  /** Returns why a value keeps the machine from being dedicated, or null. A run has watched nothing. */
  readonly shared?: (value: T, around: Around, watch?: WatchFacts) => string | null;
  /** Its name in the grade, if a machine cannot be dedicated without it. */
  readonly needed?: string;
}

interface Reader<T> extends Judging<T> {
  /** Returns undefined if the source has an unknown form. */
  readonly linux: (from: Linux) => T | undefined;
  /** A text says why macOS does not offer it. */
  readonly darwin: ((from: Mac) => T | undefined) | string;
}

interface Known<T> extends Judging<T> {
  /** Returns a value that follows from known facts; null if no watch took place. */
  readonly seen: (around: Around, watch?: WatchFacts) => Reading<T> | null;
}

interface Head {
  readonly title: string;
  /** Its cost or possible cost for the figures, unless the judge names another one. */
  readonly cost: string;
}

/** One fact of a machine: how each system shows it, and what it means for results. */
export type Row<T> = Head & Reader<T>;
/** One fact that follows from known ones, and what it means for results. */
export type SeenRow<T> = Head & Known<T>;

/** Makes a row. */
export const row = <T>(title: string, cost: string, rest: Reader<T>): Row<T> => ({ title, cost, ...rest });
/** Makes a row of known facts. */
export const seenRow = <T>(title: string, cost: string, rest: Known<T>): SeenRow<T> => ({ title, cost, ...rest });

const judged = (effect: Effect) => (text: string, mend?: string | null, cost?: string): Judged => (
  { effect, text, mend: mend ?? null, cost }
);
/** Judges that all is well. */
export const judgedWell = (text: string): Judged => ({ effect: null, text, mend: null });
/** Judges that a fact is unknown. */
export const judgedUnknown = judged("note");
/** Judges that figures are doubtful. */
export const judgedDoubtful = judged("withholds");
/** Judges that nothing can be measured. */
export const judgedBlocking = judged("voids");

/** Returns a row's finding from the verdict of its judge. */
export function findingOf(code: string, { title, cost: usual }: Head, judged: Judged): Finding {
  const { effect, text, mend, cost = usual } = judged;
  return { code, title, effect, text, cost: effect === null ? null : cost, mend };
}

/** Returns a command that needs the rights of root, as this user has to type it. */
export const asRoot = ({ root }: Around, command: string): string => root ? command : `sudo ${command}`;

/** Returns a command that writes a kernel setting, as this user has to type it. */
export function writeSetting({ root }: Around, value: string, files: string): string {
  if (root && !files.includes("*")) return `echo ${value} > ${files}`;
  return `echo ${value} | ${root ? "" : "sudo "}tee ${files}`;
}

/** Returns true if this is known to be a guest. */
export const isGuest = (around: Around): boolean => valueOf(around["virtual-machine"]) !== null;
