import { failure } from "../basics/errors.ts";

/** Does what writes to a path. Throws in one line that names the path and what to do next. */
export function writing<T>(path: string, next: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw failure(`cannot write "${path}": ${code ?? message}`, next, error);
  }
}
