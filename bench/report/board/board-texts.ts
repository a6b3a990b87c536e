import { type BoardMachine, type BoardRun, kept, type RunMachine } from "../../result/board/board-run.ts";
import type { TalliedComparison, TalliedMachine } from "../../result/board/tally.ts";
import { moved } from "../../result/across-machines.ts";
import { counted, formatBytes, formatRatio } from "../../basics/units.ts";
import { sameText } from "../across-machines.ts";
import { type Html, markup } from "../page/html.ts";
import type { Field } from "../page/table-html.ts";

/** So many machines are named in one field; others are counted. */
const MOST_NAMED = 4;

/** `2 CPUs, 7.8 GiB, Linux 6.1 x64, KVM`: a machine but for the kind of its CPU; then the one its load came from. */
export function machineFactsText({ load, ...own }: BoardMachine): string {
  return load === undefined ? factsText(own) : `${factsText(own)}; load from ${factsText(load)}`;
}

function factsText({ cpus, memory_bytes, os, kernel, architecture, ...rest }: RunMachine): string {
  const { virtualization, container } = rest;
  return [
    counted(cpus, "CPU"),
    formatBytes(memory_bytes),
    `${os} ${kernel} ${architecture}`,
    ...(virtualization === null ? [] : [virtualization]),
    ...(container === null ? [] : [container]),
  ].join(", ");
}

/** `deno over node (Runtime), iron, 10k kg`. */
export function comparisonText({ comparison: { axis, over, under, at } }: TalliedComparison): string {
  return kept(`${over} over ${under} (${axis})${at === "" ? "" : `, ${at}`}`);
}

/** `1.31 to 1.44, 1.10 × between machines`; of one machine its ratio; a dash where none decided it. */
export function ratiosText({ comparison: { moves, seen } }: TalliedComparison): string {
  if (moves !== null) {
    return `${formatRatio(moves.least)} to ${formatRatio(moves.greatest)}, ${
      formatRatio(moved(moves))
    } × between machines`;
  }
  const [ratio] = seen.flatMap((each) => each?.ratio ?? []);
  return ratio === undefined ? "–" : `${formatRatio(ratio)} ×`;
}

/** `2 of 3; bun wins on intel-6-85; open on apple-m2`, in the colour of what it says. */
export function heldField({ comparison, machines }: TalliedComparison, all: readonly TalliedMachine[]): Field {
  const names = machines.map((place) => all[place]!.name);
  const text = kept(sameText(comparison, names, MOST_NAMED));
  const { outcome } = comparison;
  return { text, level: outcome === "holds" ? "good" : outcome === "turns" ? "bad" : "warn" };
}

/** Heads over {@link runFields}. */
export const RUN_HEADS = ["run", "suite", "started", "what to take", "grade", "cells", "rounds", "state"];

/** A run in a list: its name leads to its page. */
export function runFields(run: BoardRun): Field[] {
  const link: Html = markup`<a href="${`run/${run.id}.html`}">${run.run}</a>`;
  const marked = run.marks.length > 0;
  return [
    link,
    run.suite.name,
    run.started_at.slice(0, 16).replace("T", " "),
    run.answer,
    run.grade,
    String(run.cells),
    String(run.rounds),
    { text: marked ? kept(run.marks.join("; ")) : run.state, level: marked ? "bad" : "good" },
  ];
}
