/** Puts markup into the page: the one place that does. It runs in the browser only. */
import { type Html, markupText } from "./html.ts";

/** Trusted types of a browser: the page's policy lets no other text become markup. */
interface Policies {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): { createHTML(text: string): string };
}

/** Name of the page's policy for trusted types. */
export const TRUSTED = "levelfield";

const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
const policy = policies?.createPolicy(TRUSTED, { createHTML: (text) => text });

/** Replaces the content of an element; folds of it that were open stay open. */
export function put(element: Element, markup: Html): void {
  const folds = () => [...element.querySelectorAll("details")];
  const open = folds().map((fold) => fold.open);
  const text = markupText(markup);
  element.innerHTML = policy === undefined ? text : policy.createHTML(text);
  if (folds().length === open.length) folds().forEach((fold, n) => fold.open = open[n]!);
}
