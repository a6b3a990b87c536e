import { isLowerBound } from "../../judge/bound.ts";
import { AA } from "../../record/cell.ts";
import type { CellCard } from "../../record/card.ts";
import type { Made } from "../across-machines.ts";
import type { RunRecord } from "../../record/run-record.ts";

/** What of one machine a board tells. */
export type RunMachine = Pick<
  RunRecord["machine"],
  "cpu_kind" | "cpu_model" | "cpus" | "memory_bytes" | "os" | "kernel" | "architecture" | "virtualization" | "container"
>;

/** A machine as a board has it: the servers', with the load generator's where that is another one. */
export interface BoardMachine extends RunMachine {
  readonly load?: RunMachine;
}

/** What a board keeps of a run that was verified: a line of it, whatever its size. */
export interface BoardRun {
  /** The hash of its seal, in hexadecimal: names its page and its file. */
  readonly id: string;
  /** The hash of its raw lines: no two measurements have the same. */
  readonly journal_sha256: string;
  /** Where it was found. */
  readonly found: string;
  readonly run: string;
  readonly suite: { readonly key: string; readonly name: string; readonly title: string };
  readonly machine: BoardMachine;
  readonly started_at: string;
  readonly state: RunRecord["state"];
  readonly grade: RunRecord["grade"]["grade"];
  readonly marks: readonly string[];
  /** What it says to take, in a line. */
  readonly answer: string;
  readonly cells: number;
  readonly rounds: number;
  /** `node 26.10.0`, `wrk 4.2.0`: what it rests on. */
  readonly tools: readonly string[];
  /** Version of Levelfield. */
  readonly version: string;
}

/** The rate of a cell of one run; it says something beside others of the same machine alone. */
export interface CellRate {
  readonly cell: string;
  readonly requests_per_second: number;
  /** True where generator or network was the limit, so that it is a lower bound. */
  readonly least: boolean;
}

/** A run with what tables are made from and is let go once they have it. */
export interface ReadBoardRun {
  readonly run: BoardRun;
  readonly comparisons: readonly Made[];
  readonly rates: readonly CellRate[];
}

/** What was found and is not shown, and why, in one line. */
export interface Refused {
  readonly found: string;
  readonly fault: string;
}

/** Longest text of a run that a board takes over; it is cut beyond. */
const MOST_TEXT = 300;

/** A text of a run as a board keeps it. */
export function kept(text: string): string {
  // A character may be two of a text's units.
  const characters = [...text.slice(0, 2 * MOST_TEXT + 2)];
  return characters.length <= MOST_TEXT ? text : `${characters.slice(0, MOST_TEXT).join("")}…`;
}

/** The machine's facts, or those of both, texts cut. */
export function machineOf({ machine, hosts }: Pick<RunRecord, "machine" | "hosts">): BoardMachine {
  const load = hosts?.load_machine;
  return { ...factsOf(machine), ...(load === undefined ? {} : { load: factsOf(load) }) };
}

function factsOf(machine: RunMachine): RunMachine {
  const { cpu_kind, cpu_model, cpus, memory_bytes, os, kernel, architecture, virtualization, container } = machine;
  return {
    cpu_kind: kept(cpu_kind),
    cpu_model: kept(cpu_model),
    cpus,
    memory_bytes,
    os: kept(os),
    kernel: kept(kernel),
    architecture: kept(architecture),
    virtualization: virtualization === null ? null : kept(virtualization),
    container: container === null ? null : kept(container),
  };
}

/**
 * What makes runs those of one suite: its name, and for suites that are not of this project what they were made from, since
 * anybody may call theirs `app`.
 */
export function suiteIdentity({ plan: { suite }, levelfield }: Pick<RunRecord, "plan" | "levelfield">): string {
  const { name, module, source, own } = suite;
  if (own !== undefined) {
    const servers = own.servers.map((server) =>
      server.kind === "app"
        ? [server.name, server.sha256]
        : server.kind === "command"
        ? [server.name, server.command, server.files]
        : [server.name, server.url]
    );
    return JSON.stringify([name, servers, own.requests, own.draws]);
  }
  if (source !== undefined) return JSON.stringify([name, source.sha256]);
  // A module given by its path counts as source of the run.
  return JSON.stringify(module === null ? [name] : [name, levelfield.source_sha256]);
}

/** Comparisons with no more of their axes than names need: what is kept for each of them must be small. */
export function leanComparisons(made: readonly Made[]): Made[] {
  const lean = new Map<Made["axis"], Made["axis"]>();
  const leanAxis = (axis: Made["axis"]) => {
    const known = lean.get(axis) ?? {
      ...axis,
      title: kept(axis.title),
      values: axis.values.map(({ value, text }) => ({ value, text: kept(text), facts: {} })),
    };
    lean.set(axis, known);
    return known;
  };
  let axes: readonly Made["axis"][] | undefined;
  return made.map((one) => ({ ...one, axis: leanAxis(one.axis), axes: axes ??= one.axes.map(leanAxis) }));
}

/** The rates of a run's cells as far as they are figures of a server under full load. */
export function ratesOf(cards: readonly CellCard[]): CellRate[] {
  return cards.flatMap(({ name, cell, status, requests_per_second: rate, bound, open_loop }) =>
    cell.label === AA || status !== "ok" || rate === null || open_loop !== undefined
      ? []
      : [{ cell: kept(name), requests_per_second: rate, least: isLowerBound(bound) }]
  );
}
