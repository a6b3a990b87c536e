/** How the program ends. */
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

/** A failure to tell a person in one line, with the next command to try. */
export class BenchError extends Error {
  override readonly name = "BenchError";
  readonly exit: ExitCode;
  /** The next command or step to try, or undefined when the message says it all. */
  readonly hint: string | undefined;

  constructor(exit: ExitCode, message: string, hint?: string, cause?: unknown) {
    super(message, { cause });
    this.exit = exit;
    this.hint = hint;
  }
}

/** The command line asks for something that cannot be. */
export function usageError(message: string, hint?: string): BenchError {
  return new BenchError(EXIT.usage, message, hint);
}

/** This machine or a process on it failed. */
export function failure(message: string, hint?: string, cause?: unknown): BenchError {
  return new BenchError(EXIT.failed, message, hint, cause);
}
