import { createLogUpdate } from "log-update";
import { cellLabel } from "../core/cell.ts";
import type { PlannedTrial } from "../core/plan.ts";
import type { TrialRecord } from "../core/result/trial-record.ts";
import { formatDurationMs, formatRate, formatSize } from "../core/units.ts";
import type { Style } from "./style.ts";

/** What progress is shown of. */
export interface Progress {
  preparing(text: string): void;
  begin(lines: readonly string[], trials: number, rounds: number): void;
  trialBegins(trial: PlannedTrial, remainingMs: number): void;
  trialEnds(trial: PlannedTrial, record: TrialRecord): void;
  /** Leaves the screen as it should stay. */
  end(): void;
}

const BAR = 24;
/** The driver must sleep while others are measured: one small write a second is 0.1 % of a core. */
const TICK_MS = 1_000;

/** A trial's outcome in a few words. */
export function outcomeText(record: TrialRecord, style: Style): string {
  const reason = record.reasons[0];
  if (reason !== undefined) return style.red(`${record.status}: ${reason.message}`);
  const rate = `${formatRate(record.load!.requests_per_second)} req/s`;
  return record.bound === "generator" ? style.yellow(`≥ ${rate}, generator-bound`) : rate;
}

/** Progress as one line that is redrawn; trials that are not ok leave a line of their own. */
export function barProgress(stream: NodeJS.WriteStream, style: Style): Progress {
  const draw = createLogUpdate(stream, { showCursor: true });
  let timer: ReturnType<typeof setInterval> | undefined;
  let total = 0, rounds = 0;
  let last = "";
  const stopTicking = () => clearInterval(timer);
  return {
    preparing: (text) => draw(style.dim(text)),
    begin(lines, trials, roundCount) {
      draw.clear();
      draw.done();
      for (const line of lines) stream.write(line + "\n");
      total = trials;
      rounds = roundCount;
    },
    trialBegins(trial, remainingMs) {
      stopTicking();
      const endsAt = performance.now() + remainingMs;
      const tick = () => {
        const filled = Math.round(BAR * trial.index / total);
        const bar = style.green("█".repeat(filled)) + style.dim("░".repeat(BAR - filled));
        const eta = formatDurationMs(Math.max(0, endsAt - performance.now()));
        draw(
          `${bar} ${trial.index + 1}/${total}  round ${trial.round + 1}/${rounds}  ${
            style.bold(cellLabel(trial.cell))
          }` +
            `  ETA ${eta}${last === "" ? "" : style.dim(`  ${last}`)}`,
        );
      };
      tick();
      timer = setInterval(tick, TICK_MS);
    },
    trialEnds(trial, record) {
      stopTicking();
      const text = `${cellLabel(trial.cell)} ${outcomeText(record, style)}`;
      if (record.status === "ok") last = `last ${text}`;
      else {
        draw.clear();
        draw.done();
        stream.write(`${style.red("✗")} ${text}\n`);
      }
    },
    end() {
      stopTicking();
      draw.clear();
      draw.done();
    },
  };
}

/** Progress as plain lines, one a trial, for logs. */
export function lineProgress(stream: NodeJS.WriteStream, style: Style): Progress {
  let total = 0, rounds = 0, remaining = 0;
  const say = (text: string) => stream.write(text + "\n");
  return {
    preparing: say,
    begin(lines, trials, roundCount) {
      for (const line of lines) say(line);
      total = trials;
      rounds = roundCount;
    },
    trialBegins: (_, remainingMs) => remaining = remainingMs,
    trialEnds: (trial, record) =>
      say(
        `[${trial.index + 1}/${total}] round ${trial.round + 1}/${rounds} ${cellLabel(trial.cell)} ` +
          `${outcomeText(record, style)}, ETA ${formatDurationMs(Math.max(0, remaining - record.wall_ms))}`,
      ),
    end() {},
  };
}

/** What preparing says of a data set on its way. */
export function preparingText(
  event: { readonly size: number; readonly done?: number; readonly store?: string },
): string {
  if (event.store !== undefined) return `Preparing ${event.store} for ${formatSize(event.size)} users`;
  return `Preparing ${formatSize(event.size)} users: ${Math.floor(100 * (event.done ?? 0) / event.size)} %`;
}
