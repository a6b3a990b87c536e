/** The choices of a reader: filters, needs, baseline. */
import { AA } from "../record/cell.ts";
import { type Html, markup } from "./html.ts";
import type { PageData } from "./page-data.ts";
import { caveatsOf, choicesOf, LIMITS, type PageChoices } from "./view.ts";

/** The form that says what is shown; every answer, figure and table follows it. */
export function controls(data: PageData): Html {
  const { runs } = data;
  const choices = choicesOf(data);
  const groups = choices.filters.map(({ title, values }, n) =>
    markup`<fieldset><legend>${title}</legend>${
      values.map(({ text }, place) => box(`axis${n + 1}`, place, text))
    }</fieldset>`
  );
  const runOptions = runs.map(({ run }, index) => markup`<option value="${index + 1}">${run.run}</option>`);
  const hasPublished = runs.some(({ run }) => run.plan.expectations.some(({ kind }) => kind === "published"));
  return markup`<form id="filters" class="filters" autocomplete="off" aria-label="What to show">${
    runs.length < 2 ? null : markup`<label class="pickone">Run <select name="run">${runOptions}</select></label>`
  }
<label class="pickone">Against <select name="baseline"><option value="">the slowest</option>${
    runs.map(({ cells }, n) =>
      cells.filter(({ cell, requests_per_second }) => cell.label !== AA && requests_per_second !== null)
        .map(({ name }) => markup`<option value="${name}" data-run="${n}">${name}</option>`)
    )
  }</select></label>${groups} ${
    hasPublished
      ? markup`<label class="pickone"><input type="checkbox" name="published" value="yes"> published rates in charts</label>`
      : null
  }<button type="reset">Show all</button><div class="needrow">${
    needs(choices, runs)
  }</div><input name="sort" value="picture" hidden><input name="cell" hidden></form>`;
}

const box = (name: string, place: number, text: string) =>
  markup`<label><input type="checkbox" name="${name}" value="${place + 1}" checked> ${text}</label>`;

function needs({ axes, traits }: PageChoices, runs: PageData["runs"]): Html {
  const caveats = caveatsOf(axes);
  const reported = LIMITS.filter(([, , , figure]) =>
    runs.some(({ cells }) => cells.some((card) => card[figure] !== null))
  );
  const limits = reported.map(([name, before, unit]) =>
    markup`<label>${before} <input type="number" name="${name}" min="0" step="any" inputmode="decimal"> ${unit}</label>`
  );
  const kinds = traits.map(({ axis, fact, kinds }, n) =>
    markup`<fieldset><legend>${axis.title}, ${fact}</legend>${
      kinds.map((text, place) => box(`trait${n + 1}`, place, text))
    }</fieldset>`
  );
  return markup`${limits}${
    caveats.length === 0
      ? null
      : markup`<label><input type="checkbox" name="caveats" value="no"> nothing the suite warns of (${
        caveats.join("; ")
      })</label>`
  }${kinds}<p class="hint">What does not meet your needs is left out, and the answer is given anew.</p>`;
}
