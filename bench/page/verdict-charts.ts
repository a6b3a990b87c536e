/** The charts of verdicts: one for each question, the same on the page and on paper. */
import { isPanelJudged, type VerdictPanel, verdictTable } from "../report/verdict-rows.ts";
import type { Chart } from "./chart-look.ts";
import { forest } from "./forest.ts";

/** The meaning of a mark: a verdict is a whole interval beyond 1. */
const LEGEND =
  "Right of the line is faster. Filled: the whole interval lies beyond 1, so it is proven faster or slower. " +
  "Hollow: the interval holds 1, or there is none. Intervals hold together with 95 %, with what the run differs from itself by.";

/** A chart for each question. Where nothing has a verdict there is nothing to read it by. */
export function verdictCharts(panels: readonly VerdictPanel[]): Chart[] {
  return panels.map((panel, n) => {
    const judged = isPanelJudged(panel);
    const title = `${panel.title}: ${judged ? `speed, ${panel.baseline} = 1` : "no verdict"}`;
    return {
      id: `verdicts${n + 1}`,
      title,
      note: judged ? LEGEND : "",
      draw: (width) => forest(panel, { width, label: title }),
      table: () => verdictTable(panel),
    };
  });
}
