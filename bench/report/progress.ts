import { createLogUpdate } from "log-update";
import { cellLabel } from "../core/cell.ts";
import { MAIN, type PlannedStep, type Subject } from "../core/plan.ts";
import type { JournalLine } from "../core/result/journal-line.ts";
import { formatDurationMs, formatRate, formatSize } from "../core/units.ts";
import type { Style } from "./style.ts";

/** What progress is shown of. */
export interface Progress {
  preparing(text: string): void;
  begin(lines: readonly string[], steps: number, rounds: number): void;
  stepBegins(step: PlannedStep, remainingMs: number): void;
  stepEnds(step: PlannedStep, line: JournalLine): void;
  /** Leaves the screen as it should stay. */
  end(): void;
}

const BAR = 24;
/** The driver must sleep while others are measured: one small write a second is 0.1 % of a core. */
const TICK_MS = 1_000;

const subjectText = ({ cell, label }: Subject) => label === MAIN ? cellLabel(cell) : `${cellLabel(cell)}@${label}`;

/** What a step measures, in a few words. */
export function stepText(step: PlannedStep): string {
  if (step.kind === "trial") return subjectText(step);
  return step.kind === "ceiling" ? "generator ceiling" : `duet ${subjectText(step.a)} | ${subjectText(step.b)}`;
}

/** A step's outcome in a few words. */
export function outcomeText(line: JournalLine, style: Style): string {
  if (line.schema === "levelfield.ceiling/1") {
    return line.requests_per_second === null
      ? style.red(`failed: ${line.reason}`)
      : `${formatRate(line.requests_per_second)} req/s`;
  }
  const reason = line.reasons[0];
  if (reason !== undefined) return style.red(`${line.status}: ${reason.message}`);
  if (line.schema === "levelfield.duet/1") {
    const ratio = Math.exp(line.log_ratio ?? 0);
    return ratio >= 1 ? `first ${ratio.toFixed(3)}× faster` : `second ${(1 / ratio).toFixed(3)}× faster`;
  }
  const rate = `${formatRate(line.load!.requests_per_second)} req/s`;
  return line.bound === "generator" ? style.yellow(`≥ ${rate}, generator-bound`) : rate;
}

/** Progress as one line that is redrawn; steps that are not ok leave a line of their own. */
export function barProgress(stream: NodeJS.WriteStream, style: Style): Progress {
  const draw = createLogUpdate(stream, { showCursor: true });
  let timer: ReturnType<typeof setInterval> | undefined;
  let total = 0, rounds = 0;
  let last = "";
  const stopTicking = () => clearInterval(timer);
  return {
    preparing: (text) => draw(style.dim(text)),
    begin(lines, steps, roundCount) {
      draw.clear();
      draw.done();
      for (const line of lines) stream.write(line + "\n");
      total = steps;
      rounds = roundCount;
    },
    stepBegins(step, remainingMs) {
      stopTicking();
      const endsAt = performance.now() + remainingMs;
      const tick = () => {
        const filled = Math.round(BAR * step.index / total);
        const bar = style.green("█".repeat(filled)) + style.dim("░".repeat(BAR - filled));
        const eta = formatDurationMs(Math.max(0, endsAt - performance.now()));
        draw(
          `${bar} ${step.index + 1}/${total}  round ${step.round + 1}/${rounds}  ${style.bold(stepText(step))}` +
            `  ETA ${eta}${last === "" ? "" : style.dim(`  ${last}`)}`,
        );
      };
      tick();
      timer = setInterval(tick, TICK_MS);
    },
    stepEnds(step, line) {
      stopTicking();
      const text = `${stepText(step)} ${outcomeText(line, style)}`;
      if (line.status === "ok") last = `last ${text}`;
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

/** Progress as plain lines, one a step, for logs. */
export function lineProgress(stream: NodeJS.WriteStream, style: Style): Progress {
  let total = 0, rounds = 0, remaining = 0;
  const say = (text: string) => stream.write(text + "\n");
  return {
    preparing: say,
    begin(lines, steps, roundCount) {
      for (const line of lines) say(line);
      total = steps;
      rounds = roundCount;
    },
    stepBegins: (_, remainingMs) => remaining = remainingMs,
    stepEnds: (step, line) =>
      say(
        `[${step.index + 1}/${total}] round ${step.round + 1}/${rounds} ${stepText(step)} ` +
          `${outcomeText(line, style)}, ETA ${formatDurationMs(Math.max(0, remaining - line.wall_ms))}`,
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
