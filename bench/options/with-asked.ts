import type { Protocol } from "../../servers/protocol.ts";
import type { Suite } from "../../suites/suite.ts";
import { PROTOCOL_AXIS, RATE } from "../record/cell.ts";
import { withProtocol } from "./with-protocol.ts";
import { withRate } from "./with-rate.ts";

/** Axes that a suite has only if the options of their names are given. */
export const ASKED_AXES: readonly string[] = [PROTOCOL_AXIS, RATE];

/**
 * A suite with the extra axes that were given values.
 *
 * @param valuesOf the values an option or a plan has for an axis; undefined where it has none
 */
export function withAsked(suite: Suite, valuesOf: (axis: string) => readonly unknown[] | undefined): Suite {
  const protocols = valuesOf(PROTOCOL_AXIS) as readonly Protocol[] | undefined;
  const spoken = protocols === undefined ? suite : withProtocol(suite, protocols);
  return valuesOf(RATE) === undefined ? spoken : withRate(spoken);
}
