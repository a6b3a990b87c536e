import { CLOCK_FAULTS } from "./clock-faults.ts";
import { DISK_FAULTS } from "./disk-faults.ts";
import { ENVIRONMENT_FAULTS } from "./environment-faults.ts";
import { type Fault, GROUPS, saysText } from "./fault.ts";
import { FILE_FAULTS } from "./file-faults.ts";
import { GENERATOR_FAULTS } from "./generator-faults.ts";
import { HOST_DISK_FAULTS } from "./host-disk-faults.ts";
import { HOST_FAULTS } from "./host-faults.ts";
import { INPUT_FAULTS } from "./input-faults.ts";
import { LOCK_FAULTS } from "./lock-faults.ts";
import { SERVER_FAULTS } from "./server-faults.ts";
import { SERVICE_FAULTS } from "./service-faults.ts";
import { SIGNAL_FAULTS } from "./signal-faults.ts";

/** Every fault there is, in the order they are tried. */
export const CATALOGUE: readonly Fault[] = [
  ...SERVER_FAULTS,
  ...SERVICE_FAULTS,
  ...GENERATOR_FAULTS,
  ...FILE_FAULTS,
  ...DISK_FAULTS,
  ...SIGNAL_FAULTS,
  ...LOCK_FAULTS,
  ...CLOCK_FAULTS,
  ...ENVIRONMENT_FAULTS,
  ...HOST_FAULTS,
  ...HOST_DISK_FAULTS,
  ...INPUT_FAULTS,
];

/** Words a fault may be requested by. */
export const GROUPS_AND_NAMES: readonly string[] = [...GROUPS, ...CATALOGUE.map(({ name }) => name)];

/** Name, what is injected and what has to come of it, of each fault of a group in a line. */
export function linesOf(faults: readonly Fault[]): string[] {
  return faults.map((fault) => `${fault.name.padEnd(24)} ${fault.injected}; ${expectedOf(fault)}`);
}

/** The expected outcome of a fault, in a few words. */
function expectedOf(fault: Fault): string {
  if (fault.kind === "bench") return fault.expected;
  const outcome = fault.marks === "none" ? "measured all the same" : `marked ${fault.marks.join(" or ")}`;
  return fault.says === undefined ? outcome : `${outcome}, ${saysText(fault.says)}`;
}
