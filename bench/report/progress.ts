import { BOUND } from "../record/outcome-schema.ts";
import type { FilesEvent } from "../../suites/suite.ts";
import { isLowerBound } from "../judge/bound.ts";
import { cellName, isAtRate } from "../record/cell.ts";
import { inWords, type WordedPlan } from "../record/in-words.ts";
import type { Plan, PlannedObservation } from "../record/plan.ts";
import { isSpareStep, stepText } from "../plan/schedule.ts";
import { remadeText } from "../plan/spare-rounds.ts";
import { isOnlyAlone } from "../judge/halts.ts";
import { rateOf, type Solo, solosOf } from "../judge/lines.ts";
import { dueLatency } from "../judge/open-loop.ts";
import type { Observation } from "../record/observation-record.ts";
import { formatDurationMs, formatRate, formatUs, orDash, percent } from "../basics/units.ts";
import { cutToWidth, printable, widthOf } from "./align.ts";
import { lineRedrawer } from "./drawn-over.ts";
import { createLiveTable, type LiveTable } from "./live-table.ts";
import { type RunSoFar, soFarLines, soFarText } from "./so-far.ts";
import { type Style, styleFor } from "./style.ts";
import { runTime } from "./run-time.ts";
import { writeLine, writeSentence } from "./writer.ts";

/** The events that progress is shown for. */
export interface Progress {
  preparing(text: string): void;
  begin(lines: readonly string[], plan: Plan, steps: number): void;
  stepBegins(step: PlannedObservation, remainingMs: number): void;
  /** Receives one server of an ensemble that was measured alone; the step continues. */
  measuredAlone(step: PlannedObservation, solo: Omit<Solo, "line">): void;
  stepEnds(step: PlannedObservation, observation: Observation): void;
  /** The answer after another round, while others are still to be made. */
  soFar(state: RunSoFar): void;
  write(text: string): void;
  end(): void;
}

const BAR = 24;
/** The driver must sleep while others are measured: one small write a second is 0.1 % of a core. */
const TICK_MS = 1_000;

/** Share of the screen that the answer may have above the table. */
const MOST_OF_SCREEN = 1 / 2;

const PLAIN = styleFor(false, { NO_COLOR: "1" });

/** A step's outcome in a few words. */
export function outcomeText(plan: Pick<Plan, "axes"> & WordedPlan, observation: Observation, style: Style): string {
  const { kind, status, bound, load, members, marks } = observation;
  if (status !== "ok") {
    const text = `${status}: ${printable(marks[0]?.text ?? "")}`;
    return status === "unsupported" ? style.dim(text) : style.red(text);
  }
  if (kind === "ensemble") return load === null ? eachText(plan, observation) : costText(plan, members);
  const rate = `${formatRate(load!.requests_per_second)} ${inWords(plan, "req/s")}`;
  return kind === "solo" && isLowerBound(bound) ? style.yellow(`${BOUND[bound].sign}${rate}, ${bound}-bound`) : rate;
}

/** The p99 of each window at a rate, or the rate of each server that bears no halts and so is measured alone. */
function eachText(plan: Pick<Plan, "axes"> & WordedPlan, line: Observation): string {
  const isAlone = isOnlyAlone(line);
  const figures = solosOf(line).filter(({ member }) => isAlone || isAtRate(member.cell.point.at)).map((one) => {
    const figure = isAlone ? orDash(rateOf(one), formatRate) : orDash(dueLatency(one)?.p99_us, formatUs);
    return `${cellName(plan.axes, one.member.cell)} ${figure}`;
  }).join(", ");
  return printable(isAlone ? `alone: ${figures} ${inWords(plan, "req/s")}` : `p99: ${figures}`);
}

/** The server that took the least CPU, and how much more others did: one round shows no more. */
function costText(plan: Pick<Plan, "axes"> & WordedPlan, members: Observation["members"]): string {
  const cost = inWords(plan, "CPU per request");
  const known = members.flatMap(({ cell, cpu_ns_per_request: ns }) =>
    ns === null ? [] : [{ name: cellName(plan.axes, cell), ns }]
  ).sort((a, b) => a.ns - b.ns);
  const [least, ...others] = known;
  if (least === undefined || others.length === 0) return `${cost} not known`;
  const reported = others.length <= 3 ? others : [others[0]!, others.at(-1)!];
  const rest = reported.map(({ name, ns }) => `${name} ${(ns / least.ns).toFixed(3)}×`);
  return printable(`${cost}: ${least.name} least, ${rest.join(others.length <= 3 ? ", " : " … ")}`);
}

