import { failureOf } from "../../bench/basics/errors.ts";
import { type ReadReply, replyReader } from "../../bench/process/reply-reader.ts";

/** The contents of a connection's bytes. */
export interface Replies {
  /** Whole ones, in order, without interim ones. */
  readonly replies: readonly Pick<ReadReply, "status" | "headers" | "body">[];
  /** The bytes after them are the beginning of another reply: `begun`; none: `none`; no HTTP: `broken`. */
  readonly rest: "none" | "begun" | "broken";
}

/**
 * Reads the replies in what a server has sent so far.
 * @param methods of the requests, in order; the last one stands for all that follow
 * @param closed whether the server has closed the connection, which ends a reply of unknown length
 */
export function readReplies(bytes: Buffer, methods: readonly string[], closed: boolean): Replies {
  const replies: ReadReply[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const reader = replyReader(methods[Math.min(replies.length, methods.length - 1)]!, Infinity);
    try {
      const reply = reader.read(rest) ?? (closed ? reader.end() : null);
      if (reply === null) return { replies, rest: "begun" };
      replies.push(reply);
      rest = rest.subarray(rest.length - reply.rest);
    } catch (error) {
      return { replies, rest: failureOf(error, "connection-lost") === null ? "broken" : "begun" };
    }
  }
  return { replies, rest: "none" };
}
