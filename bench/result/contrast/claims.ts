import { percent } from "../../basics/percent.ts";
import { formatRatio, formatUs } from "../../basics/units.ts";
import type { AnsweredClaim, ContrastRow } from "../../record/contrast-record.ts";

/** How near a rate is to wrk's for the two to say the same, and from where one says clearly less. */
const SAME = 0.95;
const LESS = 0.9;
/** Share of the server's own CPU time that may be called almost none. */
const ALMOST_NONE = 0.1;
/** By how much two latencies must differ before one of them is wrong. */
const WRONG = 1.1;

const LESSON = 'the lesson "Benchmarking with wrk"';
const GUIDE = "the Chronos guide's chapter about ab";

/** What the two texts say about load generators, held against what was measured; only of generators that were. */
export function answeredClaims(rows: readonly ContrastRow[], drawnOverOne: number | null): AnsweredClaim[] {
  const row = (generator: string, place: ContrastRow["place"] = "apart") =>
    rows.find((own) => own.generator === generator && own.place === place && own.requests_per_second !== null);
  const wrk = row("wrk");
  if (wrk === undefined) return [];
  return [
    ...["autocannon", "k6"].flatMap((name) => wrongChoice(name, row(name))),
    ...oneCore(row("wrk"), row("wrk", "one-core"), row("autocannon"), row("autocannon", "one-core")),
    ...almostNoCpu(wrk),
    ...sameAnswer(row("ab")),
    ...oneUrl(drawnOverOne),
    ...averages(wrk),
  ];
}

/** "Both are fine tools for their own reasons, but they are the wrong choice here." */
function wrongChoice(name: string, own: ContrastRow | undefined): AnsweredClaim[] {
  if (own === undefined || own.over_wrk === null) return [];
  const limit = own.bound === "generator" ? "and was the limit itself" : `and the limit was ${limitText(own)}`;
  const answer = own.over_wrk < LESS ? "confirmed" : own.over_wrk >= SAME ? "refuted" : "open";
  return [{
    source: LESSON,
    claim: `${name} is the wrong choice to find what a server can do`,
    answer,
    sentence: `on a core of its own ${name} reached ${formatRatio(own.over_wrk)} of wrk's rate, ${limit}`,
  }];
}

const limitText = ({ bound }: ContrastRow) =>
  bound === "neither" ? "neither side" : bound === "unknown" ? "not seen" : `the ${bound}`;

/** "When both sit on the same machine, the load generator and the server compete for the same CPU." */
function oneCore(
  wrk: ContrastRow | undefined,
  wrkOne: ContrastRow | undefined,
  other: ContrastRow | undefined,
  otherOne: ContrastRow | undefined,
): AnsweredClaim[] {
  const rates = [wrk, wrkOne, other, otherOne].map((own) => own?.requests_per_second ?? null);
  if (rates.includes(null)) return [];
  const [apart, one, otherApart, otherTogether] = rates as [number, number, number, number];
  const [kept, otherKept] = [one / apart, otherTogether / apart];
  return [{
    source: LESSON,
    claim: "on the server's own core autocannon takes the CPU it measures, and wrk does not",
    answer: otherKept >= LESS * kept ? "refuted" : kept >= LESS ? "confirmed" : "open",
    sentence: `with both on one core wrk showed ${percent(kept)} of what the server does on a core of its own, ` +
      `autocannon ${percent(otherKept)} (${percent(otherApart / apart)} from another core): ` +
      (kept >= LESS ? "only wrk left it its core" : "each took CPU from the server, autocannon more"),
  }];
}

/** "It uses almost no CPU relative to the load it generates." */
function almostNoCpu(
  { generator_cpu_ns_per_request: own, server_cpu_ns_per_request: server }: ContrastRow,
): AnsweredClaim[] {
  if (own === null || server === null || server === 0) return [];
  const share = own / server;
  return [{
    source: LESSON,
    claim: "wrk uses almost no CPU relative to the load it generates",
    answer: share < ALMOST_NONE ? "confirmed" : "refuted",
    sentence:
      `for each request wrk used ${formatUs(own / 1e3)} of CPU time and the server ${formatUs(server / 1e3)}: ` +
      `${percent(share)} of it`,
  }];
}

/** The guide takes ab's rate for the server's. */
function sameAnswer(own: ContrastRow | undefined): AnsweredClaim[] {
  if (own === undefined || own.over_wrk === null) return [];
  const answer = own.over_wrk >= SAME ? "confirmed" : own.over_wrk < LESS ? "refuted" : "open";
  return [{
    source: GUIDE,
    claim: "the requests per second ab prints are what the server can do",
    answer,
    sentence: `asked to keep connections, ab reached ${formatRatio(own.over_wrk)} of wrk's rate; the limit was ${
      limitText(own)
    }`,
  }];
}

/** "If you pointed wrk at a single URL, … you would end up measuring the hottest possible case." */
function oneUrl(drawnOverOne: number | null): AnsweredClaim[] {
  if (drawnOverOne === null) return [];
  return [{
    source: LESSON,
    claim: "one URL again and again flatters the server",
    answer: drawnOverOne <= SAME ? "confirmed" : "refuted",
    sentence: `with drawn requests wrk reached ${formatRatio(drawnOverOne)} of its rate with one of them`,
  }];
}

/** "Latency Avg is the average response time." */
function averages(
  { told_mean_us: told, raw_mean_us: raw, told_p99_us: toldTail, raw_p99_us: rawTail }: ContrastRow,
): AnsweredClaim[] {
  if (told === null || raw === null || toldTail === null || rawTail === null) return [];
  const tail = `its p99 ${formatUs(toldTail)} and ${formatUs(rawTail)}`;
  return [{
    source: LESSON,
    claim: "the average latency wrk prints is the average response time",
    answer: told / raw > WRONG || toldTail / rawTail > WRONG ? "refuted" : "confirmed",
    sentence: `wrk printed a mean of ${formatUs(told)} where its raw data say ${formatUs(raw)}; ${tail}`,
  }];
}
