import { gradeOf } from "../doctor/examine.ts";
import { machineFacts } from "../doctor/machine-facts.ts";
import type { Machine } from "../machine/machine.ts";
import { type Priority, raisedPriority } from "../machine/priority.ts";
import type { Topology } from "../plan/placement.ts";
import type { Grade } from "../record/finding.ts";
import type { RunRecord } from "../record/run-record.ts";
import { describeMachine } from "../runs/provenance.ts";
import { type Link, linksHere, machineId, processSpace } from "./look-around.ts";

/** What a host is. */
export interface HostFacts {
  readonly machine: RunRecord["machine"];
  readonly topology: Topology;
  readonly priority: Priority;
  readonly grade: Grade;
  /** The same for all that share one kernel and its network: two hosts may be one machine. */
  readonly machineId: string;
  /** The same for all that know the same processes by the same numbers; null where the system does not tell. */
  readonly processSpace: string | null;
  readonly links: readonly Link[];
}

/** Reads what this host is; it takes a second. */
export const readHostFacts = (machine: Machine): HostFacts => ({
  machine: describeMachine(),
  topology: machine.topology(),
  priority: raisedPriority(),
  grade: gradeOf(machineFacts()),
  machineId: machineId(),
  processSpace: processSpace(),
  links: linksHere(),
});
