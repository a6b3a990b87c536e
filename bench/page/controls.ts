/** The choices of a reader: the run, filters and needs. */
import type { PageChoices } from "./choices.ts";
import { type Html, markup } from "./html.ts";
import type { PageData } from "./shown-run.ts";

/** The form that says which cells are shown, and its place in the page's link. */
export function controls({ runs }: PageData, { filters, traits, limits }: PageChoices): Html {
  const groups = (of: PageChoices["filters"]) =>
    of.map(({ field, title, texts }) =>
      markup`<fieldset><legend>${title}</legend>${texts.map((text, place) => box(field, place, text, true))}</fieldset>`
    );
  const fields = limits.map(({ field, before, unit }) =>
    markup`<label>${before} <input type="number" name="${field}" min="0" step="any" inputmode="decimal"> ${unit}</label>`
  );
  const options = runs.map(({ run }, index) => markup`<option value="${index + 1}">${run.run}</option>`);
  return markup`<div class="bar scripted"><details class="fold choose"><summary>Filter, pick your needs</summary><form id="filters" class="filters" autocomplete="off" aria-label="Cells to show">${
    runs.length < 2 ? null : markup`<label class="pickone">Run <select name="run">${options}</select></label>`
  }${groups(filters)}<button type="reset">Show all</button><div class="needrow">${fields}${
    groups(traits)
  }<p class="hint">The table below hides what does not meet your needs. A figure that was not read meets no limit.</p></div><input name="sort" value="0" hidden><input name="cell" hidden></form></details>
<button type="button" id="theme">Theme: auto</button><p id="notice" role="status"></p></div>`;
}

/** A box of the form, wherever it stands. */
export const box = (field: string, place: number, text: string, ticked: boolean): Html =>
  markup`<label><input type="checkbox" form="filters" name="${field}" value="${place + 1}"${
    ticked ? markup` checked` : null
  }> ${text}</label>`;
