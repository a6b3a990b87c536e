import { z } from "zod";
import { orElse } from "../basics/errors.ts";
import { parseBoundedJson } from "../basics/bounded-json.ts";
import { longText, word } from "../record/bounds.ts";
import { type ChildEvent, childEvent } from "./event-schema.ts";

/** The version of the protocol between driver and agent. Both refuse another one. */
export const PROTOCOL = "levelfield.agent/1";

/** A folder of another host. */
const folder = longText.regex(/^\/[^\0\r\n]*$/, "is no path");

/**
 * The first line of either side: what it speaks and what it is made from. It may come from anywhere, so it is checked. A
 * program may repeat what an agent says here, so each reply is checked as well: `reply-schemas.ts`.
 */
export type Hello = z.infer<typeof helloSchema>;
export const helloSchema = z.strictObject({
  schema: z.literal(PROTOCOL),
  version: word,
  /** The hash of all source files that run. */
  source_sha256: word.regex(/^[0-9a-f]{64}$/, "is no SHA-256"),
  /** The checkout's folder on that machine; the driver replaces it by the folder here in paths. */
  root: folder,
  /** The folder of files built for servers. */
  data: folder,
  /** See `HostFacts.machineId`. */
  machine: word,
});

/** A refusal, as an agent's first line or after it: why it will not work for this driver. */
export const refusedHello = z.strictObject({
  schema: word,
  refused: longText,
  hint: longText.exactOptional(),
});

type RefusedHello = z.infer<typeof refusedHello>;

/** A driver's request: an operation by its name. `id` is new for each. */
export interface Request {
  readonly id: number;
  readonly ask: string;
  readonly asked: readonly unknown[];
}

/** The answer to a request, or an error for a person, with the next command to try. */
export type AgentReply =
  | { readonly re: number; readonly value: unknown }
  | { readonly re: number; readonly failed: string; readonly hint?: string };

/** The first entry of an encoded map. */
const MAP = "levelfield:map";

/**
 * Returns a message as one line of JSON.
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

/** An encoded map: nothing but pairs of which the first is a number. Other parts of that name are left as they are. */
const encodedMap = z.strictObject({ [MAP]: z.array(z.tuple([z.number(), z.unknown()])) });

/** Parses a line; undefined if it is no JSON, or has more values than any message. */
export function messageOf(line: string): unknown {
  return orElse(() => parseBoundedJson(line, (_, part) => mapOf(part) ?? part), undefined);
}

function mapOf(part: unknown): Map<number, unknown> | null {
  if (typeof part !== "object" || part === null || !Object.hasOwn(part, MAP)) return null;
  const read = encodedMap.safeParse(part);
  return read.success ? new Map(read.data[MAP] as [number, unknown][]) : null;
}

/** Returns true if a message after the greeting has the shape of one. */
export const isRequest = (message: unknown): message is Request => {
  const { id, ask, asked } = (message ?? {}) as Partial<Request>;
  return Number.isSafeInteger(id) && typeof ask === "string" && Array.isArray(asked);
};

const re = z.int().positive();

/** A message of an agent behind the greeting. The value of a reply is checked once it is known what was asked. */
export const replyOrEvent: z.ZodType<AgentReply | ChildEvent> = z.union([
  z.strictObject({ re, value: z.unknown() }),
  z.strictObject({ re, failed: longText, hint: longText.exactOptional() }),
  childEvent,
]);
