import { type Failure, type FailureCode, failureText } from "./failures.ts";

/** Exit codes of the program. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  /** Finished, but cells are invalid or failed, or a check did not hold. */
  invalid: 3,
  regression: 4,
  interrupted: 130,
} as const;

/** One of {@link EXIT}. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A failure to show a person in one line, with the next command to try. */
export class BenchError extends Error {
  override readonly name = "BenchError";
  readonly exit: ExitCode;
  /** The next command or step to try, or undefined when the message says it all. */
  readonly hint: string | undefined;
  /** The failure as a code and facts; undefined without a code. */
  readonly failure: Failure | undefined;

  constructor(exit: ExitCode, what: string | Failure, hint?: string, cause?: unknown) {
    super(typeof what === "string" ? what : failureText(what), { cause });
    this.exit = exit;
    this.hint = hint;
    this.failure = typeof what === "string" ? undefined : what;
  }
}

/** Returns the error of a command line that asks for something impossible. */
export function usageError(what: string | Failure, hint?: string): BenchError {
  return new BenchError(EXIT.usage, what, hint);
}

/** Returns the error of a machine or process that failed. */
export function failure(what: string | Failure, hint?: string, cause?: unknown): BenchError {
  return new BenchError(EXIT.failed, what, hint, cause);
}

/** Returns the failure in an error, if it has one of these codes; else null. */
export function failureOf<Code extends FailureCode>(error: unknown, ...codes: readonly Code[]): Failure<Code> | null {
  const found = error instanceof BenchError ? error.failure : undefined;
  return found !== undefined && (codes as readonly string[]).includes(found.code) ? found as Failure<Code> : null;
}

/**
 * Returns the value read, or `otherwise` if reading throws: the process has ended, or a file is missing or not
 * readable.
 */
export function orElse<T, O>(read: () => T, otherwise: O): T | O {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
