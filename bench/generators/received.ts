import { isTls } from "../../servers/protocol.ts";
import type { ByConnection } from "../record/load-record.ts";
import { median } from "../statistics/median.ts";
import { sum } from "../statistics/variation.ts";
import type { LoadPlan, LoadTarget } from "./generator.ts";

/** The receipts of a socket at a load's end: the peer's port, bytes, milliseconds since the last came, and both later. */
type SocketAtEnd = readonly [port: number, bytes: number, idleMs: number, laterMs: number];

interface ReceivedLoad {
  readonly durationUs: number;
  readonly longestUs: number;
  /** Requests answered, or sent, by target. */
  readonly requests: readonly number[];
  /** Bytes of all replies, heads included. */
  readonly bytes: number;
}

/** Share of the bytes counted that open sockets must have received: else some were closed, and opened anew. */
const KEPT_SHARE = 0.98;
/** A connection that received nothing in the last part of a load, of this share, had no reply but its handshake. */
const WHOLE_SHARE = 0.9;
/** Times the longest reply from which a connection that still waits is stuck, and never less than so many milliseconds. */
const STUCK_TIMES = 2, STUCK_LEAST_MS = 200;

/**
 * Returns the replies of each connection by the system's counts of its socket, for each target; undefined if sockets end with
 * their requests. Numbers of replies follow from bytes: they are exact to the spread of the replies' sizes.
 */
export function receivedByConnection(
  { targets }: Pick<LoadPlan, "targets">,
  sockets: readonly SocketAtEnd[],
  { durationUs, longestUs, requests, bytes }: ReceivedLoad,
): ByConnection[] | undefined {
  if (targets.some(({ requests: { connection = "kept" } }) => connection !== "kept")) return undefined;
  const isKept = sum(sockets.map(([, each]) => each)) >= KEPT_SHARE * bytes;
  const isSilent = (idleMs: number) => 1e3 * idleMs >= WHOLE_SHARE * durationUs;
  return targets.map((target, n): ByConnection => {
    const own = sockets.filter(([port]) => port === portOf(target));
    // The load may have ended with servers that stand still, so idle time counts from the last reply of any.
    const latestMs = Math.min(...own.map(([, , , laterMs]) => laterMs));
    const hasNone = ([, each, idleMs]: SocketAtEnd) =>
      each === 0 && isSilent(idleMs) || isTls(protocolOf(target)) && isSilent(idleMs);
    const isStuck = ([, , , laterMs]: SocketAtEnd) =>
      laterMs - latestMs > Math.max(STUCK_LEAST_MS, STUCK_TIMES * longestUs / 1e3);
    const none = own.filter(hasNone), stuck = own.filter((one) => !hasNone(one) && isStuck(one));
    const repliesOf = (one: SocketAtEnd) => hasNone(one) ? 0 : Math.round(requests[n]! * one[1] / Math.max(1, all));
    const pace = target.requests.pace;
    // Sockets that the server's system has not connected have no peer.
    const away = isKept && "closed" in pace ? Math.max(0, pace.closed - own.length) : 0;
    const all = sum(own.map(([, each]) => each));
    const replies = [
      ...Array.from({ length: away }, () => 0),
      ...own.map(repliesOf),
    ];
    return {
      unanswered: none.length + away,
      stuck: stuck.length,
      ...(isKept && replies.length > 0 ? spreadOf(replies, stuck.map(repliesOf)) : {}),
    };
  });
}

/** Returns the same where a generator counts replies itself and waits for each, so that none can be stuck. */
export const countedByConnection = (targets: readonly (readonly number[])[]): ByConnection[] =>
  targets.map((counts) => ({
    unanswered: counts.filter((each) => each === 0).length,
    stuck: 0,
    ...(counts.length === 0 ? {} : spreadOf(counts)),
  }));

/** A connection has few replies below this share of the mean, which must be so much that chance makes none so few. */
const FEW_SHARE = 0.1, LEAST_MEAN = 20;

/** Returns the spread of some counts, and how many have few, without those in another group: they are counted there. */
function spreadOf(counts: readonly number[], elsewhere: readonly number[] = []): Pick<ByConnection, "few" | "replies"> {
  const mean = sum(counts) / counts.length;
  const fewIn = (some: readonly number[]) => some.filter((each) => each > 0 && each < FEW_SHARE * mean).length;
  const few = mean < LEAST_MEAN ? 0 : fewIn(counts) - fewIn(elsewhere);
  return {
    replies: [Math.min(...counts), Math.floor(median(counts)), Math.max(...counts)],
    ...(few === 0 ? {} : { few }),
  };
}

const portOf = ({ url }: LoadTarget): number => Number(new URL(url).port);
const protocolOf = ({ requests: { protocol = "http" } }: LoadTarget) => protocol;
