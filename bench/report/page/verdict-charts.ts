/** The charts of verdicts: one for each question, drawn the same on the page, its print and without scripts. */
import { counted } from "../../basics/units.ts";
import { isJudged, type VerdictPanel, verdictPanels, verdictTable } from "../verdict-rows.ts";
import type { Chart } from "./charts.ts";
import { forest } from "./forest.ts";
import { type Html, markup } from "./html.ts";
import type { ShownRun } from "./page-data.ts";

/** What is drawn of a run's verdicts. */
export interface VerdictWish {
  readonly shows: (name: string) => boolean;
  /** Name of the cell whose values others are held against; null for the slowest. */
  readonly baseline: string | null;
}

/** A chart for each question. */
export function verdictCharts(shown: ShownRun, wish: VerdictWish): Chart[] {
  const { run: { plan }, summary, cells } = shown;
  const base = cells.find(({ name }) => name === wish.baseline);
  const baselines = new Map(
    base === undefined ? [] : plan.axes.flatMap(({ name, values }) => {
      const text = values.find(({ value }) => value === base.cell.point.at[name])?.text;
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
  return verdictPanels({ plan, summary, shows: wish.shows, baselines }).map((panel, n) => {
    const words = panelWords(panel);
    return {
      ...words,
      id: `verdicts${n + 1}`,
      wide: true,
      draw: (width) => forest(panel, { width, label: `${words.title} ${words.answer}` }),
      table: () => verdictTable(panel),
    };
  });
}

/** What stands around a panel: where nothing has a verdict there is nothing to read it by. */
function panelWords(panel: VerdictPanel): Required<Pick<Chart, "title" | "answer" | "note">> {
  const { title, baseline, decided, of } = panel;
  const comparisons = counted(of, "comparison");
  if (!isJudged(panel)) {
    return { title: `${title}: is any faster?`, answer: `That is open: no verdict in ${comparisons}.`, note: "" };
  }
  return {
    title: `${title}: how many times as fast as ${baseline}?`,
    answer: `${shortAnswer(panel)} ${decided} of ${comparisons} of this question decided.`,
    note:
      "Right of the line is faster; each row holds at its own place. Filled: proven faster or slower, outside the grey band. Hollow: not. Bars are intervals " +
      "that hold together with 95 %.",
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

/** In place of the charts where there are none. */
export const NO_VERDICTS: Html = markup`<p class="empty">Nothing that is shown was compared.</p>`;
