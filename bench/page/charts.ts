/** The charts of a page: each says what it shows and nothing of who wins, which verdicts alone do. */
import { formatRate, formatUs } from "../basics/units.ts";
import type { PlanAxis } from "../record/cell-schema.ts";
import { AA, RATE } from "../record/cell.ts";
import type { CellFigures } from "../record/card.ts";
import { inWords } from "../record/in-words.ts";
import { headsOf, textsOf } from "../report/layout.ts";
import { intervalText, sampleText, valueText } from "../report/metrics.ts";
import { type Chart, type ChartScene, isFar, sceneOf, type Spot } from "./chart-look.ts";
import { percentiles, percentText, scaling, sharesOf } from "./line-charts.ts";
import type { ShownRun } from "./shown-run.ts";
import { bars, costRows, noiseDots, roundsOf } from "./row-charts.ts";
import { versionCharts } from "./version-chart.ts";
import { type Figure, figureOf, FIGURES } from "../report/figures.ts";
import type { ColumnOf } from "../report/table.ts";

/** All charts of some cards of a run, in the order they are read. */
export function chartsOf(shown: ShownRun): Chart[] {
  const shownCards: readonly CellFigures[] = shown.cells;
  const scene = sceneOf(shown, shownCards);
  const { layout, focus, at, colours, facets } = scene;
  const sample = sampleText(shownCards);
  const shares = sharesOf(focus, shown);
  return [
    ...versionCharts(shown, shownCards),
    // A given rate is not the server's achievement.
    ...(scene.scale?.name === RATE ? [] : [firstChart(scene, shownCards)]),
    {
      id: "latency",
      title: `Service times up to the slowest requests${at}`,
      note:
        "Service times under full load, all rounds together, the raw histogram; each step to the right is a tenth of the requests before.",
      wide: true,
      legend: colours,
      draw: (width) => percentiles(scene, shares, width),
      table: () =>
        tableOf(scene, shares, [
          ["share of requests", ({ share }) => percentText(share)],
          ["served within", ({ us }) => formatUs(us)],
        ]),
    },
    {
      id: "cpu",
      title: `${scene.words("CPU time for a request")}${at}`,
      note: `Of the server, measured alone, ${sample}, the least first${
        isFar(focus.flatMap(({ card }) => card.cpu_ns_per_request || [])) ? "; a step is a factor" : ""
      }.`,
      wide: true,
      legend: layout.facet === null ? colours : facets,
      draw: (width) => costRows(scene, width),
      table: () => figureTable(scene, "cpu_ns_per_request"),
    },
    ...FIGURES.flatMap(({ key, title, chart }): readonly Chart[] =>
      chart === undefined ? [] : [{
        id: chart[0],
        title: `${scene.words(title)}${at}`,
        note: `${chart[1]}; ${sample}.`,
        wide: false,
        draw: (width) => bars(scene, key, width),
        table: () => figureTable(scene, key),
      }]
    ),
    roundsChart(shown, [
      ...focus.map(({ card }) => card),
      ...shownCards.filter(({ cell, requests_per_second }) => cell.label === AA && requests_per_second !== null),
    ]),
  ];
}

/** Requests per second, over the scale if there is one. */
function firstChart(scene: ChartScene, shownCards: readonly CellFigures[]): Chart {
  const { at, colours, scale, spots } = scene;
  const limits = "cells that the load generator limited can do more (“≥”).";
  const rates = [
    [scene.words("req/s"), ({ card }: Spot) => valueText(card, FIGURES[0]!)],
    ["95 % interval", ({ card }: Spot) => intervalText(card) || "–"],
  ] as const;
  const common = { wide: true, legend: colours };
  if (scale === null) {
    return {
      ...common,
      id: "rates",
      title: `${scene.words("Requests a second")}${at}`,
      note: `Each server alone: ${sampleText(shownCards)}; ${limits}`,
      draw: (width) => bars(scene, "requests_per_second", width),
      table: () => tableOf(scene, spots, rates),
    };
  }
  return {
    ...common,
    id: "scaling",
    title: `${scene.words("Requests a second")} as ${scale.title} grow`,
    note: `Each server alone: ${sampleText(shownCards)}; points are hollow where ${limits}`,
    draw: (width) => scaling(scale, scene, width),
    table: () => tableOf(scene, spots, rates, [scale]),
  };
}

function roundsChart(shown: ShownRun, cards: readonly CellFigures[]): Chart {
  return {
    id: "rounds",
    title: "Noise and drift from round to round",
    note:
      "Each dot is one round's rate against the median of its cell, darker the later. A cell measured twice (A/A) shows what noise alone does.",
    wide: true,
    draw: (width) => noiseDots(cards, shown, width),
    table: () => ({
      heads: ["cell", "round", inWords(shown.run.plan, "req/s"), "against its median", "status"],
      rows: roundsOf(cards, shown).map(({ name, round, rate, change, status }) => [
        name,
        String(round),
        formatRate(rate),
        `${change.toFixed(1)} %`,
        status,
      ]),
    }),
  };
}

/** Spots as rows: the values that differ, then the columns of each. */
function tableOf<T extends Spot>(
  { layout, apart }: ChartScene,
  spots: readonly T[],
  columns: readonly ColumnOf<T>[],
  scale: readonly PlanAxis[] = [],
) {
  const axes = [...apart, ...layout.contrasts, ...scale];
  return {
    heads: [...headsOf(axes), ...columns.map(([title]) => title)],
    rows: spots.map((one) => [...textsOf(layout, axes, one.card.cell), ...columns.map(([, text]) => text(one))]),
  };
}

const figureTable = (scene: ChartScene, key: Figure["key"]) =>
  tableOf(scene, scene.focus.filter(({ card }) => card[key] !== null), [
    [scene.words(figureOf(key).title), ({ card }) => figureOf(key).format(card[key]!)],
  ]);
