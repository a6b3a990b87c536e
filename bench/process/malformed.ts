import { type BenchError, failure } from "../basics/errors.ts";

/** Returns the error of bytes that are no reply. */
export const malformed = (fault: string): BenchError => failure({ code: "reply-malformed", facts: { fault } });

/** Returns the error of a connection that ended before its reply did. */
export const connectionLost = (fault: string): BenchError => failure({ code: "connection-lost", facts: { fault } });

/** Returns the error of a line that ends in LF alone. */
export const bareLineFeed = (): BenchError => malformed("its reply has a line that does not end in CRLF");

/** Returns the error of a reply whose body is too large. */
export const replyTooLarge = (mostBytes: number): BenchError =>
  malformed(`its reply is larger than ${mostBytes} bytes`);

/** A server that sends more interim replies before a reply sends them without an end. */
export const MOST_INTERIM = 100;

/** Returns the error of too many interim replies. */
export const tooManyInterim = (): BenchError =>
  malformed(`it sends more than ${MOST_INTERIM} interim replies before one`);
