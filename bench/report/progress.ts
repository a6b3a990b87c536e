import { createLogUpdate } from "log-update";
import { cellLabel } from "../core/cell.ts";
import { MAIN, type PlannedStep, type Subject } from "../core/plan.ts";
import type { JournalLine } from "../core/result/journal-line.ts";
import { formatDurationMs, formatRate, formatSize } from "../core/units.ts";
import { createLiveTable } from "./live-table.ts";
import { type Style, styleFor } from "./style.ts";

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

const PLAIN = styleFor(false, { NO_COLOR: "1" });

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
  if (line.schema === "levelfield.duet/2") {
    const ratio = Math.exp(line.log_ratio ?? 0);
    return ratio >= 1 ? `first ${ratio.toFixed(3)}× faster` : `second ${(1 / ratio).toFixed(3)}× faster`;
  }
  const rate = `${formatRate(line.load!.requests_per_second)} req/s`;
  return line.bound === "generator" ? style.yellow(`≥ ${rate}, generator-bound`) : rate;
}

/** Progress as a bar over a table of medians, redrawn in place; what goes wrong or must be known leaves a line. */
export function barProgress(stream: NodeJS.WriteStream, style: Style): Progress {
  const draw = createLogUpdate(stream, { showCursor: true });
  const table = createLiveTable();
  let timer: ReturnType<typeof setInterval> | undefined;
  let total = 0, rounds = 0;
  let last = "";
  const stopTicking = () => clearInterval(timer);
  const leave = (line: string) => {
    draw.clear();
    draw.done();
    stream.write(`${line}\n`);
  };
  return {
    preparing: (text) => draw(style.dim(fitted(text, stream.columns || 80))),
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
        const columns = stream.columns || 80, rows = stream.rows || 24;
        const eta = formatDurationMs(Math.max(0, endsAt - performance.now()));
        const bar = barLine({ step, total, rounds, eta, last }, columns - 1, style);
        draw([...table.lines(columns - 1, rows - 3, style), bar].join("\n"));
      };
      tick();
      timer = setInterval(tick, TICK_MS);
    },
    stepEnds(step, line) {
      stopTicking();
      const warning = table.add(line);
      const text = `${stepText(step)} ${outcomeText(line, style)}`;
      if (line.status === "ok") last = `${stepText(step)} ${outcomeText(line, PLAIN)}`;
      else leave(`${style.red("✗")} ${text}`);
      if (warning !== undefined) leave(`${style.yellow("!")} ${warning}`);
    },
    end() {
      stopTicking();
      draw.clear();
      draw.done();
    },
  };
}

/** What the bar shows. */
export interface BarState {
  readonly step: PlannedStep;
  readonly total: number;
  readonly rounds: number;
  readonly eta: string;
  /** The step before and its outcome, uncoloured; empty at first. */
  readonly last: string;
}

/** One line of at most so many columns: what matters least is left out first, the ETA last of all. */
export function barLine({ step, total, rounds, eta, last }: BarState, columns: number, style: Style): string {
  const filled = Math.round(BAR * step.index / total);
  const parts: { readonly plain: string; readonly shown: string }[] = [
    {
      plain: "█".repeat(BAR),
      shown: style.green("█".repeat(filled)) + style.dim("░".repeat(BAR - filled)),
    },
    same(`${step.index + 1}/${total}`),
    same(`round ${step.round + 1}/${rounds}`),
    { plain: stepText(step), shown: style.bold(stepText(step)) },
    same(`ETA ${eta}`),
    ...(last === "" ? [] : [{ plain: `last ${last}`, shown: style.dim(`last ${last}`) }]),
  ];
  // Places of the parts, the one to leave out first at the head.
  for (const place of [5, 0, 2, 3, 1]) {
    if (widthOf(parts) <= columns) break;
    if (parts[place] !== undefined) parts[place] = same("");
  }
  return widthOf(parts) <= columns ? joined(parts.map(({ shown }) => shown)) : fitted(`ETA ${eta}`, columns);
}

const same = (text: string) => ({ plain: text, shown: text });
const joined = (texts: readonly string[]) => texts.filter((text) => text !== "").join("  ");
const widthOf = (parts: readonly { readonly plain: string }[]) => joined(parts.map(({ plain }) => plain)).length;
const fitted = (text: string, columns: number) =>
  text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;

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
