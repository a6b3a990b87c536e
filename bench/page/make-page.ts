import type { Explanation } from "../record/explanation-schema.ts";
import { AA } from "../record/cell.ts";
import { layoutOf } from "../report/layout.ts";
import { stepTables } from "../report/step-table.ts";
import { isPanelJudged, type VerdictPanel, verdictPanels, verdictTable } from "../report/verdict-rows.ts";
import { cellDetail } from "./cell-detail.ts";
import { cellsTable } from "./cells-table.ts";
import { cardFigure, figures } from "./chart-figure.ts";
import type { Chart } from "./chart-look.ts";
import { chartsOf } from "./charts.ts";
import { choicesOf, chosenBy, controls, type PageChoices } from "./choices.ts";
import { forest } from "./forest.ts";
import { type Html, markup } from "./html.ts";
import { framedPage } from "./page-frame.ts";
import { rateSection } from "./rate-charts.ts";
import {
  acrossSection,
  answerSection,
  differenceSection,
  noiseSection,
  stepSection,
  term,
  termNotes,
  trustSection,
} from "./sections.ts";
import type { PageData, ShownRun } from "./shown-run.ts";
import { titledSection } from "./table-html.ts";
import { whySection } from "./why-section.ts";

/**
 * The whole page: one file that needs no other and no network, complete without scripts.
 *
 * @param above a line over its head, where it is one page of many
 */
export function makePage(data: PageData, explanations: readonly Explanation[] = [], above: Html | null = null): string {
  const { runs } = data;
  const [first] = runs;
  if (first === undefined) throw new RangeError("a page needs at least one run");
  const names = runs.map(({ run }) => run.run).join(" and ");
  const { subject } = first.summary.answer;
  const choices = choicesOf(data);
  const bar = controls(data, choices);
  const isOne = runs.length === 1;
  const why = whySection(explanations);
  const body = markup`<a class="skip" href="#answer">Skip to the answer</a>
<header><div class="wrap">${above}<h1>${subject} <span id="run-name">${names}</span></h1>${
    isOne ? markup`<div id="trust">${trustSection(first)}</div>` : null
  }</div></header>
<main class="wrap">${isOne ? null : [betweenRuns(data), bar]}${
    runs.map((shown, n) =>
      runArticle({
        shown,
        n,
        choices,
        above: isOne ? null : markup`<h2>${shown.run.run}</h2>${trustSection(shown)}`,
        between: isOne ? [why, bar] : n === 0 ? why : null,
      })
    )
  }</main>${footer(first)}${termNotes()}`;
  return framedPage({ title: `${subject}, ${names}`, body, scripted: true });
}

interface RunParts {
  readonly shown: ShownRun;
  /** Its place on the page, from 0. */
  readonly n: number;
  readonly choices: PageChoices;
  readonly above: Html | null;
  /** The parts between its answer and its table. */
  readonly between: Html | null | readonly (Html | null)[];
}

