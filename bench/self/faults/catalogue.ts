import { DISK_FAULTS } from "./disk-faults.ts";
import { ENVIRONMENT_FAULTS } from "./environment-faults.ts";
import { type Fault, GROUPS } from "./fault.ts";
import { FILE_FAULTS } from "./file-faults.ts";
import { GENERATOR_FAULTS } from "./generator-faults.ts";
import { INPUT_FAULTS } from "./input-faults.ts";
import { LOCK_FAULTS } from "./lock-faults.ts";
import { SERVER_FAULTS } from "./server-faults.ts";
import { SIGNAL_FAULTS } from "./signal-faults.ts";

/** Every fault there is, in the order they are tried. */
export const CATALOGUE: readonly Fault[] = [
  ...SERVER_FAULTS,
  ...GENERATOR_FAULTS,
  ...FILE_FAULTS,
  ...DISK_FAULTS,
  ...SIGNAL_FAULTS,
  ...LOCK_FAULTS,
  ...ENVIRONMENT_FAULTS,
  ...INPUT_FAULTS,
];

/** Words a fault may be asked for by. */
export const GROUPS_AND_NAMES: readonly string[] = [...GROUPS, ...CATALOGUE.map(({ name }) => name)];

/** What a fault has to give, in a few words. */
export function expectedOf(fault: Fault): string {
  if (fault.kind === "bench") return fault.expected;
  return fault.marks === "none" ? "measured all the same" : `marked ${fault.marks.join(" or ")}`;
}
