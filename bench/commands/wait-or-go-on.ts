import { counted, percent } from "../basics/units.ts";
import { MOST_NAMED } from "../basics/visible.ts";
import { contendedText, type DisturbedLoad } from "../judge/contention.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import type { Observation } from "../record/observation-record.ts";
import type { BusyProcess } from "../record/samples.ts";
import type { Keyboard } from "../machine/interrupts.ts";
import { untilQuiet } from "../machine/quiet-cpus.ts";
import type { Progress } from "../report/progress.ts";
import { listed } from "../result/questions.ts";

interface WaitOptions {
  /** Opens the keyboard when it is needed; null if nobody can answer. */
  readonly keyboard: () => Keyboard | null;
  readonly progress: Pick<Progress, "write" | "preparing">;
  readonly cpus: readonly number[] | null;
  readonly stop: Promise<void>;
  /** The time to wait for an answer, in ms; after that the run continues. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 60_000;

/**
 * Names the busy processes and asks whether to wait until the machine is quiet. If nobody can answer, the run goes on; once
 * somebody chose to go on, the question is not repeated. `busy` returns the last busy processes in words, or null.
 */
export function waitOrGoOn({ keyboard: find, progress, cpus, stop, patienceMs = PATIENCE_MS }: WaitOptions) {
  let last: string | null = null, goesOn = false;
  const typed = (keyboard: Keyboard, over: AbortController) => {
    const note = (text: unknown) => (answer = String(text ?? "").trim().toLowerCase(), over.abort());
    let answer = "";
    keyboard.once("data", note);
    keyboard.once("end", note);
    keyboard.resume();
    void stop.then(() => over.abort());
    return () => {
      keyboard.off("data", note);
      keyboard.off("end", note);
      keyboard.pause();
      return answer;
    };
  };
  return {
    busy: () => last,
    async disturbed(voided: readonly Observation[], busy: readonly BusyProcess[]): Promise<void> {
      const first = last === null;
      last = culpritsText(busy);
      const keyboard = goesOn ? null : find();
      if (keyboard === null) {
        if (first) progress.write(`${disturbedText(voided, busy)}; the run goes on`);
        return;
      }
      progress.write(disturbedText(voided, busy));
      progress.write("wait or go on? w = wait until it is quiet again, g or Enter = go on (by itself after a minute)");
      const answered = new AbortController();
      const answer = typed(keyboard, answered);
      const timer = setTimeout(() => answered.abort(), patienceMs);
      await new Promise<void>((resolve) => answered.signal.addEventListener("abort", () => resolve(), { once: true }));
      clearTimeout(timer);
      goesOn = !answer().startsWith("w");
      if (goesOn) return;
      const over = new AbortController();
      const end = typed(keyboard, over);
      await untilQuiet(
        cpus,
        (share) => progress.preparing(`Waiting for a quiet machine: ${percent(share, 0)} busy. Enter goes on.`),
        over.signal,
      );
      end();
    },
  };
}

/** Says that other processes voided observations in a row, the share they used, and which were the busiest. */
export function disturbedText(voided: readonly DisturbedLoad[], busy: readonly BusyProcess[]): string {
  const taken = contendedText(voided) ?? "clocks changed";
  return `in ${counted(voided.length, "observation")} in a row others had the machine: ${taken}; ${culpritsText(busy)}`;
}

/** `the busiest: cc1plus (process 4121, 97 % of a CPU)`. */
function culpritsText(busy: readonly BusyProcess[]): string {
  const named = busy.filter(({ share }) => share > THRESHOLDS.contendedShare).slice(0, MOST_NAMED)
    .map(({ pid, name, share }) => `${name} (process ${pid}, ${percent(share, 0)} of a CPU)`);
  return named.length === 0 ? "who they are cannot be seen from here" : `the busiest: ${listed(named)}`;
}
