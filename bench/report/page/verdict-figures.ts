/** The figures of verdicts: one for each question, drawn the same on the page, its print and without scripts. */
import { counted } from "../../basics/units.ts";
import { forestPicture } from "../forest-picture.ts";
import { looksOf } from "../look.ts";
import { isJudged, type VerdictPanel, verdictPanels, verdictTable } from "../verdict-rows.ts";
import { chartFigure } from "./chart-figure.ts";
import type { Chart } from "./charts.ts";
import { type Html, markup } from "./html.ts";
import type { ShownRun } from "./page-data.ts";

/** What is drawn of a run's verdicts. */
export interface VerdictWish {
  readonly width: number;
  readonly answer: ShownRun["summary"]["answer"];
  readonly shows: (name: string) => boolean;
  /** Name of the cell whose values others are held against; null for the picks. */
  readonly baseline: string | null;
}

/** A panel as a chart without its drawing. */
export function verdictCharts(shown: ShownRun, wish: VerdictWish): { panel: VerdictPanel; chart: Chart }[] {
  const { run: { plan }, summary, cells } = shown;
  const base = cells.find(({ name }) => name === wish.baseline);
  const baselines = new Map(
    base === undefined ? [] : plan.axes.flatMap(({ name, values }) => {
      const text = values.find(({ value }) => value === base.cell.point.at[name])?.text;
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
  return verdictPanels({ plan, summary, answer: wish.answer, shows: wish.shows, baselines }).map((panel, n) => ({
    panel,
    chart: {
      id: `verdicts${n + 1}`,
      ...panelWords(panel),
      wide: true,
      legend: new Map(),
      draw: () => null,
      table: () => verdictTable(panel),
    },
  }));
}

/** What stands around a panel: where nothing has a verdict there is nothing to read it by. */
function panelWords(panel: VerdictPanel): Pick<Chart, "title" | "answer" | "note"> {
  const { title, baseline, decided, of } = panel;
  const comparisons = counted(of, "comparison");
  if (!isJudged(panel)) {
    return { title: `${title}: is any faster?`, answer: `That is open: no verdict in ${comparisons}.`, note: "" };
  }
  return {
    title: `${title}: is anything faster than ${baseline}?`,
    answer: `${shortAnswer(panel)} ${decided} of ${comparisons} of this question decided.`,
    note:
      "Right of the line is faster. Filled: decided. Hollow: open, the interval still holds both. Bars are intervals that hold " +
      "together with 95 %.",
  };
}

function shortAnswer({ groups, baseline }: VerdictPanel): string {
  const rows = groups.flatMap(({ rows, ...group }) => group.baseline === baseline ? rows : []);
  const count = (...states: string[]) => rows.filter(({ state }) => states.includes(state)).length;
  const parts = [
    [count("faster"), "faster"],
    [count("slower"), "slower"],
    [count("equivalent"), "equivalent"],
    [count("open", "none"), "open"],
  ].filter(([number]) => number !== 0).map(([number, word]) => `${number} ${word}`);
  return parts.length === 0 ? "Nothing was compared with it." : `Against ${baseline}: ${parts.join(", ")}.`;
}

/** Room for the words beside a row on a page of 768: its interval, and how many rounds would decide it. */
const WORDS_SHARE = 0.42;

/** Height in pixels from which a picture does not fit below the answers on a sheet of paper. */
const TALL = 800;

/** All figures of verdicts; text that says so where there are none. */
export function verdictFigures(shown: ShownRun, wish: VerdictWish): Html {
  const found = verdictCharts(shown, wish);
  if (found.length === 0) return markup`<p class="empty">Nothing that is shown was compared.</p>`;
  return markup`${
    found.map(({ panel, chart }) => {
      const drawn = forestPicture(panel, { width: wish.width, looks: looksOf(panel.values), wordsShare: WORDS_SHARE });
      const size = `0 0 ${Math.round(drawn.width)} ${Math.round(drawn.height)}`;
      return chartFigure(
        chart,
        markup`<svg${drawn.height > TALL ? markup` class="tall"` : null} viewBox="${size}" width="${
          Math.round(drawn.width)
        }" height="${
          Math.round(drawn.height)
        }" role="img" aria-label="${chart.title} ${chart.answer}">${drawn.body}</svg>`,
      );
    })
  }`;
}
