import type { RecordedReply } from "../record/user-spec.ts";
import { writtenOtherwise } from "./reply-difference.ts";

/** The size of a compressed reply in words; null for one that is not compressed. */
export function sizeWords({ encoding, sent_bytes, characters }: RecordedReply): string | null {
  return encoding === undefined ? null : `${sent_bytes} bytes of ${encoding} for ${characters} uncompressed`;
}

/** The difference in encoding between equal replies, in words; null without one. */
export function sentOtherwise(reply: RecordedReply, other: RecordedReply): string | null {
  const { encoding: is, sent_bytes: bytes } = reply, { encoding: was, sent_bytes: before } = other;
  const isOther = writtenOtherwise(reply, other);
  if (before === undefined || (!isOther && is === was && (is === undefined || bytes === before))) return null;
  const of = (name: string | undefined, size: number | undefined) =>
    `${size} bytes${name === undefined ? " uncompressed" : ` of ${name}`}`;
  const what = isOther ? "the same JSON with other order or spaces" : "the same content";
  return `${what}, sent as ${of(is, bytes)}, recorded as ${of(was, before)}`;
}
