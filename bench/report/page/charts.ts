/** The charts of a page: each a question, what answers it in a drawing and as a table, and how to read it. */
import { AA, matches, textOf } from "../../record/cell.ts";
import type { PlanAxis } from "../../record/cell-schema.ts";
import { RATE } from "../../judge/open-loop.ts";
import { percent } from "../../basics/percent.ts";
import type { CellCard } from "../../result/cell-card.ts";
import { formatUs } from "../../basics/units.ts";
import { headsOf, textsOf } from "../layout.ts";
import type { Look } from "../look.ts";
import { intervalText, isRanked, type MetricKey, metricOf, METRICS, valueText } from "../metrics.ts";
import { type ChartScene, formatCpu, groupsOf, isFar, sceneOf, type Spot } from "./chart-look.ts";
import { bars, costs, percentiles, type Published, scaling, sharesOf, waitsOver } from "./drawings.ts";
import type { ShownRun } from "./page-data.ts";
import { noiseDots, roundsOf } from "./round-drawings.ts";

/** A chart. */
export interface Chart {
  readonly id: string;
  readonly title: string;
  /** The answer to the title in a few words; empty where only the drawing has it. */
  readonly answer: string;
  readonly note: string;
  /** Whether it takes the whole width of a wide page. */
  readonly wide: boolean;
  /** What colours mean in it; empty where they mean nothing. */
  readonly legend: ReadonlyMap<string, Look>;
  /** Null when there is nothing to draw. */
  readonly draw: (width: number) => SVGSVGElement | null;
  /** Its figures: the head, then a row for each mark. */
  readonly table: () => { readonly heads: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

/** Bars of one metric: id of the chart, metric, question, note. */
const BARS: readonly (readonly [string, MetricKey, string, string])[] = [
  ["memory", "peak_rss_bytes", "Who needs the least memory", "Peak resident memory of the server, median over rounds."],
  ["startup", "startup_ms", "Who is ready first", "Process start until it listens, opening its files included."],
  ["disk", "disk_bytes", "Who has the smallest files on disk", "Bytes of the files it serves from."],
];

/** All charts of some cards of a run, in the order they are read. */
export function chartsOf(shown: ShownRun, shownCards: readonly CellCard[], withPublished: boolean): Chart[] {
  const scene = sceneOf(shown, shownCards);
  const { layout, spots, focus, at, colours, facets, scale } = scene;
  const published = withPublished ? publishedOf(shown, spots) : [];
  const sources = [...new Set(published.map(({ published }) => published.source))].join("; ");
  const dotted = sources === ""
    ? ""
    : ` Dotted: published rates, ${sources}; another machine, a shape to compare with.`;
  const limits = "cells that the load generator limited can do more (“≥”).";
  const coloured = layout.facet === null ? colours : facets;
  const nothing = new Map<string, Look>();
  const named = namedAxes(scene);
  const rates = { answer: leastText(scene, METRICS[0]!.key), legend: colours, table: () => rateTable(scene, spots) };
  return [
    scale === null
      ? {
        ...rates,
        id: "rates",
        title: `Who serves the most requests a second${at}?`,
        note: `Medians over rounds; ${limits}${dotted}`,
        wide: true,
        draw: (width) => bars(focus, "requests_per_second", scene, width, published),
      }
      : scale.name === RATE
      ? {
        id: "waits",
        title: "How long does somebody wait as the rate grows?",
        answer: "",
        note:
          "99th percentile from when requests were due, over the rate that was due; hollow: by the sender's clock, which forgets what a late server made others wait.",
        wide: true,
        legend: colours,
        draw: (width) => waitsOver(scale, scene, width),
        table: () => waitsTable(scene, scale),
      }
      : {
        ...rates,
        id: "scaling",
        title: `What does growth cost: who keeps its rate as ${scale.title} grow?`,
        answer: "",
        note: `Bars are 95 % intervals, points are hollow where ${limits}${dotted}`,
        wide: true,
        draw: (width) => scaling(scale, scene, published, width),
      },
    {
      id: "latency",
      title: `How long do the slowest requests take${at}?`,
      answer: leastText(scene, "p99_us", "99th percentile"),
      note:
        "Service times under full load, all rounds together, the raw histogram; each step to the right is a tenth of the requests before.",
      wide: true,
      legend: colours,
      draw: (width) => percentiles(scene, shown, width),
      table: () => ({
        heads: [...headsOf(named), "share of requests", "served within"],
        rows: focus.flatMap((spot) =>
          sharesOf(spot, shown).map(({ share, us }) => [
            ...textsOf(layout, named, spot.card.cell),
            `${Number((100 * share).toFixed(2))} %`,
            formatUs(us),
          ])
        ),
      }),
    },
    {
      id: "cpu",
      title: `Who takes the least CPU for a request${at}?`,
      answer: leastText(scene, "cpu_ns_per_request"),
      note: `CPU time of the server for a request, measured alone, the least first${
        isFar(focus.flatMap(({ card }) => card.cpu_ns_per_request || [])) ? "; a step is a factor" : ""
      }.`,
      wide: true,
      legend: coloured,
      draw: (width) => costs(scene, width),
      table: () => metricTable(scene, "cpu_ns_per_request", formatCpu),
    },
    ...BARS.map(([id, metric, title, note]): Chart => ({
      id,
      title: `${title}${at}?`,
      answer: leastText(scene, metric),
      note,
      wide: false,
      legend: nothing,
      draw: (width) => bars(focus, metric, scene, width),
      table: () => metricTable(scene, metric, metricOf(metric).format),
    })),
    {
      id: "rounds",
      title: "How noisy was it, and did it drift?",
      answer: "",
      note:
        "Each dot is one round's rate against the median of its cell, darker the later. A cell measured twice (A/A) shows what noise alone does.",
      wide: true,
      legend: nothing,
      draw: (width) => noiseDots(noiseCards(scene, shownCards), shown, width),
      table: () => ({
        heads: ["cell", "round", "req/s", "against its median", "status"],
        rows: roundsOf(noiseCards(scene, shownCards), shown).map(({ name, round, rate, change, status }) => [
          name,
          String(round),
          metricOf(null).format(rate),
          `${change.toFixed(1)} %`,
          status,
        ]),
      }),
    },
  ];
}

const noiseCards = ({ focus }: ChartScene, cards: readonly CellCard[]) => [
  ...focus.map(({ card }) => card),
  ...cards.filter(({ cell, requests_per_second }) => cell.label === AA && requests_per_second !== null),
];

function publishedOf({ run }: ShownRun, spots: readonly Spot[]): Published[] {
  return run.plan.expectations.flatMap((one) =>
    one.kind === "published" && one.metric === "requests_per_second"
      ? spots.filter(({ card }) => matches(card.cell.point.at, one.at)).map((spot) => ({ ...spot, published: one }))
      : []
  );
}

/** So many conditions are told one after the other; the answers to more are in the drawing. */
const TOLD = 4;

/** `deno with map, 9.85µs`: the best under each of the conditions, by its median alone; empty without. */
function leastText(scene: ChartScene, key: MetricKey, what = ""): string {
  const groups = groupsOf(scene, scene.focus);
  const told = groups.flatMap(({ at, spots }) => {
    const text = bestText(scene, spots, key);
    return text === "" ? [] : [at === "" ? text : `${at}: ${text}`];
  });
  if (told.length === 0 || groups.length > TOLD) return "";
  return `By the medians: ${told.join("; ")}${what === "" ? "" : ` (${what})`}.`;
}

/** The one best of what may be ranked; empty where several are. */
function bestText({ layout }: ChartScene, spots: readonly Spot[], key: MetricKey): string {
  const metric = metricOf(key);
  const known = spots.filter(({ card }) => isRanked(card, key) && card[key] !== null && card[key]! > 0);
  if (known.length < 2) return "";
  const better = (a: number, b: number) => metric.better === "higher" ? b - a : a - b;
  const best = known.toSorted((a, b) => better(a.card[key]!, b.card[key]!))[0]!;
  const same = known.filter(({ card }) => metric.format(card[key]!) === metric.format(best.card[key]!));
  if (same.length > 1) return "";
  const name = textsOf(layout, layout.contrasts, best.card.cell).join(" with ");
  return `${name}, ${metric.format(best.card[key]!)}`;
}

/** What tells the rows of a chart's table apart. */
const namedAxes = ({ layout, apart }: ChartScene) => [...apart, ...layout.contrasts];

function rateTable(scene: ChartScene, spots: readonly Spot[]) {
  const axes = [...namedAxes(scene), ...(scene.scale === null ? [] : [scene.scale])];
  return {
    heads: [...axes.map(({ title }) => title), "req/s", "95 % interval"],
    rows: spots.map(({ card }) => [
      ...axes.map((axis) => textOf(axis, card.cell.point.at)),
      valueText(card, METRICS[0]!),
      intervalText(card, METRICS[0]!) || "–",
    ]),
  };
}

function waitsTable(scene: ChartScene, scale: PlanAxis) {
  const us = (value: number | null | undefined) => value === null || value === undefined ? "–" : formatUs(value);
  const axes = [...namedAxes(scene), scale];
  return {
    heads: [...axes.map(({ title }) => title), "answered", "never sent", "p99 from due", "p99 by the sender's clock"],
    rows: scene.spots.flatMap(({ card: { cell, p99_us, open_loop } }) =>
      open_loop === undefined ? [] : [[
        ...axes.map((axis) => textOf(axis, cell.point.at)),
        open_loop.answered_share === null ? "–" : percent(open_loop.answered_share),
        String(open_loop.dropped ?? "–"),
        us(p99_us),
        us(open_loop.sender_p99_us),
      ]]
    ),
  };
}

function metricTable(scene: ChartScene, key: MetricKey, format: (value: number) => string) {
  return {
    heads: [...headsOf(namedAxes(scene)), metricOf(key).title],
    rows: scene.focus.filter(({ card }) => card[key] !== null).map(({ card }) => [
      ...textsOf(scene.layout, namedAxes(scene), card.cell),
      format(card[key]!),
    ]),
  };
}
