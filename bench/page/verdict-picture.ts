import { counted } from "../basics/units.ts";
import { stackedPicture } from "./drawn.ts";
import { forest } from "./forest.ts";
import type { RunFiles } from "./shown-run.ts";
import { isJudged, type VerdictPanel, verdictPanels } from "../report/verdict-rows.ts";

const WIDTH = 860;

/** The verdicts of a run, a panel for each question. */
export function panelsOf({ run: { plan }, summary }: Pick<RunFiles, "run" | "summary">): VerdictPanel[] {
  return verdictPanels({ plan, summary });
}

/** The question of a panel, and how much of it is decided. */
function titleOf(panel: VerdictPanel): string {
  const { title, baseline, decided, of } = panel;
  const asked = isJudged(panel) ? `how many times as fast as ${baseline}?` : "is any faster?";
  return `${title}: ${asked} ${decided} of ${counted(of, "comparison")} decided`;
}

/** What the picture shows, in words. */
export function pictureTitle(files: Pick<RunFiles, "run" | "summary">): string {
  const told = panelsOf(files).map(({ title, baseline, decided, of }) =>
    `${title}: ratios to ${baseline}, ${decided} of ${counted(of, "comparison")} decided`
  );
  return told.length === 0 ? "Nothing was compared" : told.join("; ");
}

/**
 * The verdicts of a run as an SVG file: for each question the ratios to its slowest value with their intervals. It stands in
 * README.md, where no script runs.
 */
export function verdictPicture(files: Pick<RunFiles, "run" | "summary">): string {
  const parts = panelsOf(files).map((panel) => {
    const title = titleOf(panel);
    return { title, drawing: forest(panel, { width: WIDTH, label: title }) };
  });
  return stackedPicture(pictureTitle(files), WIDTH, parts);
}
