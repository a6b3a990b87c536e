import { usageError } from "../basics/errors.ts";
import { formatDurationMs } from "../basics/units.ts";
import { writeLine, writeQuestion } from "../report/writer.ts";
import type { Context } from "./context.ts";

/** The longest run that begins without consent, in ms. */
const UNASKED_MS = 15 * 60_000;

/**
 * Asks before a long run begins; throws a usage error if the answer is no or nobody can answer. `bench all`, `--yes`
 * and `--resume` agree beforehand, a gate or a bisection runs where nobody is, and
 * a settle has its time.
 */
export async function agree({ args, ask }: Pick<Context, "args" | "ask">, ms: number): Promise<void> {
  const consents = args.has("yes") || args.has("resume") || ["all", "gate", "bisect", "settle"].includes(args.command);
  if (consents || ms <= UNASKED_MS) return;
  const takes = `this takes about ${formatDurationMs(ms)}`;
  const answer = await ask(`${takes}. Go on?`);
  if (answer === null) throw usageError(`${takes} and needs --yes to begin`, "bench run --quick takes minutes");
  if (!answer) throw usageError("not begun", "bench run --quick takes minutes");
}

interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Asks on a terminal and waits. Only yes agrees: Enter alone and the end of input are a no. */
export async function confirm(question: string, { stdin, stderr }: Terminal): Promise<boolean> {
  writeQuestion(stderr, `${question} [y/N]`);
  const answer = await new Promise<string>((resolve) => {
    stdin.once("data", (text) => resolve(String(text)));
    stdin.once("end", () => resolve("\n"));
    stdin.once("error", () => resolve("\n"));
  });
  stdin.pause();
  if (!answer.endsWith("\n")) writeLine(stderr, "");
  return /^\s*y(es)?\s*$/i.test(answer);
}
