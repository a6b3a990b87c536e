import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { dirname, join } from "node:path";
import { layoutOf } from "../layout.ts";
import { METRICS, toldMetrics } from "../metrics.ts";
import { escapeHtml } from "./escape-html.ts";
import { heatTable } from "./heat-table.ts";
import { linkScript } from "./link-script.ts";
import { ownFile } from "./own-file.ts";
import type { PageData } from "./page-data.ts";
import {
  acrossSection,
  answerSection,
  differenceSection,
  noiseSection,
  stepSection,
  trustSection,
} from "./sections.ts";
import { filtersOf } from "./view.ts";

/** From this many characters on data are packed; below it anyone can read them in the page's source. */
const PACK_FROM = 400_000;

/** Up to so many cells the table also stands in the page itself, for readers without scripts; beyond, only scripts draw it. */
const TABLE_UP_TO = 400;

/** No request can leave the page, whatever stands in it. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

/** The whole page: one file that needs no other and no network. */
export function makePage(data: PageData): string {
  const first = data.runs[0];
  if (first === undefined) throw new RangeError("a page needs at least one run");
  const steps = stepSection(first);
  const table = first.cells.length > TABLE_UP_TO
    ? "<noscript>So many cells need scripts.</noscript>"
    : heatTable(first, first.cells, METRICS[0]!);
  const { contrasts, conditions } = layoutOf(first.run.plan);
  const axes = [...contrasts, ...conditions].map(({ title }) => title).join(", ");
  const names = data.runs.map(({ run }) => run.run).join(" and ");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="color-scheme" content="light dark"><title>Levelfield: ${escapeHtml(names)}</title>
<link rel="icon" href="data:,"><style>${ownFile("style.css")}</style></head><body>
<a class="skip" href="#answer">Skip to the answer</a>
<header><div class="wrap"><div class="bar"><h1>Levelfield <span id="run-name">${escapeHtml(first.run.run)}</span></h1>
<div class="tools"><button type="button" id="copy-link">Copy link</button>
<button type="button" id="theme" aria-live="polite">Theme: auto</button></div></div>
<p class="lead">${
    escapeHtml(first.run.plan.suite.title)
  }: what is fastest on this machine, by how much, and how sure that is.</p>
<div id="trust">${trustSection(first)}</div></div></header>
<main class="wrap">
<section id="answer" aria-labelledby="answer-title"><h2 id="answer-title">What to take</h2>
<div id="answers" class="answers">${answerSection(first, first.cells)}</div></section>
${controls(data)}
<section aria-labelledby="table-title"><h2 id="table-title">Every cell</h2>
<p class="hint">Press a cell for its evidence. Deeper colour is nearer to the best under the same conditions, none is a tenth of it or less. “≥” means the load generator
was the limit: such cells are never ranked.</p>
<div id="heat" class="scroll" tabindex="0" role="region" aria-label="Table of cells">${table}</div></section>
${
    data.runs.length < 2
      ? ""
      : `<section aria-labelledby="differences-title"><h2 id="differences-title">Differences between runs</h2>
<p class="hint">What changed between two runs does not cancel as it does within one, so intervals are wide.</p>
<div id="differences">${differenceSection(data, first.cells)}</div></section>`
  }
${
    new Set(data.runs.map(({ run }) => run.machine.cpu_kind)).size < 2
      ? ""
      : `<section aria-labelledby="across-title"><h2 id="across-title">Between machines</h2>
<p class="hint">The same comparison on each kind of CPU: who wins, and how far the ratio moves.</p>
<div id="across">${acrossSection(data)}</div></section>`
  }
<section id="step-section" aria-labelledby="steps-title"${
    steps === "" ? " hidden" : ""
  }><h2 id="steps-title">What each step costs or buys</h2>
<div id="steps">${steps}</div></section>
<section aria-labelledby="charts-title"><h2 id="charts-title">Charts</h2><div id="charts" class="charts">
<noscript><p>Charts need scripts; all figures are in the table above.</p></noscript></div></section>
<section aria-labelledby="noise-title"><h2 id="noise-title">How sure this is</h2><div id="noise">${
    noiseSection(first)
  }</div></section>
</main>
<footer class="wrap"><p>Made by <code>bench report</code>. A cell is one value for each of ${
    escapeHtml(axes)
  }; its figure is the median over rounds,
each a fresh server process. Service times are measured under full load.</p></footer>
<dialog id="detail" aria-labelledby="detail-title"><form method="dialog"><button class="close" aria-label="Close">✕</button></form>
<div id="detail-body"></div></dialog>
${embed("data", data)}
${scripts().join("\n")}
</body></html>
`;
}

function controls(data: PageData): string {
  const { runs } = data;
  const groups = filtersOf(data).map(({ title, values }, n) => {
    const boxes = values.map(({ text }, place) =>
      `<label><input type="checkbox" name="axis${n}" value="${place}" checked> ${escapeHtml(text)}</label>`
    );
    return `<fieldset><legend>${escapeHtml(title)}</legend>${boxes.join("")}</fieldset>`;
  });
  const metrics = toldMetrics(runs.flatMap(({ cells }) => cells));
  const options = metrics.map(({ key, title }) => `<option value="${key}">${title}</option>`).join("");
  const runOptions = runs.map(({ run }, index) => `<option value="${index}">${escapeHtml(run.run)}</option>`).join("");
  return `<form id="filters" class="filters" aria-label="What to show">
${runs.length < 2 ? "" : `<label class="pickone">Run <select name="run">${runOptions}</select></label>`}
<label class="pickone">Metric <select name="metric">${options}</select></label>
${groups.join("\n")}
<button type="reset">Show all</button></form>`;
}

/** JSON inside HTML: `<` is written so that no text can end the script element; large data are packed. */
export function embed(id: string, value: unknown): string {
  const json = JSON.stringify(value);
  if (json.length < PACK_FROM) {
    return `<script type="application/json" id="${id}">${json.replaceAll("<", "\\u003c")}</script>`;
  }
  const packed = Buffer.from(gzipSync(json, { level: 9 })).toString("base64");
  return `<script type="application/octet-stream" id="${id}" data-packed="gzip base64">${packed}</script>`;
}

/** The charting library as its makers minified it, d3 first because Plot builds on it, then the page's own script. */
function scripts(): string[] {
  const require = createRequire(import.meta.url);
  const minified = (name: string, file: string) => {
    // The packages export no path to their minified files: found from their main file.
    let folder = dirname(require.resolve(name));
    while (!folder.endsWith(name)) folder = dirname(folder);
    return readFileSync(join(folder, file), "utf8");
  };
  const own = linkScript(fileURLToPath(new URL("app.ts", import.meta.url)));
  return [minified("d3", "dist/d3.min.js"), minified("@observablehq/plot", "dist/plot.umd.min.js"), own]
    .map((code) => `<script>${code.replaceAll("</script", "<\\/script")}</script>`);
}