/** All of one run. Ids of later runs end in their places. */
function runArticle({ shown, n, choices, above, between }: RunParts): Html {
  const idOf = (name: string) => n === 0 ? name : `${name}-${n + 1}`;
  const { run: { plan }, summary, cells } = shown;
  const panels = verdictPanels({ plan, summary });
  const pictures = verdictCharts(panels).map((chart, n) => ({
    of: panels[n]!.title,
    figure: cardFigure({ ...chart, id: idOf(chart.id) }),
  }));
  const ranked = cells.filter(({ cell }) => cell.label !== AA);
  const evidence = new Map(ranked.map(({ name }, place) => [name, `cell-${n + 1}-${place + 1}`]));
  const table = cellsTable(shown, panels, {
    ...{ field: `columns${n + 1}`, evidence },
    chosenBy: (card) => chosenBy(choices, card),
  });
  const charts = chartsOf(shown).map((chart) => ({ ...chart, id: idOf(chart.id) }));
  return markup`<article class="run" data-run="${n + 1}">${above}
<section id="${idOf("answer")}" aria-labelledby="${idOf("answer-title")}"><h2 id="${
    idOf("answer-title")
  }" class="quiet">What to take</h2><div id="${idOf("answers")}" class="answers">${
    answerSection(shown, pictures)
  }</div></section><div id="${idOf("rates")}">${rateSection(shown, idOf)}</div>${between}${
    titledSection(
      idOf("table"),
      markup`Every cell`,
      markup`In the order of the picture. Press a cell for its evidence, a head to sort. Speed comes from servers ${
        term("together", "measured together")
      }, with ${
        term("interval", "intervals")
      }, and is coloured only where it is decided. “≥”: load generator or network was the limit (${
        term("bound", "bound")
      }). “⚠” speaks against a cell, as its last column says.`,
      markup`<a class="skip" href="#${
        idOf(charts.length > 0 ? "charts-title" : "noise-title")
      }">Skip the table</a><div id="${idOf("cells")}">${table}</div>`,
    )
  }${
    stepTables(summary).length === 0 ? null : titledSection(
      idOf("steps"),
      "What each step costs or buys",
      "",
      markup`<div id="${idOf("steps")}">${stepSection(shown)}</div>`,
    )
  }${
    charts.length === 0 ? null : folded(
      idOf("charts"),
      "Charts of each measured alone",
      markup`<p class="hint">Those of one size show the largest. Times are ${
        term("service", "service times")
      }.</p><div id="${idOf("charts")}" class="charts">${figures(charts)}</div>`,
    )
  }${
    folded(
      idOf("noise"),
      "How sure this is, and where it was made",
      markup`<div id="${idOf("noise")}">${noiseSection(shown)}</div>`,
    )
  }${ranked.map((card) => evidencePanel(shown, card, evidence.get(card.name)!))}</article>`;
}

/** The meaning of a mark: a verdict is a whole interval beyond 1. */
const LEGEND =
  "Right of the line is faster. Filled: the whole interval lies beyond 1, so it is proven faster or slower. " +
  "Hollow: the interval holds 1, or there is none. Intervals hold together with 95 %, with what the run differs from itself by.";

/** A chart for each question. Where nothing has a verdict there is nothing to read it by. */
function verdictCharts(panels: readonly VerdictPanel[]): Chart[] {
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

const evidencePanel = (shown: ShownRun, card: ShownRun["cells"][number], id: string): Html =>
  markup`<div popover id="${id}" class="evidence" role="dialog" aria-label="${`Evidence of ${card.name}`}"><button type="button" class="close" popovertarget="${id}" popovertargetaction="hide" aria-label="Close" autofocus>✕</button>${
    cellDetail(shown, card)
  }</div>`;

/** The sections of a page of several runs: their differences, and verdicts on several kinds of CPU. */
function betweenRuns(data: PageData): Html {
  const kinds = new Set(data.runs.map(({ run }) => run.machine.cpu_kind)).size;
  return markup`${
    titledSection(
      "differences",
      "Differences between runs",
      "What changed between two runs does not cancel as it does within one, so intervals are wide.",
      markup`<div id="differences">${differenceSection(data)}</div>`,
    )
  }${
    kinds < 2 ? null : titledSection(
      "across",
      "Between machines",
      "The same comparison on each kind of CPU: who wins, and how far the ratio moves.",
      markup`<div id="across">${acrossSection(data)}</div>`,
    )
  }`;
}

function folded(id: string, title: string, body: Html): Html {
  return markup`<section aria-labelledby="${id}-title"><details class="fold"><summary><h2 id="${id}-title">${title}</h2></summary>${body}</details></section>`;
}

function footer({ run: { plan } }: ShownRun): Html {
  const { contrasts, conditions } = layoutOf(plan);
  const axes = [...contrasts, ...conditions].map(({ title }) => title).join(", ");
  return markup`<footer class="wrap"><p>Made by <code>bench report</code>. A cell is one value for each of ${axes}, each round a fresh server process. <a href="#answer">Back to the answer</a></p></footer>`;
}