/** Progress as a bar over a table of medians, redrawn in place; faults and notices leave a line. */
export function barProgress(stream: NodeJS.WriteStream, style: Style): Progress {
  const draw = lineRedrawer(stream);
  let timer: ReturnType<typeof setInterval> | undefined;
  const time = runTime();
  let plan: Plan, table: LiveTable, reached: RunSoFar | undefined;
  let total = 0, last = "";
  const impossible = new Set<string>();
  const stopTicking = () => clearInterval(timer);
  const settle = () => {
    draw.clear();
    draw.done();
  };
  const leave = (line: string) => {
    settle();
    writeSentence(stream, line, stream.columns || 80);
  };
  return {
    preparing: (text) => draw(style.dim(cutToWidth(printable(text), stream.columns || 80))),
    begin(lines, given, steps) {
      for (const line of lines) leave(line);
      [plan, table, total] = [given, createLiveTable(given), steps];
    },
    stepBegins(step, remainingMs) {
      stopTicking();
      const correction = time.stepBegins(remainingMs);
      if (correction !== null) leave(correction);
      const endsAt = performance.now() + remainingMs;
      const tick = () => {
        const columns = (stream.columns || 80) - 1, rows = (stream.rows || 24) - 3;
        const leftMs = Math.max(0, endsAt - performance.now());
        const state = { plan, step, total, share: time.shareDone(leftMs), eta: formatDurationMs(leftMs), last };
        const reported = reached === undefined ? [] : soFarLines(plan, reached, style, columns, MOST_OF_SCREEN * rows);
        draw(
          [...reported, ...table.lines(columns, rows - reported.length, style), barLine(state, columns, style)].join(
            "\n",
          ),
        );
      };
      tick();
      timer = setInterval(tick, TICK_MS);
    },
    measuredAlone: (_, solo) => table.addEarly(solo),
    stepEnds(step, observation) {
      stopTicking();
      time.stepEnds(observation);
      const warnings = table.add(observation);
      const name = printable(stepText(plan, step));
      const { status } = observation;
      const text = `${name} ${outcomeText(plan, observation, style)}`;
      if (status === "ok") last = `${name} ${outcomeText(plan, observation, PLAIN)}`;
      else if (status !== "unsupported") leave(`${style.red("✗")} ${text}`);
      else if (!impossible.has(name)) leave(`${style.dim("–")} ${text}`);
      // An unsupported cell is named once, not in every round.
      if (status === "unsupported") impossible.add(name);
      for (const warning of warnings) leave(`${style.yellow("!")} ${printable(warning)}`);
    },
    soFar: (newer) => void (reached = newer),
    write: (text) => leave(printable(text)),
    end() {
      stopTicking();
      settle();
    },
  };
}

interface BarState {
  readonly plan: Pick<Plan, "axes" | "ceilings" | "rounds" | "spare_rounds" | "settles">;
  readonly step: PlannedObservation;
  readonly total: number;
  readonly share: number;
  readonly eta: string;
  /** The step before and its outcome, uncoloured; empty at first. */
  readonly last: string;
}

/** One line of limited width: the least important part is dropped first, the ETA last. */
export function barLine({ plan, step, total, share, eta, last }: BarState, columns: number, style: Style): string {
  const filled = Math.round(BAR * share);
  const name = printable(stepText(plan, step));
  const place = remadeText(plan, step, total);
  const parts: { readonly plain: string; readonly shown: string }[] = [
    {
      plain: "█".repeat(BAR),
      shown: style.green("█".repeat(filled)) + style.dim("░".repeat(BAR - filled)),
    },
    same(isSpareStep(plan, step) ? place.step : percent(share, 0)),
    same(place.round),
    { plain: name, shown: style.bold(name) },
    same(`ETA ${eta}`),
    ...(last === "" ? [] : [{ plain: `last ${last}`, shown: style.dim(`last ${last}`) }]),
  ];
  // The parts to leave out, in this order.
  for (const least of [5, 3, 0, 2, 1]) {
    if (partsWidth(parts) <= columns) break;
    if (parts[least] !== undefined) parts[least] = same("");
  }
  return partsWidth(parts) <= columns ? joined(parts.map(({ shown }) => shown)) : cutToWidth(`ETA ${eta}`, columns);
}

const same = (text: string) => ({ plain: text, shown: text });
const joined = (texts: readonly string[]) => texts.filter((text) => text !== "").join("  ");
const partsWidth = (parts: readonly { readonly plain: string }[]) => widthOf(joined(parts.map(({ plain }) => plain)));

/** Progress as plain lines, one a step, for logs. */
export function lineProgress(stream: NodeJS.WriteStream, style: Style): Progress {
  const time = runTime();
  let plan: Plan;
  let total = 0, remaining = 0;
  const say = (text: string) => writeLine(stream, text);
  return {
    preparing: say,
    begin(lines, given, steps) {
      for (const line of lines) say(line);
      [plan, total] = [given, steps];
    },
    stepBegins(_, remainingMs) {
      remaining = remainingMs;
      const correction = time.stepBegins(remainingMs);
      if (correction !== null) say(correction);
    },
    measuredAlone() {},
    stepEnds(step, observation) {
      time.stepEnds(observation);
      const place = remadeText(plan, step, total);
      writeSentence(
        stream,
        `[${place.step}] ${place.round} ${printable(stepText(plan, step))} ` +
          `${outcomeText(plan, observation, style)}, ` +
          `ETA ${formatDurationMs(Math.max(0, remaining - observation.wall_ms))}`,
        Infinity,
      );
    },
    soFar: (reached) => say(soFarText(plan, reached)),
    write: say,
    end() {},
  };
}

/** An event of a builder in words. */
export function preparingText(event: FilesEvent): string {
  if (event.event === "progress") return `Preparing ${event.text}`;
  return event.event === "ready" ? `Prepared ${event.title}` : event.message;
}
