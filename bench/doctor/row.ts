import type { Finding } from "../record/finding.ts";
import type { Effect } from "../record/mark.ts";
import type { Topology } from "../plan/placement.ts";
import { type Reading, valueOf } from "../record/samples.ts";
import type { Ask } from "../machine/programs.ts";
import type { FileTree } from "../machine/readings.ts";
import type { WatchFacts } from "./watch.ts";

/** What rows read from on Linux: files of /proc and /sys, the CPUs this process may use, its environment. */
export interface Linux {
  readonly files: FileTree;
  readonly allowed: readonly number[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What rows read from on macOS: programs, and single settings of `sysctl`, which throw where there is none. */
export interface Mac {
  readonly ask: Ask;
  readonly setting: (name: string) => string;
}

/** What judges know of a machine besides the value of their row. */
export interface Around {
  readonly os: "linux" | "darwin";
  /** Whether this process may change the machine without sudo. */
  readonly root: boolean;
  /** CPUs this process may use and be pinned to. */
  readonly topology: Topology;
  /** The hypervisor's name; null on bare metal. */
  readonly "virtual-machine": Reading<string | null>;
  /** The container's kind; null outside one. */
  readonly container: Reading<string | null>;
}

/** A command, or why there is none. */
type Mend = string | { readonly none: string };

/** What a judge says; its row adds the rest. */
interface Judged {
  readonly effect: Effect | null;
  readonly text: string;
  readonly mend: Mend;
  /** Where it differs from what the row usually costs. */
  readonly cost?: string | undefined;
}

interface Judging<T> {
  /** Why nothing mends it where it cannot be read; left out, the machine itself does not offer it. */
  readonly untold?: string;
  /** Pure. */
  readonly judge: (value: T, around: Around, watch: WatchFacts) => Judged;
  /** Why a value keeps the machine from being dedicated, or null. A run has watched nothing. */
  readonly shared?: (value: T, around: Around, watch?: WatchFacts) => string | null;
  /** What the grade calls it, where a machine that does not tell it cannot be dedicated. */
  readonly needed?: string;
}

interface Reader<T> extends Judging<T> {
  /** Undefined where what was read has an unknown form. */
  readonly linux: (from: Linux) => T | undefined;
  /** A text says why macOS does not tell. */
  readonly darwin: ((from: Mac) => T | undefined) | string;
}

interface Known<T> extends Judging<T> {
  /** Follows from what is known already; null where nobody watched. */
  readonly seen: (around: Around, watch?: WatchFacts) => Reading<T> | null;
}

interface Head {
  readonly title: string;
  /** What it costs the numbers, or may cost them, where the judge does not say otherwise. */
  readonly cost: string;
}

/** One fact of a machine: how each system tells it, and what it means for results. */
export type Row<T> = Head & Reader<T>;
/** One fact that follows from what is known already, and what it means for results. */
export type SeenRow<T> = Head & Known<T>;

/** Makes a row. */
export const row = <T>(title: string, cost: string, rest: Reader<T>): Row<T> => ({ title, cost, ...rest });
/** Makes a row of what is known already. */
export const seenRow = <T>(title: string, cost: string, rest: Known<T>): SeenRow<T> => ({ title, cost, ...rest });

const judged = (effect: Effect) => (text: string, mend: Mend, cost?: string): Judged => ({ effect, text, mend, cost });
/** Says that all is well. */
export const ok = (text: string): Judged => ({ effect: null, text, mend: { none: "nothing to mend" } });
/** Says that nobody can tell. */
export const unknown = judged("note");
/** Says that figures are doubtful. */
export const costs = judged("withholds");
/** Says that nothing can be measured. */
export const blocks = judged("voids");

/** A row's finding from what its judge said. */
export function findingOf(code: string, { title, cost: usual }: Head, judged: Judged): Finding {
  const { effect, text, mend, cost = usual } = judged;
  const mended = typeof mend === "string" ? { mend, reason: null } : { mend: null, reason: mend.none };
  return { code, title, effect, text, cost: effect === null ? null : cost, ...mended };
}

/** A command that needs the rights of root, as this user has to type it. */
export const asRoot = ({ root }: Around, command: string): string => root ? command : `sudo ${command}`;

/** Writes a kernel setting, as this user has to type it. */
export function writeSetting({ root }: Around, value: string, files: string): string {
  if (root && !files.includes("*")) return `echo ${value} > ${files}`;
  return `echo ${value} | ${root ? "" : "sudo "}tee ${files}`;
}

/** Whether this is known to be a guest. */
export const isGuest = (around: Around): boolean => valueOf(around["virtual-machine"]) !== null;

/** Why nothing here mends what only the machine below can change. */
export function noneHere(around: Around): { readonly none: string } {
  if (isGuest(around)) return { none: "only outside this VM" };
  if (valueOf(around.container) !== null) return { none: "only outside this container" };
  return { none: around.os === "darwin" ? "macOS does not offer it" : "this kernel does not offer it" };
}
