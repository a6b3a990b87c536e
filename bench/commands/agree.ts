import { usageError } from "../basics/errors.ts";
import { formatDurationMs } from "../basics/units.ts";
import type { Context } from "./context.ts";

/** Whatever takes longer is begun only when somebody agrees. */
const UNASKED_MS = 15 * 60_000;

/**
 * Asks before what takes long is begun; throws a usage error where the answer is no, or nobody can be asked. A run that is
 * gone on with was agreed to, and a gate or a bisection has no one to ask: `--all` and `--yes` say it beforehand.
 */
export async function agree({ args, ask }: Pick<Context, "args" | "ask">, ms: number): Promise<void> {
  const said = args.has("all") || args.has("yes") || args.has("resume") || ["gate", "bisect"].includes(args.command);
  if (said || ms <= UNASKED_MS) return;
  const takes = `this takes about ${formatDurationMs(ms)}`;
  const answer = await ask(`${takes}. Go on?`);
  if (answer === null) throw usageError(`${takes} and needs --yes to begin`, "bench run --quick takes minutes");
  if (!answer) throw usageError("not begun", "bench run --quick takes minutes");
}

/** What a question needs of a terminal. */
interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Asks on a terminal, and waits. Enter alone, anything but yes and the end of input are a no. */
export async function askYes(question: string, { stdin, stderr }: Terminal): Promise<boolean> {
  stderr.write(`${question} [y/N] `);
  const answer = await new Promise<string>((resolve) => {
    stdin.once("data", (text) => resolve(String(text)));
    stdin.once("end", () => resolve("\n"));
    stdin.once("error", () => resolve("\n"));
  });
  stdin.pause();
  if (!answer.endsWith("\n")) stderr.write("\n");
  return /^\s*y(es)?\s*$/i.test(answer);
}
