/** The charts of cells alone that a table cannot say. None says who wins, which verdicts alone do. */
import { formatUs } from "../basics/units.ts";
import { RATE } from "../record/cell.ts";
import type { PlanAxis } from "../record/cell-schema.ts";
import { headsOf, textsOf } from "../report/layout.ts";
import { FIGURES } from "../report/figures.ts";
import { intervalText, sampleText, valueText } from "../report/metrics.ts";
import type { ColumnOf } from "../report/table.ts";
import { type Chart, type ChartScene, sceneOf, type Spot } from "./chart-look.ts";
import { percentileChart, percentText, scaling, sharesOf } from "./line-charts.ts";
import type { ShownRun } from "./shown-run.ts";
import { versionCharts } from "./version-chart.ts";

/** All charts of a run, in the order they are read. */
export function chartsOf(shown: ShownRun): Chart[] {
  const scene = sceneOf(shown);
  const { at, colours, scale } = scene;
  const shares = sharesOf(scene.focus, shown);
  const latency = (): Chart => ({
    id: "latency",
    title: `Service times up to the slowest requests${at}`,
    note:
      "Service times under full load, all rounds together, the raw histogram; each step to the right is a tenth of the requests before.",
    legend: colours,
    draw: (width) => percentileChart(scene, shares, width),
    table: () =>
      tableOf(scene, shares, [
        ["share of requests", ({ share }) => percentText(share)],
        ["served within", ({ us }) => formatUs(us)],
      ]),
  });
  return [
    ...versionCharts(shown),
    // A given rate is not the server's achievement.
    ...(scale === null || scale.name === RATE ? [] : [scalingChart(scene, scale, shown)]),
    ...(shares.length === 0 ? [] : [latency()]),
  ];
}

function scalingChart(scene: ChartScene, scale: PlanAxis, { cells }: ShownRun): Chart {
  const limits = "points are hollow where cells that the load generator limited can do more (“≥”).";
  return {
    id: "scaling",
    title: `${scene.words("Requests a second")} as ${scale.title} grow`,
    note: `Each server alone: ${sampleText(cells)}; ${limits}`,
    legend: scene.colours,
    draw: (width) => scaling(scale, scene, width),
    table: () =>
      tableOf(scene, scene.spots, [
        [scene.words("req/s"), ({ card }) => valueText(card, FIGURES[0]!)],
        ["95 % interval", ({ card }) => intervalText(card) || "–"],
      ], [scale]),
  };
}

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
