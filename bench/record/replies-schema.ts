import { z } from "zod";
import { list, longText } from "./bounds.ts";

const count = z.int().nonnegative();
const range = z.tuple([count, count]);

/** Replies of an idle server to requests of one template, sampled before and after its loads. */
export type IdleReplies = z.infer<typeof idleRepliesSchema>;
export const idleRepliesSchema = z.strictObject({
  /** Method and path, placeholders included. */
  route: longText,
  /** The number of replies that were compared in size; 0 for a template that leaves something behind. */
  replies: count,
  statuses: list(z.int()),
  /** Fewest and most bytes of a reply, heads included; null without one. */
  bytes: range.nullable(),
  /** Fewest and most bytes of bodies alone. */
  body_bytes: range.nullable(),
  /** Mean bytes of a drawn reply with its head, and the standard error of that mean; only where sizes vary. */
  mean_bytes: z.tuple([z.number().nonnegative(), z.number().positive()]).optional(),
  /** Bodies come in chunks, which a server may cut otherwise each time; absent if they do not. */
  chunked: z.literal(true).optional(),
  /** Bytes by which heads of equal replies may differ, for their connection, a cookie or their age; absent for none. */
  loose_bytes: count.optional(),
});

/** Replies of one server to a second, slow client during a load, and the requests of the load itself. */
export type SampledReplies = z.infer<typeof sampledRepliesSchema>;
export const sampledRepliesSchema = z.strictObject({
  /** Requests of the whole load that the generator sent it, by template; empty if it does not report them. */
  sent: list(count),
  /** Bytes by which replies to this generator may differ from those to wrk, whose heads are others; absent for none. */
  slack_bytes: count.optional(),
  /** Replies that were compared. */
  asked: count,
  /** Wrong replies, by their fault. */
  wrong: list(z.strictObject({
    times: z.int().positive(),
    status: z.int(),
    body_bytes: count,
    text: longText,
  })),
  /** Microseconds its replies took, by template. */
  took_us: list(list(count)),
});
