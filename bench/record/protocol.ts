import type { Protocol } from "../../servers/protocol.ts";
import type { At } from "../../suites/suite.ts";

/** Name of the axis whose values are protocols. A plan has it only where protocols were asked for. */
export const PROTOCOL_AXIS = "protocol";

/** What may be spoken, the usual first. */
export const PROTOCOLS: readonly [Protocol, ...Protocol[]] = ["http", "https", "h2", "h2c"];

/** What is spoken at a point. */
export const protocolAt = (at: At): Protocol => (at[PROTOCOL_AXIS] ?? "http") as Protocol;
