import { existsSync } from "node:fs";
import type { Args } from "../options/args.ts";
import { failure } from "../basics/errors.ts";
import type { Measurement } from "./self/measurements.ts";
import type { SelfSite } from "./self/self-site.ts";

/** Parts of `bench self` that stand in lab/: they run for hours, or measure what no user asks of his machine. */
export const LAB_PARTS = ["fuzz", "faults"] as const;

/** See {@link LAB_PARTS}. */
export type LabPartName = (typeof LAB_PARTS)[number];

/** A part whose options are read. */
export interface LabPart {
  readonly measure: (site: SelfSite) => Promise<Measurement[]>;
  /** What it would try, one a line, for `--list`. */
  readonly lines?: () => string[];
}

/** What lab/parts.ts offers: each part reads its own options and throws a usage error where one is wrong. */
export type Lab = Readonly<Record<LabPartName, (args: Args) => LabPart>>;

/** Only a checkout has it: the packages for npm, Nix and containers carry no lab. */
const LAB = new URL("../../lab/parts.ts", import.meta.url);

/**
 * Loads the lab, and only then. Throws a failure where it is not there.
 *
 * @param parts the parts that are asked for
 */
export async function openLab(parts: readonly LabPartName[], file: URL = LAB): Promise<Lab> {
  if (!existsSync(file)) {
    const which = `${parts.join(", ")} of bench self`;
    throw failure(`${which}: in lab/ of Levelfield's source, not in this package`, "run it from a checkout");
  }
  const { PARTS } = await import(file.href) as { readonly PARTS: Lab };
  return PARTS;
}
