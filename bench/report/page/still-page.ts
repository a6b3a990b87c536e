import { contentPolicy } from "./content-policy.ts";
import { type Html, markup, markupText, ownMarkup } from "./html.ts";
import { ownFile } from "./own-file.ts";

/** The style of all pages, and the policy that allows it and no script: read and hashed once. */
let head: { readonly policy: string; readonly style: Html } | undefined;

/** A page without a script: one file that needs no other and no network, but for the links it has. */
export function stillPage(title: string, body: Html): string {
  head ??= makeHead();
  return markupText(
    markup`${
      ownMarkup("<!doctype html>")
    }<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="Content-Security-Policy" content="${head.policy}"><meta name="color-scheme" content="light dark"><title>Levelfield: ${title}</title><link rel="icon" href="data:,">${head.style}</head><body>${body}</body></html>`,
  );
}

function makeHead() {
  const style = ownFile("style.css");
  return { policy: contentPolicy([], [style]), style: ownMarkup(`<style>${style}</style>`) };
}
