/**
 * Summaries of the version before: `levelfield.summary/6` had texts for unranked cells and for caveats of the answer, and
 * one code for marks of cells.
 */
import { orElse } from "../basics/errors.ts";
import { mark, OF_RUN } from "./mark.ts";
import type { Mark } from "./outcome-schema.ts";
import type { Summary } from "./summary.ts";

interface Before {
  readonly schema?: unknown;
  readonly answer: { readonly caveats: readonly string[] };
  readonly families: readonly {
    readonly unranked: readonly { readonly cell: unknown; readonly reasons: string[] }[];
  }[];
}

/** Returns a summary of the version before in the form of this one; any other value as it is. */
export function fromBefore(value: unknown): unknown {
  const before = value as Before | null;
  if (before?.schema !== "levelfield.summary/6") return value;
  const families = () =>
    before.families.map(({ unranked, ...family }) => ({
      ...family,
      unranked: unranked.map(({ cell, reasons }) => ({
        cell,
        marks: reasons.map((text) => mark("marked-cell", text)),
      })),
    }));
  const answer = () => {
    const { caveats, ...rest } = before.answer;
    return { ...rest, schema: "levelfield.answer/2", marks: caveats.map((text) => mark("caveat", text)) };
  };
  // A damaged one is left to the schema.
  return orElse(
    () => ({ ...before, schema: "levelfield.summary/7", families: families(), answer: answer() }),
    value,
  );
}

/** Returns true if a summary was written by the version before. */
export const isFromBefore = (summary: unknown): boolean =>
  /"code":"(marked-cell|caveat)"/.test(JSON.stringify(summary));

/** Returns a summary as {@link fromBefore} reads it from a file of the version before. */
export function asBefore(summary: Summary): Summary {
  const plain = ({ text }: Mark) => mark("marked-cell", text);
  const plainOf = (one: Mark) => one.cell === undefined && OF_RUN.includes(one.code) ? one : plain(one);
  const compared = (comparisons: Summary["families"][number]["comparisons"]) =>
    comparisons.map((one) => one.verdict === "no-verdict" ? { ...one, marks: one.marks.map(plainOf) } : one);
  return {
    ...summary,
    answer: { ...summary.answer, marks: summary.answer.marks.map(({ text }) => mark("caveat", text)) },
    families: summary.families.map((family) => ({
      ...family,
      comparisons: compared(family.comparisons),
      unranked: family.unranked.map(({ cell, marks }) => ({ cell, marks: marks.map(plain) })),
    })),
    ...(summary.memory === undefined ? {} : {
      memory: summary.memory.map((moment) => ({
        ...moment,
        families: moment.families.map((family) => ({ ...family, comparisons: compared(family.comparisons) })),
      })),
    }),
  };
}
