import { AA } from "../../record/cell.ts";
import { kept } from "../../result/board/board-run.ts";
import type { CellCard } from "../../record/card.ts";
import type { LinkSeen } from "../../result/link-seen.ts";
import type { RunRecord } from "../../record/run-record.ts";
import type { Summary } from "../../record/summary.ts";
import { counted, dash, formatUs } from "../../basics/units.ts";
import { machinesText } from "../hosts-text.ts";
import { badgeOf, isFaulty, marksByName } from "../badge.ts";
import { formatCpu, rateText } from "../metrics.ts";
import { type Html, markup, markupText } from "../page/html.ts";
import type { ShownRun } from "../page/page-data.ts";
import { answerSection, noiseSection, trustSection } from "../page/sections.ts";
import { type Field, tableOfRows, tableRow, titledSection } from "../page/table-html.ts";
import { termNotes } from "../page/terms.ts";
import { verdictPanels, verdictTable } from "../verdict-rows.ts";
import { boardPage } from "./board-frame.ts";

/** What a board shows of one run. */
export interface BoardRunFiles {
  readonly run: RunRecord;
  readonly summary: Summary;
  readonly cells: readonly CellCard[];
  /** What its windows say of the link between its hosts; null where there is none. */
  readonly link: LinkSeen | null;
  /** See BoardRun. */
  readonly id: string;
  /** Its packed file's name. */
  readonly file: string;
}

/** Characters of a page's tables and texts: with its style and signs of several bytes it stays below 1.5 MB. */
const MOST_CHARACTERS = 450_000;

/** A run's own page on a board: what to take, every verdict and every cell, and where its raw lines are. No script. */
export function boardRunPage({ run, summary, cells, link, id, file }: BoardRunFiles): string {
  const shown: ShownRun = { run, summary, cells, evidence: {}, ...(link === null ? {} : { link }) };
  let room = MOST_CHARACTERS;
  /** A table as far as there is room; what is left out is counted. */
  const table = (label: string, heads: readonly string[], rows: readonly (readonly Field[])[]): Html => {
    const made: Html[] = [];
    for (const fields of rows) {
      const row = tableRow(fields.map((field) => typeof field === "string" ? kept(field) : field));
      room -= markupText(row).length;
      if (room < 0) break;
      made.push(row);
    }
    const left = rows.length - made.length;
    return markup`${tableOfRows(label, heads, made, "rounds words")}${
      left === 0 ? null : markup`<p>${counted(left, "line")} more in the packed run.</p>`
    }`;
  };
  /** Texts of a run may be of any length. */
  const within = (html: Html): Html => {
    const { length } = markupText(html);
    if (length > room) return markup`<p class="empty">Too long to be shown here; it stands in the packed run.</p>`;
    room -= length;
    return html;
  };
  const trust = within(trustSection(shown));
  const answer = within(answerSection(shown, cells));
  const how = within(noiseSection(shown));
  const body = markup`
<section aria-labelledby="answer-title"><h2 id="answer-title">What to take</h2><div class="answers">${answer}</div></section>${
    titledSection(
      "verdicts",
      "How they compare",
      "Ratios of speed, measured in this run, on this machine.",
      verdicts(shown, table),
    )
  }${
    titledSection(
      "cells",
      "Every cell",
      "Rates hold for this run and this machine; they are not compared with those of others.",
      table("Every cell", CELL_HEADS, cellRows(shown)),
    )
  }${titledSection("how", "How sure this is", "", how)}${
    titledSection(
      "raw",
      "Raw lines",
      "",
      markup`<p>Everything above follows from <a href="${`../packed/${file}`}">the packed run</a>.</p><p class="hint">Hash of its seal: <code>${id}</code></p>`,
    )
  }${termNotes()}`;
  return boardPage({
    heading: "run",
    name: kept(run.run),
    lead: `${kept(run.plan.suite.title)}: on ${kept(machinesText(run))}, ${
      run.started_at.slice(0, 10)
    }, verified from its raw lines.`,
    note: trust,
    inside: true,
    body,
  });
}

type Table = (label: string, heads: readonly string[], rows: readonly (readonly Field[])[]) => Html;

function verdicts({ run: { plan }, summary }: ShownRun, table: Table): Html {
  const panels = verdictPanels({ plan, summary });
  if (panels.length === 0) return markup`<p class="empty">Nothing was compared.</p>`;
  return markup`${
    panels.map((panel) => {
      const { heads, rows } = verdictTable(panel);
      const title = kept(panel.title);
      return markup`<h3>${title}: ${panel.decided} of ${counted(panel.of, "comparison")} decided</h3>${
        table(title, heads.map(kept), rows)
      }`;
    })
  }`;
}

const CELL_HEADS = ["cell", "rate", "CPU per request", "p99", "bound", "remark"];

function cellRows({ summary, cells }: ShownRun): Field[][] {
  const flagsOf = marksByName(summary);
  return cells.filter(({ cell }) => cell.label !== AA).map((card) => {
    const mark = badgeOf(card, flagsOf(card.name));
    const { cpu_ns_per_request: cpuNs, p99_us: p99, bound } = card;
    return [
      card.name || card.cell.point.suite,
      card.requests_per_second === null ? "–" : rateText(card),
      dash(cpuNs, formatCpu),
      dash(p99, formatUs),
      card.status === "unsupported" ? "–" : bound,
      mark === null ? "" : { text: mark.text, level: isFaulty(card) ? "bad" : mark.level },
    ];
  });
}
