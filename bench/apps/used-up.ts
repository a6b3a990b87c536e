/** Requests that work once: the first reply reports success, all later ones that nothing was left to do. */
import { usageError } from "../basics/errors.ts";
import { withoutSecrets } from "../basics/without-secrets.ts";
import { type PreparedRequest, requestName } from "./send-once.ts";
import { changingParts, type PartName, partWords, type WholeReply } from "./left-out.ts";

/** PUT is left out: it is idempotent, so it may find nothing to do (RFC 9110, 9.2.2). */
const WORKS_ONCE = /^(POST|DELETE|PATCH)$/;
const MOST_CHARS = 60;
const SO_MEASURES = "so a load would measure requests that find nothing to do";
const INSTEAD = "make what it uses up in the same request, or draw its numbers serially from as many as a load needs";

/** Returns that a request succeeds once and is a client's error from then on, in words; null for any other change. */
export function usedUpStatus({ method }: PreparedRequest, before: number, status: number) {
  const isUsedUp = WORKS_ONCE.test(method) && before < 300 && status >= 400 && status < 500 && status !== 429;
  return isUsedUp
    ? {
      what: `uses up what it works on: status is ${before} at first and ${status} from then on, ${SO_MEASURES}`,
      hint: `${INSTEAD}, or --expect ${before},${status} if that is meant`,
    }
    : null;
}

/**
 * Refuses a request that has an effect and tells of it in its first reply alone: a load would measure requests that find
 * nothing to do.
 *
 * @param replies of one server in order, what people say may differ left out; the last one after it was started anew
 * @param restarted true if there is such a reply: it may be like the first one or like the others
 */
export function refuseUsedUp(
  request: PreparedRequest,
  changing: readonly PartName[],
  replies: readonly WholeReply[],
  restarted: boolean,
): void {
  if (!WORKS_ONCE.test(request.method) || changing.length === 0) return;
  const [first, second, ...later] = replies;
  const same = (a: WholeReply, b: WholeReply) => changingParts([a, b]).every((part) => part.startsWith("header:"));
  const last = restarted ? later.pop() : undefined;
  if (second === undefined || later.length === 0 || same(first!, second) || !later.every((one) => same(one, second))) {
    return;
  }
  if (last !== undefined && !same(last, first!) && !same(last, second)) return;
  const [at, then] = [first!, second].map(({ text }) =>
    text === null || text.length > MOST_CHARS ? "" : ` ${withoutSecrets(text)}`
  );
  const body = changing.filter((part) => !part.startsWith("header:"));
  throw usageError(
    `${requestName(request)} uses up what it works on: answers${at} at first and${then} from then on ` +
      `(${partWords(body, first!.text)} differs), ${SO_MEASURES}`,
    `${INSTEAD}, or --ignore ${body[0]!.replace(/\?$/, "")} if that is meant`,
  );
}

/**
 * Says of an idle server whose reply was right before its loads that it gives another one; null if a limit on requests, or
 * an error, is a reason.
 *
 * @param difference in words, and what leaves it out
 */
export function usedUpAfter(name: string, status: number, difference: string, ignore: string | null): string | null {
  const otherwise = ignore === null ? "" : `, or --ignore ${ignore} if it changes by itself`;
  return status > 428
    ? null
    : `${name} uses up what it works on, or does not recover: after its loads ${difference}; draw its numbers serially${otherwise}`;
}
