import type { CellCard } from "../../core/result/cell-card.ts";
import { formatRate, formatSize } from "../../core/units.ts";
import { answersOf } from "../answer.ts";
import { type Difference, differencesOf } from "../differences.ts";
import { GRADE_MEANING, gradeOfRun } from "../grade.ts";
import { cardLabel } from "../rerun-command.ts";
import { escapeHtml } from "./escape-html.ts";
import { valueText } from "./metrics.ts";
import { METRICS } from "./metrics.ts";
import type { PageData, ShownRun } from "./page-data.ts";
import { shows, type View } from "./view.ts";

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** Grade and stamps: what must be known before any figure. */
export function trustSection({ run, summary, cells }: ShownRun): string {
  const { grade, reasons } = gradeOfRun(run);
  const stamps = summary.stamps.map((stamp) => `<li>${escapeHtml(stamp.message)}</li>`).join("");
  const marked = cells.filter((card) => card.status !== "ok").length;
  const rest = marked === 0 ? "" : ` ${marked} of ${cells.length} cells are marked as not ok.`;
  return (stamps === ""
    ? ""
    : `<ul class="stamps" role="note" aria-label="Contradicted by the run itself">${stamps}</ul>`) +
    `<p class="grade ${grade}"><strong>Grade: ${grade}</strong> – ${GRADE_MEANING[grade]}. ` +
    `<span class="why">${escapeHtml(reasons.join("; "))}.${rest}</span></p>`;
}

/** One card a size: what to take, how fast it is, how sure that is. */
export function answerSection({ run, summary, cells }: ShownRun, view: View): string {
  const shown = cells.filter((card) => shows(view, card));
  const cards = answersOf(run, summary, shown).map(({ size, best, sentences, proven }) => {
    const sure = best === null
      ? ""
      : proven
      ? '<span class="badge sure">proven by verdicts</span>'
      : '<span class="badge unsure">not proven</span>';
    const [first, ...rest] = sentences;
    const head = best === null
      ? ""
      : `<p class="pick"><strong>${escapeHtml(best.cell.store)}</strong> on <strong>${
        escapeHtml(best.cell.runtime)
      }</strong></p>`;
    return `<article><h3>${formatSize(size)} users ${sure}</h3>${head}<p>${escapeHtml(first ?? "")}</p>` +
      (rest.length === 0 ? "" : `<ul>${rest.map((text) => `<li>${escapeHtml(text)}</li>`).join("")}</ul>`) +
      "</article>";
  });
  return cards.length === 0 ? '<p class="empty">No cell passes these filters.</p>' : cards.join("");
}

/** What the run measured of itself: the ceiling and what it could have told apart. */
export function noiseSection({ run, summary }: ShownRun): string {
  const floor = (basis: "duet" | "solo") => {
    const found = summary.noise_floor[basis];
    if (found.kind === "unknown") return `${found.reason}`;
    return `${found.kind === "agree" ? "A/A agrees" : "A/A differs"}; below ${
      percent(found.delta)
    } nothing is called ` +
      `different (${found.pairs} ${found.pairs === 1 ? "pair" : "pairs"})`;
  };
  const ceiling = summary.ceiling_requests_per_second;
  const rows: [string, string][] = [
    [
      "Generator's ceiling",
      ceiling === null ? "not measured" : `${formatRate(ceiling)} req/s against a server that does nothing`,
    ],
    ["Noise of duets", floor("duet")],
    ["Noise of single rates", floor("solo")],
    [
      "Plan",
      `${run.plan.rounds} rounds of ${
        run.plan.duration_ms / 1_000
      } s, ${run.plan.connections} connections, profile ${run.plan.profile}, seed ${run.plan.seed}`,
    ],
    [
      "Machine",
      `${run.machine.cpu_model}, ${run.machine.cpus} CPUs, ${run.machine.os} ${run.machine.kernel}; ${run.placement.note}`,
    ],
    ["Runtimes", run.runtimes.map(({ name, version }) => `${name} ${version}`).join(", ")],
    ["Generator", `${run.generator.name} ${run.generator.version}`],
    [
      "Source",
      run.levelfield.git_commit === null
        ? run.levelfield.source_sha256
        : `${run.levelfield.git_commit}${run.levelfield.git_dirty ? ", changed" : ""}`,
    ],
  ];
  return `<table class="facts"><tbody>${
    rows.map(([name, text]) => `<tr><th scope="row">${name}</th><td>${escapeHtml(text)}</td></tr>`).join("")
  }</tbody></table>`;
}

/** The first run against each later one; empty for a page of one run. */
export function differenceSection({ runs, changes }: PageData, view: View): string {
  const [first, ...later] = runs;
  if (first === undefined) return "";
  return later.map((run, index) => {
    const found = differencesOf(first, run).filter(({ before }) => shows(view, before));
    const changed = changes[index] ?? [];
    const warning = changed.length === 0
      ? "<p>Same code, plan, machine and runtimes.</p>"
      : `<ul class="changes">${changed.map((text) => `<li>${escapeHtml(text)}</li>`).join("")}</ul>`;
    const body = found.length === 0
      ? "<p>No cell in common.</p>"
      : `<div class="scroll" tabindex="0" role="region" aria-label="Differences"><table class="rounds"><thead><tr>` +
        `<th scope="col">cell</th><th scope="col">${escapeHtml(first.run.run)}</th><th scope="col">${
          escapeHtml(run.run.run)
        }</th><th scope="col">ratio</th><th scope="col">verdict</th></tr></thead><tbody>${
          found.map(differenceRow).join("")
        }</tbody></table></div>`;
    return `<h3>${escapeHtml(run.run.run)} against ${escapeHtml(first.run.run)}</h3>${warning}${body}`;
  }).join("");
}

const VERDICT_CLASS: Readonly<Record<Difference["verdict"], string>> = {
  "faster": "good",
  "slower": "bad",
  "equivalent": "note",
  "not-separable": "note",
  "no-verdict": "warn",
};

function differenceRow({ before, after, ratio, verdict }: Difference): string {
  const rate = (card: CellCard) => escapeHtml(valueText(card, METRICS[0]!));
  const range = ratio === null
    ? "–"
    : `${ratio.value.toFixed(2)}×${
      ratio.low === ratio.high ? "" : ` [${ratio.low.toFixed(2)}, ${ratio.high.toFixed(2)}]`
    }`;
  return `<tr><th scope="row">${escapeHtml(cardLabel(before))}</th><td>${rate(before)}</td><td>${rate(after)}</td>` +
    `<td>${range}</td><td class="${VERDICT_CLASS[verdict]}">${verdict.replace("-", " ")}</td></tr>`;
}
