/**
 * One patience for all that tests await. A wait ends by the thing itself; when patience ends first, the failure says what was
 * awaited and what was there.
 */

/** Milliseconds a test waits for one thing that does not get on. The gate sets it. */
export const PATIENCE_MS = Number(process.env["LEVELFIELD_PATIENCE_MS"] ?? 300_000);

/** So many patiences is the longest wait, whatever changes meanwhile: an endless loop may print for ever. */
export const MOST_PATIENCES = 10;

/** Characters of an output that a failure shows, from its end. */
const MOST_CHARS = 4_000;

/** A wait, as its failure tells it. */
export interface Wait {
  /** What is awaited, as words after "waited for". */
  readonly what: string;
  /** What is there meanwhile: output so far, say. Each change of it renews the patience of {@link patiently}. */
  readonly there?: () => string;
  /** Runs when patience has ended, before the failure: ends a process that nobody will wait for. */
  readonly giveUp?: () => void;
  /** {@link PATIENCE_MS} by default. */
  readonly patienceMs?: number;
}

/** The failure of a wait, in words. */
export const inVain = ({ what, there = () => "nothing to show", patienceMs = PATIENCE_MS }: Wait): Error =>
  new Error(`waited ${patienceMs / 1_000} s for ${what}, in vain; there was: ${there().slice(-MOST_CHARS)}`);

/** What a process has printed so far, as a failure shows it. */
export const printedBy = (stdout: string, stderr: string): string =>
  `stdout "${stdout.slice(-MOST_CHARS / 2)}", stderr "${stderr.slice(-MOST_CHARS / 2)}"`;

/**
 * Waits for a promise as long as what is there changes, and for one patience once it no longer does.
 *
 * @throws {Error} when patience has ended
 */
export async function patiently<T>(promise: Promise<T>, wait: Wait): Promise<T> {
  const { there = () => "", giveUp = () => {}, patienceMs = PATIENCE_MS } = wait;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ended = new Promise<never>((_, reject) => {
    const look = (before: string, times: number) => {
      timer = setTimeout(() => {
        const now = there();
        if (now !== before && times < MOST_PATIENCES) return look(now, times + 1);
        giveUp();
        reject(inVain(wait));
      }, patienceMs);
    };
    look(there(), 1);
  });
  try {
    return await Promise.race([promise, ended]);
  } finally {
    clearTimeout(timer);
  }
}
