import { cellName } from "../../core/cell.ts";
import { formatRate, formatSize } from "../../core/units.ts";
import { answersOf } from "../answer.ts";
import { GRADE_MEANING } from "../grade.ts";
import { escapeHtml } from "./escape-html.ts";
import type { PageData, ShownRun } from "./page-data.ts";
import { shows, type View } from "./view.ts";

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** Grade and stamps: what must be known before any figure. */
export function trustSection({ run, summary, cells }: ShownRun): string {
  const { grade, reasons } = run.grade;
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
export function differenceSection({ runs, comparisons }: PageData, view: View): string {
  return comparisons.map((comparison, index) => {
    const names = [runs[0]!.run.run, runs[index + 1]!.run.run].map(escapeHtml) as [string, string];
    const visible = new Set(runs[0]!.cells.filter((card) => shows(view, card)).map(({ cell }) => cellName(cell)));
    const found = comparison.cells.filter(({ cell }) => visible.has(cell));
    const changed = comparison.environment.length === 0
      ? "<p>Same code, plan, machine and runtimes.</p>"
      : `<details><summary>Their environments differ in ${comparison.environment.length} ${
        comparison.environment.length === 1 ? "thing" : "things"
      }</summary><ul class="changes">${
        comparison.environment.map((text) => `<li>${escapeHtml(text)}</li>`).join("")
      }</ul></details>`;
    const floor = comparison.delta === null
      ? ""
      : `<p>Differences below ${percent(comparison.delta)} are not believed.</p>`;
    const heads = ["cell", names[0], names[1], "ratio", "verdict"].map((head) => `<th scope="col">${head}</th>`).join(
      "",
    );
    const body = found.length === 0
      ? "<p>No cell in common.</p>"
      : `<div class="scroll" tabindex="0" role="region" aria-label="Differences"><table class="rounds"><thead><tr>${heads}</tr></thead><tbody>${
        found.map(differenceRow).join("")
      }</tbody></table></div>`;
    return `<h3>${names[1]} against ${names[0]}</h3>${changed}${floor}${body}`;
  }).join("");
}

type ComparedCell = PageData["comparisons"][number]["cells"][number];

function differenceRow({ cell, a, b, verdict }: ComparedCell): string {
  const rate = (value: number | null) => value === null ? "–" : formatRate(value);
  const cells = (ratio: string, level: string, words: string) =>
    `<tr><th scope="row">${escapeHtml(cell.split("/").slice(2).join("/"))}</th><td>${rate(a)}</td><td>${rate(b)}</td>` +
    `<td>${ratio}</td><td class="${level}">${escapeHtml(words)}</td></tr>`;
  if (verdict.verdict === "no-verdict") {
    return cells("–", "warn", `no verdict: ${verdict.reasons[0] ?? verdict.cause}`);
  }
  // Verdicts have the speed of the first over the second; a reader asks what became of it.
  const { low, high } = verdict.interval;
  const ratio = `${(1 / verdict.ratio).toFixed(2)}× [${(1 / high).toFixed(2)}, ${(1 / low).toFixed(2)}]`;
  if (verdict.verdict !== "faster") return cells(ratio, "note", verdict.verdict.replace("-", " "));
  return verdict.winner === "b" ? cells(ratio, "good", "faster") : cells(ratio, "bad", "slower");
}
