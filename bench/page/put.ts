/** Puts markup into the page: the one place that does. It runs in the browser only. */
import { type Html, markupText } from "./html.ts";

/** What a browser with trusted types asks for: the page's policy lets no other text become markup. */
interface Policies {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): { createHTML(text: string): string };
}

/** Name of the page's policy for trusted types. */
export const TRUSTED = "levelfield";

const policies = (globalThis as { trustedTypes?: Policies }).trustedTypes;
const policy = policies?.createPolicy(TRUSTED, { createHTML: (text) => text });

/** Replaces what stands in an element. */
export function put(element: Element, markup: Html): void {
  const text = markupText(markup);
  element.innerHTML = policy === undefined ? text : policy.createHTML(text);
}
