import { fnv1a } from "../../bench/basics/fnv.ts";
import type { Replies } from "./read-replies.ts";

/** The outcome of an exchange, as far as runtimes are compared. */
export interface Outcome {
  /** Statuses in order, led by `waits` if the server replied only after the end of input; `closed` without any reply. */
  readonly text: string;
  /** The bodies, mixed to one number. */
  readonly bodies: number;
}

/** Events on the wire besides the replies. */
interface Ended {
  /** Nothing had come when the client said that no more does. */
  readonly waited: boolean;
  /** The server closed the connection in the end. */
  readonly closed: boolean;
}

/** Puts what happened into the words of {@link Outcome}. */
export function outcomeOf({ replies, rest }: Replies, { waited, closed }: Ended): Outcome {
  const words = [
    ...(waited ? ["waits"] : []),
    ...replies.map(({ status }) => String(status)),
    ...(rest === "none" ? [] : [rest]),
    ...(replies.length === 0 && rest === "none" && closed ? ["closed"] : []),
  ];
  // With the length in front, so that two bodies are not one. Of one text compressors make many.
  const bodies = replies.reduce((hash, { headers, body }) => {
    return headers["content-encoding"] === undefined ? fnv1a(body, fnv1a([body.length], hash)) : fnv1a([0], hash);
  }, fnv1a([]));
  return { text: words.length === 0 ? "nothing" : words.join(" "), bodies };
}

/** Requests whose first line and framing are sound: a server that takes HTTP/1.1 lacks nothing for them. */
const SOUND = /^(plain|body|query|header: sound)/;

/**
 * True if a status blames the server for a fault of the client. 501 and 505 say that the server does not support the
 * request (RFC 9110, 15.6.2 and 15.6.6), which is right for a malformed one.
 */
export function isServerFault(mutation: string, text: string): boolean {
  return text.split(" ").some((word) =>
    /^5\d\d$/.test(word) && (SOUND.test(mutation) || !(word === "501" || word === "505"))
  );
}
