import type { Replies } from "./read-replies.ts";

/** The replies that came: statuses in order, led by `waits` if the server replied only after the end of input; `closed` without any reply. */
export type ReplyOutcome = string;

/** Events on the wire besides the replies. */
interface Ended {
  /** Nothing had come when the client said that no more does. */
  readonly waited: boolean;
  /** The server closed the connection in the end. */
  readonly closed: boolean;
}

/** Puts what happened into the words of {@link ReplyOutcome}. */
export function outcomeOf({ replies, rest }: Replies, { waited, closed }: Ended): ReplyOutcome {
  const words = [
    ...(waited ? ["waits"] : []),
    ...replies.map(({ status }) => String(status)),
    ...(rest === "none" ? [] : [rest]),
    ...(replies.length === 0 && rest === "none" && closed ? ["closed"] : []),
  ];
  return words.length === 0 ? "nothing" : words.join(" ");
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
