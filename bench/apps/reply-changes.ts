import type { UserDraft } from "../record/user-spec.ts";
import { requestName, sendOnce, type ServerAt } from "./send-once.ts";
import { comparableReply } from "./comparable-reply.ts";
import type { FirstReplies } from "./first-replies.ts";
import { ignoredParts } from "./left-out.ts";
import { replyDifference, sentOtherwise } from "./reply-difference.ts";

/** A request that a server answers differently from the first one. */
export interface ReplyChange {
  readonly app: string;
  readonly runtime: string | null;
  readonly of: number;
  readonly status: boolean;
  readonly text: string;
}

interface Changes {
  readonly changes: Omit<ReplyChange, "app" | "runtime">[];
  /** A line for each equal reply that is sent in another way. */
  readonly sent: readonly string[];
}

/** Sends the recorded requests to another server and compares its replies with those of the first. Throws a NoReply. */
export async function changesOf({ ignore }: UserDraft, first: FirstReplies, server: ServerAt): Promise<Changes> {
  const changes = new Map<number, Changes["changes"][number]>();
  const sent = new Map<number, string>();
  for (const [n, sample] of first.samples.entries()) {
    const { of } = sample;
    if (changes.has(of)) continue;
    const reply = await sendOnce(sample, server);
    const { expect = [] } = first.requests[of]!;
    const status = !expect.includes(reply.status);
    const whole = first.whole[n]!;
    const names = [...ignoredParts(ignore), ...sample.left_out ?? []];
    // Of long bodies the record has the hash alone; here they are at hand.
    const [is, was] = [reply, whole].map((one) => one && comparableReply(one, names, Infinity));
    const difference = sample.reply !== null
      ? replyDifference(is!, { ...was!, ...sample.reply.lengths && { lengths: sample.reply.lengths } })?.text ?? null
      : status
      ? `status ${reply.status}, expected ${expect.join(" or ")}`
      : null;
    if (difference !== null) changes.set(of, { of, status, text: `${requestName(sample)}: ${difference}` });
    else if (sample.reply !== null && !sent.has(of)) {
      const otherwise = sentOtherwise(is!, was!);
      if (otherwise !== null) sent.set(of, `${requestName(sample)}: ${otherwise}`);
    }
  }
  return { changes: [...changes.values()], sent: [...sent.values()] };
}
