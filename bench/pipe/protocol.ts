import { z } from "zod";
import type { FilesEvent } from "../../suites/suite.ts";
import { orElse } from "../basics/errors.ts";
import type { HostProcess } from "./host.ts";

/** The version of the protocol between driver and agent. Both refuse another one. */
export const PROTOCOL = "levelfield.agent/1";

/**
 * The first line of either side: what it speaks and what it is made from. It may come from anywhere, so it is checked; what
 * follows comes from the same source, and its types are enough.
 */
export type Hello = z.infer<typeof hello>;
export const hello = z.strictObject({
  schema: z.literal(PROTOCOL),
  version: z.string(),
  /** The hash of all source files that run. */
  source_sha256: z.string(),
  /** The checkout's folder on that machine; the driver replaces it by the folder here in paths. */
  root: z.string(),
  /** The folder of what is built for servers. */
  data: z.string(),
  /** See `HostFacts.machineId`. */
  machine: z.string(),
});

/** A refusal, as an agent's first line or after it: why it will not work for this driver. */
export type RefusedHello = z.infer<typeof refusedHello>;
export const refusedHello = z.strictObject({ schema: z.string(), refused: z.string(), hint: z.string().optional() });

/** A driver's request: an operation by its name. `id` is new for each. */
export interface Request {
  readonly id: number;
  readonly ask: string;
  readonly asked: readonly unknown[];
}

/** The answer to a request, or why there is none: for a person, with what to try next. */
export type AgentReply =
  | { readonly re: number; readonly value: unknown }
  | { readonly re: number; readonly failed: string; readonly hint?: string };

/** An event of something that was started by the request of that id. */
export type ChildEvent =
  & { readonly of: number }
  & (
    | { readonly line: string }
    | { readonly built: FilesEvent }
    | { readonly ended: Awaited<HostProcess["ended"]>; readonly stdout: string; readonly stderr: string }
  );

/** The first entry of an encoded map. */
const MAP = "levelfield:map";

/**
 * A message as a line.
 *
 * @param textOf a text as the other side is to have it
 */
export function lineOf(
  message: Hello | RefusedHello | Request | AgentReply | ChildEvent,
  textOf = (text: string) => text,
): string {
  const json = JSON.stringify(message, (_, part) => {
    if (part instanceof Map) return { [MAP]: [...part] };
    return typeof part === "string" ? textOf(part) : part;
  });
  return `${json}\n`;
}

/** Parses a line; undefined if it is no JSON. */
export function messageOf(line: string): unknown {
  return orElse(() => JSON.parse(line, (_, part) => part?.[MAP] === undefined ? part : new Map(part[MAP])), undefined);
}

/** Returns true if a message after the greeting has the shape of one. */
export const isRequest = (message: unknown): message is Request => {
  const { id, ask, asked } = (message ?? {}) as Partial<Request>;
  return Number.isSafeInteger(id) && typeof ask === "string" && Array.isArray(asked);
};

/** See {@link isRequest}. */
export const isReplyOrEvent = (message: unknown): message is AgentReply | ChildEvent => {
  const { re, of } = (message ?? {}) as { re?: unknown; of?: unknown };
  return Number.isSafeInteger(re ?? of);
};
