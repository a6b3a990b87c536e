import { relative } from "node:path";
import type { Args } from "../input/args.ts";
import { isLowerBound } from "../judge/bound.ts";
import { type Activity, capacityOf } from "../core/capacity.ts";
import { AA } from "../record/cell.ts";
import { EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import type { LatencyCell } from "../record/latency-cell.ts";
import { publish } from "../result/published.ts";
import { counted, formatRate } from "../basics/units.ts";
import { readRun } from "../host/read-run.ts";
import { folded } from "../report/align.ts";
import { harmlessJson } from "../report/harmless.ts";
import { markLines } from "../report/verdict-lines.ts";
import { type Context, runFolder } from "./context.ts";

const WARNING = "A closed loop shows the most a server can do, with every reply late; " +
  "what it answers in good time must be measured at a fixed rate: bench latency, and then its run in place of this one.";

/** `bench capacity`: for how many people the rates of a run, or one rate, are enough. */
export function capacityCommand(context: Context): ExitCode {
  const { args, stdout, outStyle, columns, print } = context;
  const activity = activityFrom(args);
  const given = args.get("rate") as number | undefined;
  if (given !== undefined && args.words.length > 0) {
    throw usageError(`--rate and run "${args.words[0]}" exclude each other`, "give one of them");
  }
  const { run, summary, rates, others, sentences } = given === undefined
    ? ratesOf(runFolder(context, args.words[0]))
    : {
      run: null,
      summary: null,
      rates: [{ name: "as given", perSecond: given, atLeast: false }],
      others: 0,
      sentences: [],
    };
  const rows = rates.map((rate) => ({ ...rate, ...capacityOf(rate.perSecond, activity) }));
  if (args.has("json")) {
    const cells = rows.map(({ name, perSecond, atLeast, usablePerSecond, peoplePerDay, peopleAtOnce }) => ({
      cell: given === undefined ? name : null,
      requests_per_second: perSecond,
      at_least: atLeast,
      usable_per_second: usablePerSecond,
      people_per_day: peoplePerDay,
      people_at_once: peopleAtOnce,
    }));
    stdout.write(harmlessJson({ run, activity: recordOf(activity), cells }) + "\n");
    return EXIT.done;
  }
  if (summary !== null) print(markLines(summary, outStyle));
  const [head, ...lines] = folded(
    [
      ["", "req/s", "usable", "people a day", "active at once"],
      ...rows.map(({ name, perSecond, atLeast, usablePerSecond, peoplePerDay, peopleAtOnce }) => {
        const least = atLeast ? "≥ " : "";
        const texts = [formatRate(perSecond), formatRate(usablePerSecond), people(peoplePerDay), people(peopleAtOnce)];
        return [name, ...texts.map((text) => least + text)];
      }),
    ],
    (column) => column === 0,
    columns,
  );
  print([assumptions(activity), "", ...head!.map(outStyle.dim), ...lines.flat(), ""].join("\n"));
  if (others > 0) {
    print(
      `${counted(others, "cell")} left out: ${
        sentences.length > 0
          ? "no rate is known that holds"
          : "neither server nor generator was the limit, or it is not sound"
      }\n`,
    );
  }
  print(`\n${sentences.length === 0 ? WARNING : sentences.join("\n")}\n`);
  return EXIT.done;
}

const activityFrom = (args: Args): Activity => ({
  requestsPerVisit: args.get("requests-per-visit"),
  visitsPerDay: args.get("visits-per-day"),
  peakShare: args.get("peak-share"),
  headRoom: args.get("head-room"),
  thinkMs: args.get("think"),
});

/**
 * Cells that say what a server can do, or what at least: the others are limited by something else than server, generator or
 * network.
 */
function ratesOf(path: string) {
  const { run, lines } = readRun(path);
  const { cards, summary } = publish(run, lines);
  if (summary.latency !== undefined) return { run: run.run, summary, ...kneesOf(run.run, summary.latency) };
  const own = cards.filter(({ cell, status }) => cell.label !== AA && status !== "unsupported");
  const rates = own.flatMap(({ name, status, bound, open_loop, requests_per_second: rate }) =>
    status === "ok" && open_loop === undefined && rate !== null && (bound === "server" || isLowerBound(bound))
      ? [{ name, perSecond: rate, atLeast: isLowerBound(bound) }]
      : []
  );
  if (rates.length === 0) {
    throw usageError(
      `run "${relative(process.cwd(), path) || path}" has no sound rate that server or generator limited`,
      "bench run --quick makes another run, or give a rate: bench capacity --rate 41000",
    );
  }
  return { run: run.run, summary, rates, others: own.length - rates.length, sentences: [] };
}

/** Rates that hold a limit, as `bench latency` found them: what a server answers in good time. */
function kneesOf(run: string, all: readonly LatencyCell[]) {
  const cells = all.filter(({ contradictions }) => contradictions === undefined);
  if (cells.length === 0) {
    throw usageError(
      `run "${run}" contradicts itself: ${all[0]?.contradictions?.join("; ") ?? "it has no cell"}`,
      "bench latency measures again; a quieter machine helps, bench doctor says which is",
    );
  }
  const rates = cells.flatMap(({ name, knee }) =>
    knee === null || knee.per_second === null ? [] : [{ name, perSecond: knee.per_second, atLeast: knee.capped }]
  );
  if (rates.length === 0) {
    throw usageError(
      `run "${run}" has no rate that holds a limit`,
      "bench latency --slo 'p99<50ms' looks for another one",
    );
  }
  return {
    rates,
    others: all.length - rates.length,
    sentences: all.map(({ name, sentence }) => `${name} ${sentence}.`),
  };
}

function assumptions({ requestsPerVisit, visitsPerDay, peakShare, headRoom, thinkMs }: Activity): string {
  return `A person makes ${counted(visitsPerDay, "visit")} a day of ${counted(requestsPerVisit, "request")}; ` +
    `${percent(peakShare)} of a day's visits fall into its busiest hour; ${
      percent(headRoom)
    } of the rate is kept free; ` +
    `a person who is active makes a request every ${thinkMs / 1_000} s.`;
}

const percent = (share: number) => `${Number((100 * share).toPrecision(3))} %`;
/** Three digits at most: the figures behind it are no better. */
const people = (count: number) => count < 1_000 ? String(count) : formatRate(count);

const recordOf = ({ requestsPerVisit, visitsPerDay, peakShare, headRoom, thinkMs }: Activity) => ({
  requests_per_visit: requestsPerVisit,
  visits_per_day: visitsPerDay,
  peak_share: peakShare,
  head_room: headRoom,
  think_ms: thinkMs,
});
