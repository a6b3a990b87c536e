import { escapeHtml } from "./escape-html.ts";

/** A field of a table: text, which may be anything; or with a level that colours it, or HTML that is known to be safe. */
export type Field = string | { readonly text: string; readonly level: string } | { readonly html: string };

const inside = (field: Field) =>
  typeof field === "string" ? escapeHtml(field) : "html" in field ? field.html : escapeHtml(field.text);

/** A table that scrolls sideways by itself where it is too wide; the first field of a row names the row. */
export function scrollTable(label: string, heads: readonly string[], rows: readonly (readonly Field[])[]): string {
  const body = rows.map(([name, ...fields]) =>
    `<tr><th scope="row">${inside(name!)}</th>${
      fields.map((field) =>
        typeof field === "object" && "level" in field
          ? `<td class="${escapeHtml(field.level)}">${inside(field)}</td>`
          : `<td>${inside(field)}</td>`
      ).join("")
    }</tr>`
  );
  return `<div class="scroll" tabindex="0" role="region" aria-label="${
    escapeHtml(label)
  }"><table class="rounds"><thead><tr>${
    heads.map((head) => `<th scope="col">${escapeHtml(head)}</th>`).join("")
  }</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

/** Names and what there is to say of each, one below the other; those with nothing to say left out. */
export function factTable(facts: readonly (readonly [name: string, text: string])[]): string {
  const rows = facts.filter(([, text]) => text !== "").map(([name, text]) =>
    `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(text)}</td></tr>`
  );
  return `<table class="facts"><tbody>${rows.join("")}</tbody></table>`;
}
