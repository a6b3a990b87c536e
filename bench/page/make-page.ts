import { stepTables } from "../report/step-table.ts";
import { layoutOf } from "../report/layout.ts";
import { controls } from "./controls.ts";
import { type Html, markup } from "./html.ts";
import type { Explanation } from "../record/explanation-schema.ts";
import type { PageData } from "./page-data.ts";
import { framedPage } from "./page-frame.ts";
import { drawPart, MADE_WIDTH, type PartId, seenOf } from "./page-parts.ts";
import { term, termNotes } from "./terms.ts";
import { whySection } from "./why-section.ts";
import { titledSection } from "./table-html.ts";

/** The most cells whose tables and charts are drawn without scripts. */
const DRAWN_UP_TO = 400;
const UNDRAWN = markup`<noscript>So many cells need scripts.</noscript>`;

/**
 * The whole page: one file that needs no other and no network.
 *
 * @param explanations why cells of its first run cost what they do
 */
export function makePage(
  data: PageData,
  explanations: readonly Explanation[] = [],
): string {
  const first = data.runs[0];
  if (first === undefined) throw new RangeError("a page needs at least one run");
  const names = data.runs.map(({ run }) => run.run).join(" and ");
  const seen = seenOf(data, new URLSearchParams());
  const isWhole = first.cells.length <= DRAWN_UP_TO;
  const place = (id: PartId) =>
    !isWhole && (id === "cells" || id === "charts") ? UNDRAWN : drawPart(id, data, seen, MADE_WIDTH);
  const body = markup`<a class="skip" href="#answer">Skip to the answer</a>
<header><div class="wrap"><h1>${first.summary.answer.subject} <span id="run-name">${first.run.run}</span></h1>${
    data.runs.length < 2
      ? null
      : markup`<p class="lead">Runs on this page: ${data.runs.map(({ run }) => run.run).join(", ")}.</p>`
  }<div id="trust">${place("trust")}</div></div></header>
<main class="wrap">
<section id="answer" aria-labelledby="answer-title"><h2 id="answer-title" class="quiet">What to take</h2><div id="answers" class="answers">${
    place("answers")
  }</div>
<p id="told" class="quiet" role="status"></p></section><div id="rates">${place("rates")}</div>${
    whySection(explanations)
  }
<div class="bar"><details class="fold choose"><summary>Filter, pick your needs <span id="needs-told"></span></summary>${
    controls(data)
  }</details><div class="tools"><button type="button" id="copy-link">Copy link</button>
<button type="button" id="theme">Theme: auto</button></div></div>
${betweenRuns(data, place)} ${
    titledSection(
      "table",
      markup`Every cell`,
      markup`In the order of the picture. Press a cell for its evidence, a head to sort. Speed comes from servers ${
        term("together", "measured together")
      }, with ${
        term("interval", "intervals")
      }, and is coloured only where it is decided. “≥”: load generator or network was the limit (${
        term("bound", "bound")
      }). “⚠” names what speaks against a cell, “·” is a remark that does not.`,
      markup`<a class="skip" href="#charts-title">Skip the table</a><div id="cells" class="scroll" tabindex="0" role="region" aria-label="Table of cells">${
        place("cells")
      }</div>`,
    )
  }
<section id="step-section" aria-labelledby="steps-title" data-empty="${
    stepTables(first.summary).length === 0 ? "yes" : "no"
  }"><h2 id="steps-title">What each step costs or buys</h2><div id="steps">${place("steps")}</div></section>
${
    folded(
      "charts",
      "Charts of each measured alone",
      markup`<p class="hint">They follow the filters and needs above; those of one size show the largest chosen. Times are ${
        term("service", "service times")
      }.</p>
<div id="charts" class="charts" data-drawn="${isWhole ? MADE_WIDTH : 0}">${place("charts")}</div>`,
    )
  }
${folded("noise", "How sure this is, and where it was made", markup`<div id="noise">${place("noise")}</div>`)}
</main>${footer(data)}
<dialog id="detail" aria-labelledby="detail-title"><div class="dialogbar"><button type="button" id="make-baseline">Tell all others against it</button><button type="button" class="close" aria-label="Close">✕</button></div><div id="detail-body"></div></dialog>${termNotes()}`;
  return framedPage({ title: `${first.summary.answer.subject}, ${names}`, body, data });
}

/** The sections of a page of several runs: their differences, and verdicts on several kinds of CPU. */
function betweenRuns(data: PageData, place: (id: PartId) => Html): Html {
  const { runs } = data;
  const kinds = new Set(runs.map(({ run }) => run.machine.cpu_kind)).size;
  return markup`${
    runs.length < 2 ? null : titledSection(
      "differences",
      markup`Differences between runs`,
      markup`What changed between two runs does not cancel as it does within one, so intervals are wide.`,
      markup`<div id="differences">${place("differences")}</div>`,
    )
  }${
    kinds < 2 ? null : titledSection(
      "across",
      markup`Between machines`,
      markup`The same comparison on each kind of CPU: who wins, and how far the ratio moves.`,
      markup`<div id="across">${place("across")}</div>`,
    )
  }`;
}

/** Evidence that opens on demand. */
function folded(id: string, title: string, body: Html): Html {
  return markup`<section aria-labelledby="${id}-title"><details class="fold"><summary><h2 id="${id}-title">${title}</h2></summary>${body}</details></section>`;
}

function footer({ runs }: PageData): Html {
  const { contrasts, conditions } = layoutOf(runs[0]!.run.plan);
  const axes = [...contrasts, ...conditions].map(({ title }) => title).join(", ");
  return markup`<footer class="wrap"><p>Made by <code>bench report</code>. A cell is one value for each of ${axes}, each round a fresh server process. <a href="#answer">Back to the answer</a></p></footer>`;
}
