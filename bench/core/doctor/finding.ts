import { type Reading, valueOf } from "../../record/samples.ts";
import type { MachineFacts } from "./facts.ts";

/** What a finding means for results: nothing, doubt, no results at all, or that nobody can tell. */
export type FindingStatus = "ok" | "costs" | "blocks" | "unknown";

/** One thing looked at. */
export interface Finding {
  /** Stable name, kebab-case. */
  readonly id: string;
  readonly title: string;
  readonly status: FindingStatus;
  /** What was read, or why it could not be. */
  readonly seen: string;
  /** What it costs the numbers, or may cost them; null when it is ok. */
  readonly cost: string | null;
  /** The command that mends it; null with a `reason` when there is none. */
  readonly mend: string | null;
  readonly reason: string | null;
}

/** What can be done about a finding. */
export type Mend = { readonly command: string } | { readonly none: string };

/** Starts the findings about one subject; each costs what is said here, unless it says otherwise itself. */
export function about(id: string, title: string, usualCost: string) {
  const make = (status: FindingStatus) => (seen: string, mend: Mend, cost = usualCost): Finding => ({
    id,
    title,
    status,
    seen,
    cost,
    mend: "command" in mend ? mend.command : null,
    reason: "none" in mend ? mend.none : null,
  });
  const findings = {
    ok: (seen: string): Finding => ({ ...make("ok")(seen, { none: "nothing to mend" }), cost: null }),
    costs: make("costs"),
    blocks: make("blocks"),
    unknown: make("unknown"),
  };
  return {
    ...findings,
    /** Judges a reading, or reports it as unknown with the reason it could not be read. */
    from: <T>(reading: Reading<T>, mend: Mend, judge: (value: T, subject: typeof findings) => Finding): Finding =>
      "value" in reading ? judge(reading.value, findings) : findings.unknown(reading.unreadable, mend),
  };
}

/** A command that needs the rights of root, as this user has to type it. */
export function asRoot(root: boolean, command: string): Mend {
  return { command: root ? command : `sudo ${command}` };
}

/** Writes a kernel setting, as this user has to type it. */
export function writeSetting(root: boolean, value: string, files: string): Mend {
  return {
    command: root && !files.includes("*")
      ? `echo ${value} > ${files}`
      : `echo ${value} | ${root ? "" : "sudo "}tee ${files}`,
  };
}

/** Whether this is known to be a guest. */
export const isGuest = (facts: MachineFacts): boolean => valueOf(facts.virtualMachine) !== null;

/** Why nothing here mends what only the machine below can change. */
export function noneHere(facts: MachineFacts): Mend {
  if (isGuest(facts)) return { none: "only outside this VM" };
  if (valueOf(facts.container) !== null) return { none: "only outside this container" };
  return { none: facts.os === "darwin" ? "macOS does not offer it" : "this kernel does not offer it" };
}

/** A share as people read it: `0.3 %`, `12 %`. */
export function percent(share: number): string {
  const value = share * 100;
  return `${value === 0 ? "0" : value < 0.05 ? "< 0.1" : value < 9.95 ? value.toFixed(1) : Math.round(value)} %`;
}
