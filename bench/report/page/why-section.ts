import type { ExplainedCell, ExplainedDifference, Explanation } from "../../record/explanation-schema.ts";
import { LAYER_TITLES, usText } from "../../result/explain/difference-sentence.ts";
import { meanOfUs } from "../../core/explain/explain-cell.ts";
import { explainedBetween } from "../../result/explain/explained-between.ts";
import { type Html, markup } from "./html.ts";
import { listOf, scrollTable } from "./table-html.ts";
import { icicle, layerBars } from "./why-drawings.ts";

/** Why cells of the page cost what they do, where `bench explain` was asked; null where it was not. */
export function whySection(explanations: readonly Explanation[]): Html | null {
  if (explanations.length === 0) return null;
  return markup`<section id="why" aria-labelledby="why-title"><h2 id="why-title">Why</h2>
<p class="hint">Passes of <code>bench explain</code>: CPU time of a request by layer, on a kind of CPU like this run's. No verdict rests on them.</p>${
    explanations.map(oneExplanation)
  }</section>`;
}

function oneExplanation({ cells, made_at, load }: Explanation): Html {
  // Derived anew: a page says what the figures beside it do.
  const difference = cells.length < 2 ? null : explainedBetween(cells[0]!, cells[1]!);
  const marks = cells.flatMap(({ name, marks }) => marks.map(({ text }) => `${name}: ${text}`));
  const functions = cells.map((cell) => {
    const drawing = icicle(cell);
    return drawing === null ? null : markup`<h4>${cell.name}</h4><div class="drawing">${drawing}</div>`;
  });
  return markup`<h3>${cells.map(({ name }) => name).join(" and ")}</h3>${
    difference === null ? null : markup`<p class="headline">${difference.sentence}</p>`
  }<div class="drawing">${layerBars(cells)}</div>${listOf("marks", marks)}
<details><summary>Functions, and all figures</summary>${functions}
<p class="hint">A function stands below what calls it, and is as wide as it and all it calls cost. ${load}; ${made_at}.</p>${
    difference === null ? layerTable(cells) : differenceTable(cells, difference)
  }</details>`;
}

const layerTable = (cells: readonly ExplainedCell[]): Html =>
  scrollTable(
    "Layers",
    ["layer", "µs a request", "functions"],
    cells[0]!.layers.map((
      { layer, us, functions },
    ) => [LAYER_TITLES[layer], usText(meanOfUs(us)), toldFunctions(functions)]),
  );

function differenceTable(cells: readonly ExplainedCell[], { layers, over, under }: ExplainedDifference): Html {
  const usOf = (name: string, layer: string) =>
    meanOfUs(cells.find((cell) => cell.name === name)!.layers.find((own) => own.layer === layer)?.us ?? []);
  return scrollTable(
    "Layers of both",
    ["layer", over, under, "difference", "passes differ by", "most of it"],
    layers.map(({ layer, us, noise_us, differs, functions }) => [
      LAYER_TITLES[layer],
      usText(usOf(over, layer)),
      usText(usOf(under, layer)),
      differs ? `${us < 0 ? "−" : "+"}${usText(Math.abs(us))}` : "none told",
      usText(noise_us),
      toldFunctions(functions.filter((own) => own.us * us > 0)),
    ]),
  );
}

const toldFunctions = (
  functions: readonly { readonly name: string; readonly file: string | null; readonly us: number }[],
) =>
  functions.slice(0, 3).map(({ name, file, us }) =>
    `${name}${file === null ? "" : ` (${file})`} ${usText(Math.abs(us))}`
  ).join(", ") ||
  "–";
