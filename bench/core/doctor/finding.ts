import type { Reading } from "../samples.ts";

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

/** A subject and how findings about it are made. */
export interface Subject {
  ok(seen: string): Finding;
  costs(seen: string, cost: string, mend: Mend): Finding;
  blocks(seen: string, cost: string, mend: Mend): Finding;
  unknown(seen: string, cost: string, mend: Mend): Finding;
  /** Judges a reading, or reports it as unknown with the reason it could not be read. */
  from<T>(
    reading: Reading<T>,
    otherwise: { readonly cost: string; readonly mend: Mend },
    judge: (value: T) => Finding,
  ): Finding;
}

/** Starts the findings about one subject. */
export function about(id: string, title: string): Subject {
  const make = (status: FindingStatus) => (seen: string, cost: string, mend: Mend): Finding => ({
    id,
    title,
    status,
    seen,
    cost,
    mend: "command" in mend ? mend.command : null,
    reason: "none" in mend ? mend.none : null,
  });
  const unknown = make("unknown");
  return {
    ok: (seen) => ({ id, title, status: "ok", seen, cost: null, mend: null, reason: "nothing to mend" }),
    costs: make("costs"),
    blocks: make("blocks"),
    unknown,
    from: (reading, otherwise, judge) =>
      "value" in reading ? judge(reading.value) : unknown(reading.unreadable, otherwise.cost, otherwise.mend),
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
