/** The only way HTML is made: a template that escapes whatever is put into it. */

// JSON has no symbols, so nothing read from a file passes for markup.
const MARKUP = Symbol("markup");

/** Text that is known to be markup: made by {@link markup}, or a file of this project. */
export interface Html {
  readonly [MARKUP]: string;
}

/** A value of a template: texts and numbers are escaped, markup stays markup, lists are joined, `null` is nothing. */
export type Content = string | number | Html | null | readonly Content[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Characters that XML forbids, so that no reader opens a picture with them: most controls, unpaired surrogates. */
const NO_XML = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Addresses inside this site: a place of the page, a path of the site, or a file beside or above the page by a plain name. */
const INSIDE = /^[#/](?!\/)|^(?:\.\.\/)?(?:[\w-]+\/)?[\w-][\w.-]*$/;

/** Text as HTML and SVG show it, in content and in quoted attributes alike. */
export function escapeHtml(text: string): string {
  return text.replace(NO_XML, "\ufffd").replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/**
 * Markup from a template: each value is escaped unless it is markup itself.
 *
 * @throws RangeError where escaping is no help: an attribute without quotes, one that runs scripts or has styles, a link
 * that leads anywhere but into this site
 */
export function markup(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  let text = parts[0]!;
  values.forEach((value, n) => {
    const before = parts[n]!;
    if (/=\s*$|\s(?:on\w+|style|srcdoc)\s*=\s*["'][^"']*$/.test(before)) {
      throw new RangeError(`a value may not stand after ${before.slice(-30)}`);
    }
    const shown = textOf(value);
    if (/\s(?:href|src|action)\s*=\s*["']$/.test(before) && !INSIDE.test(shown)) {
      throw new RangeError(`"${shown}" leads out of the site`);
    }
    text += shown + parts[n + 1]!;
  });
  return { [MARKUP]: text };
}

function textOf(value: Content): string {
  if (value === null) return "";
  if (Array.isArray(value)) return (value as readonly Content[]).map(textOf).join("");
  if (typeof value === "object" && MARKUP in value) return value[MARKUP];
  // Figures from files may be any value.
  return escapeHtml(String(value));
}

/** The characters of markup. */
export function markupText(markup: Html): string {
  return markup[MARKUP];
}

/** Text that is markup although no template made it: of a file of this project or of its libraries, never of a result. */
export function trustedMarkup(text: string): Html {
  return { [MARKUP]: text };
}
