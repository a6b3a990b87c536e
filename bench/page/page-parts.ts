/** The parts of a page that follow a reader's choice: drawn when the page is made, and again in the browser after a choice. */
import type { VerdictPanel } from "../report/verdict-rows.ts";
import { cellsTable } from "./cells-table.ts";
import { cardFigure, figures } from "./chart-figure.ts";
import { chartsOf } from "./charts.ts";
import type { Html } from "./html.ts";
import type { PageData, ShownRun } from "./page-data.ts";
import { rateCharts, rateSection } from "./rate-charts.ts";
import {
  acrossSection,
  answerSection,
  differenceSection,
  noiseSection,
  stepSection,
  trustSection,
} from "./sections.ts";
import { panelsShown, verdictCharts } from "./verdict-charts.ts";
import { choicesOf, columnOf, type PageChoices, placeOf, shows, showsCard } from "./view.ts";

/** Width of the text on a wide screen, in pixels: a page is made for it. */
export const MADE_WIDTH = 1_132;
/** Width of a sheet of A4 between its margins, at 96 dots an inch. */
export const PAPER_WIDTH = 700;

/** The run, the cells and the questions that a choice shows. */
export interface Seen {
  readonly choice: URLSearchParams;
  readonly choices: PageChoices;
  readonly shown: ShownRun;
  readonly cards: ShownRun["cells"];
  readonly panels: readonly VerdictPanel[];
}

/** Applies a choice, as the page's link has it, to the data of a page. */
export function seenOf(data: PageData, choice: URLSearchParams): Seen {
  const choices = choicesOf(data);
  const shown = data.runs[placeOf(choice, "run", data.runs.length)]!;
  const cards = shown.cells.filter((card) => showsCard(choice, choices, card));
  const names = new Set(cards.map(({ name }) => name));
  const panels = panelsShown(shown, { shows: (name) => names.has(name), baseline: choice.get("baseline") });
  return { choice, choices, shown, cards, panels };
}

/** The charts of what is shown: one for each question, those of servers at rates, then those of each server alone. */
export function chartsSeen({ choice, shown, cards, panels }: Seen) {
  return {
    verdicts: verdictCharts(panels),
    rates: rateCharts(shown),
    further: chartsOf(shown, cards, choice.has("published")),
  };
}

/** The parts whose drawings depend on the width of the page. */
export const DRAWN_PARTS = ["answers", "rates", "charts", "differences"] as const;
/** All parts of a page: the ids of their places. A page of one run has no place for some. */
export const PARTS = [...DRAWN_PARTS, "trust", "cells", "steps", "noise", "across"] as const;
/** A part of a page. */
export type PartId = typeof PARTS[number];

/** Draws a part of a page so many pixels wide. */
export function drawPart(id: PartId, data: PageData, seen: Seen, width: number): Html {
  const { choice, choices, shown, cards, panels } = seen;
  switch (id) {
    case "trust":
      return trustSection(shown);
    case "answers": {
      const { verdicts } = chartsSeen(seen);
      const room = cardWidths(verdicts.length, width);
      const pictures = verdicts.map((chart, n) => ({ of: panels[n]!.title, figure: cardFigure(chart, room(n)) }));
      return answerSection(shown, cards, pictures);
    }
    case "rates":
      return rateSection(shown, width);
    case "cells":
      return cellsTable(shown, cards, panels, columnOf(choice));
    case "steps":
      return stepSection(shown);
    case "charts":
      return figures(chartsSeen(seen).further, width);
    case "noise":
      return noiseSection(shown);
    case "differences":
      return differenceSection(data, data.runs[0]!.cells.filter((card) => showsCard(choice, choices, card)), width);
    case "across":
      return acrossSection(data, (cell) => shows(choice, choices, cell));
  }
}

/** The least width of an answer's card, the gap between two, and what its edge and padding take: as style.css has them. */
const CARD = 420, CARD_GAP = 16, CARD_EDGE = 38;

/** The room for a drawing on each of some cards, in pixels: cards share a row, and those of the last row fill it. */
function cardWidths(count: number, width: number): (n: number) => number {
  const most = width === PAPER_WIDTH ? 2 : Math.max(1, Math.floor((width + CARD_GAP) / (CARD + CARD_GAP)));
  return (n) => {
    const inRow = Math.min(most, count - n + n % most);
    return Math.max(280, Math.floor((width - CARD_GAP * (inRow - 1)) / inRow) - CARD_EDGE);
  };
}
