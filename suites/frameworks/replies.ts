/**
 * How a text is sent: `own` is the way of the framework (`response.send` and the like), `end` is Node's `response.end`,
 * with neither content type nor etag, as the apps of the seed did.
 */
export const REPLIES = ["own", "end"] as const;

/** See {@link REPLIES}. */
export type ReplyWay = (typeof REPLIES)[number];
