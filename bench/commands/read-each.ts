import { BenchError, EXIT } from "../basics/errors.ts";
import { visibleLine } from "../basics/visible.ts";
import { faultText } from "../runs/verify-run.ts";

/** Reads each named run. One that cannot be read is left out with a line, as long as another can. */
export function readEach<T>(
  names: readonly (string | undefined)[],
  read: (name: string | undefined) => T,
  say: (line: string) => void,
): T[] {
  const failed: unknown[] = [];
  const found = names.flatMap((name) => {
    try {
      return [read(name)];
    } catch (error) {
      // An unknown name is the user's mistake and no fault of a run.
      if (names.length === 1 || (error instanceof BenchError && error.exit === EXIT.usage)) throw error;
      if (failed.push(error) === names.length) throw error;
      say(visibleLine(`left out: ${name}: ${faultText(error)}`));
      return [];
    }
  });
  return found;
}
