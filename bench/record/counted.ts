/** What a server did for each of its requests in one look: counts, which need no clock. */
export interface CountedLook {
  /** System calls by name; null if nobody could count them. */
  readonly calls: Readonly<Record<string, number>> | null;
  /** Bytes that went to a disk; null if the system does not report them. */
  readonly written_bytes: number | null;
}
