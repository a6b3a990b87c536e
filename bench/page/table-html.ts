import { type Content, type Html, markup } from "./html.ts";

/** A field of a table: its content, or content with a level that colours it. */
export type Field = string | Html | { readonly text: string; readonly level: string };

const isLevelled = (field: Field): field is { readonly text: string; readonly level: string } =>
  typeof field === "object" && "level" in field;

/** Lines below each other; nothing without any. */
export function listOf(kind: "notes" | "marks" | "changes" | "verdicts", lines: readonly Content[]): Html | null {
  return lines.length === 0 ? null : markup`<ul class="${kind}">${lines.map((line) => markup`<li>${line}</li>`)}</ul>`;
}

/** Contradictions within a record, for the top of the page; nothing without any. */
export function marksOf(of: "run" | "record", texts: readonly string[]): Html | null {
  if (texts.length === 0) return null;
  return markup`<ul class="marks-of-run" role="note" aria-label="Contradicted by the ${of} itself">${
    texts.map((text) => markup`<li>${text}</li>`)
  }</ul>`;
}

function tableRow([name, ...fields]: readonly Field[]): Html {
  const shown = (field: Field) => isLevelled(field) ? field.text : field;
  return markup`<tr><th scope="row">${shown(name!)}</th>${
    fields.map((field) =>
      isLevelled(field) ? markup`<td class="${field.level}">${field.text}</td>` : markup`<td>${field}</td>`
    )
  }</tr>`;
}

/** A table that scrolls sideways by itself where it is too wide; the first field of a row names the row. */
export function scrollTable(label: string, heads: readonly Content[], rows: readonly (readonly Field[])[]): Html {
  const head = heads.map((each) => markup`<th scope="col">${each}</th>`);
  return markup`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="rounds"><thead><tr>${head}</tr></thead><tbody>${
    rows.map(tableRow)
  }</tbody></table></div>`;
}

/** A list of names with their facts; names without a fact are left out. */
export function factTable(facts: readonly (readonly [name: Content, text: string])[]): Html {
  const rows = facts.filter(([, text]) => text !== "").map(([name, text]) =>
    markup`<tr><th scope="row">${name}</th><td>${text}</td></tr>`
  );
  return markup`<table class="facts"><tbody>${rows}</tbody></table>`;
}

/** A section with a title and a hint. */
export function titledSection(id: string, title: Content, hint: Content, body: Content): Html {
  return markup`<section aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>${
    hint === "" ? null : markup`<p class="hint">${hint}</p>`
  }${body}</section>`;
}
