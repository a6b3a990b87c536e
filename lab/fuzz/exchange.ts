import type { Random } from "../../bench/basics/random.ts";
import type { PlainRequest } from "./plain-request.ts";

/**
 * How an exchange goes over the wire.
 * - `kept`: over the connection that is open, and one reply ends it.
 * - `own`: over a new connection. `replies` end it, or the server's close; a server that says nothing is told that
 *   no more comes (FIN), at once where `end` is `closed`.
 * - `cut`: over a new connection that breaks with the last byte, by FIN or by reset. Nobody waits for a reply.
 */
export type Manner =
  | { readonly kind: "kept" }
  | {
    readonly kind: "own";
    readonly replies: number;
    readonly end: "open" | "closed";
    /** Sent in so many pieces; one by default. */
    readonly pieces?: number;
  }
  | { readonly kind: "cut"; readonly by: "fin" | "reset" };

/** The bytes that are sent to a server, and the manner of sending. */
export interface Exchange {
  /** The name of the change to a request. */
  readonly mutation: string;
  /** The path of the request it was made from. */
  readonly path: string;
  /** Of the first request; a reply to HEAD has no body. */
  readonly method: string;
  /** A byte string. */
  readonly bytes: string;
  readonly manner: Manner;
}

/** The result of a mutation. */
type Mutated = Omit<Exchange, "mutation" | "path">;

/** Tools of mutations besides the request. */
export interface Tools {
  readonly random: Random;
  /** Another plain request. */
  other(): PlainRequest;
}

/** Does something to a request; undefined where this one does not lend itself to it. */
export type Mutation = (request: PlainRequest, tools: Tools) => Mutated | undefined;

/** One of some, each as likely. */
export function oneOf<T>(choices: readonly T[], { random }: Pick<Tools, "random">): T {
  return choices[Math.floor(random() * choices.length)]!;
}

/** A new connection, one reply, nothing said of an end. */
export const ALONE: Manner = { kind: "own", replies: 1, end: "open" };
/** The same, and no more comes: for what is not whole. */
export const UNFINISHED: Manner = { kind: "own", replies: 1, end: "closed" };
/** Over the open connection. */
export const KEPT: Manner = { kind: "kept" };
