import { SUITES } from "../suites/registry.ts";
import { linesOf } from "./faults/catalogue.ts";
import { chosenFaults, measureFaults } from "./faults/measure-faults.ts";
import { measureFuzz } from "./fuzz/fuzz.ts";
import { measureStreams } from "./fuzz/streams/measure-streams.ts";
import { measureOntime } from "./ontime/prove.ts";
import { measureCeiling } from "./self/ceiling.ts";
import { measureEnsembles } from "./self/ensembles.ts";
import type { Measurement } from "./self/measurements.ts";
import type { PartName, SelfOptions } from "./self/options.ts";
import { measureRecovery } from "./self/recover.ts";
import type { SelfSite } from "./self/self-site.ts";

/** A part with its options. */
export interface LabPart {
  readonly measure: (site: SelfSite) => Promise<Measurement[]>;
  /** Its cases, a line each, for `--list`. */
  readonly lines?: () => string[];
}

/** The parts of `bench self`. */
export const PARTS: Readonly<Record<PartName, (options: SelfOptions) => LabPart>> = {
  ceiling: () => ({ measure: (site) => measureCeiling(site, SUITES) }),
  ensembles: () => ({ measure: measureEnsembles }),
  recover: () => ({ measure: measureRecovery }),
  fuzz: (options) => ({ measure: (site) => measureFuzz(site, SUITES, options) }),
  streams: (options) => ({ measure: (site) => measureStreams(site, options) }),
  faults: ({ faults: names, quick }) => {
    const choice = { names, quick };
    return { measure: (site) => measureFaults(site, choice), lines: () => linesOf(chosenFaults(choice)) };
  },
  ontime: () => ({ measure: measureOntime }),
};

/** Parts that need no prepared files. */
export const WITHOUT_FILES: readonly PartName[] = ["faults", "ontime", "streams"];
