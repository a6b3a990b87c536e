/** The wall clock in microseconds; of one process, so that a clock that is set makes no two of its readings go back. */
export const nowUs = () => 1_000 * (performance.timeOrigin + performance.now());

/**
 * Time limits in milliseconds for waits that end by themselves: only something that hangs reaches its limit. On a
 * machine that halts for seconds LEVELFIELD_PATIENCE_MS raises all lower ones.
 */
const least = Number(process.env["LEVELFIELD_PATIENCE_MS"]) || 0;

const limit = (ms: number): number => Math.max(ms, least);

/** See {@link limit}; each is for one kind of answer. */
export const LIMITS = {
  shortProgramMs: limit(10_000),
  /** The canary of `bench doctor`, whose work takes a second. */
  canaryMs: limit(15_000),
  /** CPU time of a user's module that is read: it is loaded and called by then, unless it loops. */
  moduleCpuMs: limit(60_000),
  /** The same where the system shows no CPU time of others. */
  moduleFactsMs: limit(600_000),
  countsMs: limit(2_000),
  /** The kernel of another host that takes a connection. */
  connectMs: limit(2_000),
  handshakeMs: limit(10_000),
  /** A starting server that uses no CPU time and writes nothing. */
  quietStartMs: limit(60_000),
  recordedReplyMs: limit(10_000),
  /** An agent that says who it is: the way to it may be a job that waits for its turn. */
  greetingMs: limit(60_000),
  /** An agent's answer, and the extra time of an answer that waits for something. */
  answerMs: limit(15_000),
  graceMs: limit(15_000),
  /** The time for an agent to end after its pipe is closed; it has two seconds to end its children. */
  agentEndMs: limit(3_000),
} as const;

/** The number of pieces of a wait, and the shortest piece in milliseconds. */
const PIECES = 20, LEAST_PIECE_MS = 5;

/**
 * Waits for something within a time limit. The time passes in pieces: while this process is stopped (SIGSTOP, a sleeping
 * laptop) nothing can come. Such a time counts as one piece.
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | "timeout"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const pieces = Math.max(1, Math.min(PIECES, Math.floor(ms / LEAST_PIECE_MS)));
  const timeout = new Promise<"timeout">((resolve) => {
    const wait = (left: number) =>
      void (timer = setTimeout(() => left > 1 ? wait(left - 1) : resolve("timeout"), ms / pieces));
    wait(pieces);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
