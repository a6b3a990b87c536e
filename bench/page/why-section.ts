import { balanceLayers, shownCosts, voidText } from "../why/balanced.ts";
import type { ExplainedCell, ExplainedDifference, Explanation } from "../record/explanation-schema.ts";
import { inWords } from "../record/in-words.ts";
import { fileAndLine, functionText, LAYER_TITLES, rangeText, usText } from "../why/difference-sentence.ts";
import { explainedBetween } from "../why/explained-between.ts";
import { type Html, markup } from "./html.ts";
import { listOf, scrollTable } from "./table-html.ts";
import { layerBars } from "./why-drawings.ts";

/** The section about costs by layer, from passes of `bench explain`; null without any. */
export function whySection(explanations: readonly Explanation[]): Html | null {
  if (explanations.length === 0) return null;
  return markup`<section id="why" aria-labelledby="why-title"><h2 id="why-title">Why</h2>
<p class="hint">Passes of <code>bench explain</code>: CPU time by layer, on a kind of CPU like this run's. No verdict rests on them.</p>${
    explanations.map(oneExplanation)
  }</section>`;
}

function oneExplanation(explanation: Explanation): Html {
  const { made_at, load } = explanation;
  const cells = explanation.cells.map(balanceLayers);
  const title = cells.map(({ name }) => name).join(" and ");
  const voided = voidText(cells);
  if (voided !== "") {
    return markup`<h3>${title}</h3><p class="headline">Not explained: ${voided}. Repeat it when the machine is quiet.</p>`;
  }
  const each = inWords(explanation, "a request");
  // Computed again, so that the sentence agrees with the figures next to it.
  const difference = cells.length < 2 ? null : explainedBetween(cells[0]!, cells[1]!, explanation);
  const marks = cells.flatMap(({ name, marks }) => marks.map(({ text }) => `${name}: ${text}`));
  return markup`<h3>${title}</h3>${
    difference === null ? null : markup`<p class="headline">${difference.sentence}</p>`
  }<div class="drawing">${layerBars(cells, each)}</div>${listOf("marks", marks)}
<details><summary>Functions, and all figures</summary>
<p class="hint">Which function called which: open a raw <code>.cpuprofile</code>, next to explanation.json, in speedscope.app. ${load}; ${made_at}.</p>${
    layerTable(cells, difference, each)
  }</details>`;
}

function layerTable(cells: readonly ExplainedCell[], difference: ExplainedDifference | null, each: string): Html {
  const shown = cells.map(shownCosts);
  const signed = (us: number) => `${us < 0 ? "−" : "+"}${usText(Math.abs(us))}`;
  const rows = difference === null
    ? cells[0]!.layers.map(({ layer, functions }) => ({ layer, functions, more: [] }))
    : difference.layers.map(({ layer, us, noise_us, range_us, differs, functions }) => ({
      layer,
      functions: functions.filter((one) => one.us * us > 0),
      more: [differs ? `${signed(us)}${rangeText(range_us)}` : "none found", usText(noise_us)],
    }));
  return scrollTable(
    `Layers, µs ${each}`,
    [
      "layer",
      ...cells.map(({ name }) => name),
      ...difference === null ? [] : [`${difference.over} more`, "passes differ by"],
      "most of it",
    ],
    rows.map(({ layer, functions, more }) => [
      LAYER_TITLES[layer],
      ...shown.map(({ of }) => usText(of(layer))),
      ...more,
      functions.slice(0, 3).map((each) =>
        `${functionText(each)}${each.file === null ? "" : ` (${fileAndLine(each)})`} ${usText(Math.abs(each.us))}`
      ).join(", ") || "–",
    ]),
  );
}
