import { relative } from "node:path";
import type { Args } from "../input/args.ts";
import { type Activity, capacityOf } from "../core/capacity.ts";
import { EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import { keptRates, knownRates } from "../result/known-rates.ts";
import { publish } from "../result/published.ts";
import { counted, formatRate, fromTo } from "../basics/units.ts";
import { readRun } from "../host/read-run.ts";
import { printable, tableLines } from "../report/align.ts";
import { harmlessJson } from "../report/harmless.ts";
import { markLines } from "../report/verdict-lines.ts";
import { wrapped } from "../report/wrap.ts";
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
  const { run, summary, rates, notes } = given === undefined ? ratesOf(runFolder(context, args.words[0])) : {
    run: null,
    summary: null,
    rates: [{ name: "as given", perSecond: given, low: given, high: given, samples: 1 }],
    notes: [WARNING],
  };
  const at = (rate: number) => ({ perSecond: rate, ...capacityOf(rate, activity) });
  const rows = rates.map((rate) => ({ ...rate, low: at(rate.low), high: rate.high === null ? null : at(rate.high) }));
  if (args.has("json")) {
    const cells = rows.map(({ name, perSecond, low, high, samples }) => ({
      cell: given === undefined ? name : null,
      at_least: high === null,
      ...(given === undefined ? { samples } : {}),
      ...figuresOf(at(perSecond)),
      low: figuresOf(low),
      high: high && figuresOf(high),
    }));
    stdout.write(harmlessJson({ run, activity: recordOf(activity), cells }) + "\n");
    return EXIT.done;
  }
  if (summary !== null) print(markLines(summary, outStyle, columns));
  const lines = tableLines(
    [
      ["", "req/s", "usable", "people a day", "active at once"],
      ...rows.map(({ name, low, high }) => {
        const figures = [
          [low.perSecond, high?.perSecond],
          [low.usablePerSecond, high?.usablePerSecond],
          [low.peoplePerDay, high?.peoplePerDay],
          [low.peopleAtOnce, high?.peopleAtOnce],
        ] as const;
        return [name, ...figures.map(([least, most]) => rangeText(least, most))];
      }),
    ],
    (column) => column === 0,
    { style: outStyle, columns, indent: 0 },
  );
  const told = (text: string) => wrapped(printable(text), columns);
  print([
    ...told(assumptions(activity)),
    "",
    ...lines,
    ...notes.flatMap((text) => ["", ...told(text)]),
    "",
  ].join("\n"));
  return EXIT.done;
}

/** `31.4k to 32.3k`; `≥ 31.4k` where nobody knows the most. */
function rangeText(low: number, high: number | undefined): string {
  const [least, most] = [low, high ?? low].map((value) =>
    value < 1_000 ? String(Math.floor(value)) : formatRate(value)
  );
  return high === undefined ? `≥ ${least}` : fromTo(least!, most!);
}

const figuresOf = (
  { perSecond, usablePerSecond, peoplePerDay, peopleAtOnce }: { perSecond: number } & ReturnType<typeof capacityOf>,
) => ({
  requests_per_second: perSecond,
  usable_per_second: usablePerSecond,
  people_per_day: peoplePerDay,
  people_at_once: peopleAtOnce,
});

const activityFrom = (args: Args): Activity => ({
  requestsPerVisit: args.get("requests-per-visit"),
  visitsPerDay: args.get("visits-per-day"),
  peakShare: args.get("peak-share"),
  headRoom: args.get("head-room"),
  thinkMs: args.get("think"),
});

/** What the rates of a run are, or why there are none; what is left out is told. */
function ratesOf(path: string) {
  const { run, lines } = readRun(path);
  const { cards, summary } = publish(run, lines);
  const latency =
    "bench latency measures what is answered in good time; bench capacity --rate 41000 reckons with yours";
  const head = { run: run.run, summary };
  if (summary.latency !== undefined) {
    const rates = keptRates(summary.latency);
    if (rates.length > 0) {
      return {
        ...head,
        rates,
        notes: summary.latency.map(({ name, sentence }) => `${name} ${sentence}.`),
      };
    }
    const against = summary.latency.find(({ contradictions }) => contradictions !== undefined);
    throw against === undefined
      ? usageError(
        `run "${run.run}" has no rate that holds a limit`,
        "bench latency --slo 'p99<50ms' looks for another one",
      )
      : usageError(
        `run "${run.run}" contradicts itself: ${against.contradictions!.join("; ")}`,
        "bench latency measures again; a quieter machine helps, bench doctor says which is",
      );
  }
  const { rates, single, silent } = knownRates(cards, lines);
  if (rates.length === 0) {
    const name = relative(process.cwd(), path) || path;
    throw single.length > 0
      ? usageError(
        `the rates of run "${name}" rest on one sample of ${
          run.plan.duration_ms / 1_000
        } s each, too few to reckon with`,
        latency,
      )
      : usageError(`run "${name}" has no sound rate that server or generator limited`, latency);
  }
  const samples = rates.map((rate) => rate.samples);
  return {
    ...head,
    rates,
    notes: [
      `From ${
        fromTo(`${Math.min(...samples)}`, `${Math.max(...samples)}`)
      } samples a cell: the least to the most, and of six or more ` +
      "where their median lies (95 %).",
      ...(single.length === 0 ? [] : [`${counted(single.length, "cell")} left out: one sample each`]),
      ...(silent === 0
        ? []
        : [`${counted(silent, "cell")} left out: neither server nor generator was the limit, or it is not sound`]),
      WARNING,
    ],
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

const recordOf = ({ requestsPerVisit, visitsPerDay, peakShare, headRoom, thinkMs }: Activity) => ({
  requests_per_visit: requestsPerVisit,
  visits_per_day: visitsPerDay,
  peak_share: peakShare,
  head_room: headRoom,
  think_ms: thinkMs,
});
