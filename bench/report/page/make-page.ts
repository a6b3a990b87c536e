import { layoutOf } from "../layout.ts";
import { startedText } from "../listed-run.ts";
import { METRICS } from "../metrics.ts";
import { stillFigures } from "./chart-figure.ts";
import { controls } from "./controls.ts";
import { heatTable } from "./heat-table.ts";
import { type Html, markup } from "./html.ts";
import type { PageData } from "./page-data.ts";
import { framedPage } from "./page-frame.ts";
import {
  acrossSection,
  answerSection,
  differenceSection,
  noiseSection,
  stepSection,
  trustSection,
} from "./sections.ts";
import { term, termNotes } from "./terms.ts";
import { NO_VERDICTS, verdictCharts } from "./verdict-charts.ts";

/** Up to so many cells the table also stands in the page itself, for readers without scripts; beyond, only scripts draw it. */
const TABLE_UP_TO = 400;

/**
 * The whole page: one file that needs no other and no network.
 *
 * @param home where the list of all runs is; null for a page that stands alone
 */
export function makePage(data: PageData, home: string | null = null): string {
  const first = data.runs[0];
  if (first === undefined) throw new RangeError("a page needs at least one run");
  const steps = stepSection(first);
  const names = data.runs.map(({ run }) => run.run).join(" and ");
  const body = markup`<a class="skip" href="#answer">Skip to the answer</a>
<header><div class="wrap"><div class="bar"><h1>Levelfield <span id="run-name">${first.run.run}</span></h1>
<div class="tools">${home === null ? null : markup`<a href="${home}">All runs</a>`}
<button type="button" id="copy-link">Copy link</button>
<button type="button" id="theme">Theme: auto</button></div></div>
<p class="lead">${first.run.plan.suite.title}; measured ${startedText(first.run)} UTC with ${
    first.run.runtimes.map(({ name, version }) => `${name} ${version}`).join(", ")
  }.${
    data.runs.length < 2 ? "" : ` Runs on this page: ${data.runs.map(({ run }) => run.run).join(", ")}.`
  }</p><div id="trust">${trustSection(first)}</div></div></header>
<main class="wrap">
<section id="answer" aria-labelledby="answer-title"><h2 id="answer-title">What to take</h2><div id="answers" class="answers">${
    answerSection(first, first.cells)
  }</div>
<p id="told" class="quiet" role="status"></p></section> ${
    section(
      "verdicts",
      markup`How they compare`,
      null,
      markup`${verdicts(first)}<p class="hint">${markup`Servers ${term("together", "measured together")}, ratios with ${
        term("interval", "intervals")
      } at each ${term("place", "place")}; the grey band is what ${term("aa", "A/A")} allows.`}</p>`,
    )
  }${controls(data)} ${betweenRuns(data)} ${
    section(
      "table",
      markup`Every cell`,
      markup`Press a cell for its evidence, a head to sort. Deeper colour is nearer to the best under the same conditions, none is a tenth of it or less. “≥”: load generator or network was the limit (${
        term("bound", "bound")
      }), never ranked. “⚠” names what speaks against a cell, “·” is a remark that does not. Figures are medians over ${
        term("round", "rounds")
      }.`,
      table(first),
    )
  }
<section id="step-section" aria-labelledby="steps-title" data-empty="${
    first.summary.steps.length === 0 ? "yes" : "no"
  }"><h2 id="steps-title">What each step costs or buys</h2><div id="steps">${steps}</div></section>
<section aria-labelledby="charts-title"><h2 id="charts-title">Charts</h2>
<p class="hint">They follow the filters and needs above; those of one size show the largest chosen. Times are ${
    term("service", "service times")
  }.</p>
<div id="charts" class="charts"><noscript><p>Charts need scripts; all figures are in the table above.</p></noscript></div></section>
<section aria-labelledby="noise-title"><h2 id="noise-title">How sure this is</h2><div id="noise">${
    noiseSection(
      first,
    )
  }</div></section>
</main>${footer(data)}
<dialog id="detail" aria-labelledby="detail-title"><div class="dialogbar"><button type="button" id="make-baseline">Tell all others against it</button><button type="button" class="close" aria-label="Close">✕</button></div><div id="detail-body"></div></dialog>${termNotes()}`;
  return framedPage({ title: names, body, script: { app: "app.ts", data } });
}

function section(id: string, title: Html, hint: Html | null, body: Html): Html {
  return markup`<section aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${
    hint === null ? null : markup`<p class="hint">${hint}</p>`
  }${body}</section>`;
}

/** What has a place only where there are several runs: their differences, and what holds on several kinds of CPU. */
function betweenRuns(data: PageData): Html {
  const { runs } = data;
  const kinds = new Set(runs.map(({ run }) => run.machine.cpu_kind)).size;
  return markup`${
    runs.length < 2 ? null : section(
      "differences",
      markup`Differences between runs`,
      markup`What changed between two runs does not cancel as it does within one, so intervals are wide.`,
      markup`<div id="differences">${differenceSection(data, runs[0]!.cells)}</div>`,
    )
  }${
    kinds < 2 ? null : section(
      "across",
      markup`Between machines`,
      markup`The same comparison on each kind of CPU: who wins, and how far the ratio moves.`,
      markup`<div id="across">${acrossSection(data)}</div>`,
    )
  }`;
}

function verdicts(first: PageData["runs"][number]): Html {
  const charts = verdictCharts(first, { shows: () => true, baseline: null });
  return markup`<div id="verdicts" class="charts">${charts.length === 0 ? NO_VERDICTS : stillFigures(charts)}</div>`;
}

function table(first: PageData["runs"][number]): Html {
  const inside = first.cells.length > TABLE_UP_TO
    ? markup`<noscript>So many cells need scripts.</noscript>`
    : heatTable(first, first.cells, { metric: METRICS[0]!, baseline: null, sort: 0 });
  return markup`<a class="skip" href="#charts-title">Skip the table</a><div id="heat" class="scroll" tabindex="0" role="region" aria-label="Table of cells">${inside}</div>`;
}

function footer({ runs }: PageData): Html {
  const { contrasts, conditions } = layoutOf(runs[0]!.run.plan);
  const axes = [...contrasts, ...conditions].map(({ title }) => title).join(", ");
  return markup`<footer class="wrap"><p>Made by <code>bench report</code>. A cell is one value for each of ${axes}; its figure is the median over rounds, each a fresh server process. <a href="#answer">Back to the answer</a></p></footer>`;
}
