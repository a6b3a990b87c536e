import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import amaro from "amaro";
import { paletteStyle } from "../report/palette.ts";
import { type Html, markup, markupText, trustedMarkup } from "./html.ts";

interface FramedPage {
  readonly title: string;
  readonly body: Html;
  readonly scripted?: boolean;
}

/** Returns a whole page: one file that needs no other and no network, and runs only the script inside it. */
export function framedPage({ title, body, scripted = false }: FramedPage): string {
  style ??= baseStyle() + textOf("style.css");
  const codes = scripted ? [script ??= browserScript()] : [];
  return markupText(markup`${trustedMarkup("<!doctype html>")}
<html lang="en"><head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(codes, [style])}">
<meta name="color-scheme" content="light dark"><title>${title}, Levelfield</title>
<link rel="icon" href="data:,">${trustedMarkup(`<style>${style}</style>`)}
</head><body>
${body}${codes.map((code) => trustedMarkup(`<script>${code}</script>\n`))}
</body></html>`);
}

const textOf = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");

/** The colours and the rules that pages of runs and of the site share. */
export const baseStyle = (): string => paletteStyle() + textOf("base.css");

let style: string | undefined;
let script: string | undefined;

/** The files of the page's script: each needs only those before it, and nothing outside their folder. */
export const BROWSER_FILES = ["form", "cells", "figures", "start"] as const;

/** The page's script: these files in one scope, without types, imports, exports and comments above functions. */
export function browserScript(): string {
  const parts = BROWSER_FILES.map((name) => {
    const text = readFileSync(new URL(`browser/${name}.ts`, import.meta.url), "utf8").replaceAll("\r\n", "\n");
    return amaro.transformSync(text, { mode: "strip-only" }).code
      .replace(/^import [^;]*;$/gm, "").replace(/^export /gm, "")
      .replace(/^\s*\/\*\*[\s\S]*?\*\/$/gm, "").replace(/[ \t]+$/gm, "").replace(/\n{2,}/g, "\n");
  });
  return `(() => {\n"use strict";${parts.join("")}})();`;
}

const sourceOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const sourcesOf = (texts: readonly string[]) => texts.length === 0 ? "'none'" : texts.map(sourceOf).join(" ");

/** The content policy of a page: it runs these scripts with these styles, loads and sends nothing. */
function contentPolicy(scripts: readonly string[], styles: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${sourcesOf(scripts)}`,
    `style-src ${sourcesOf(styles)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

/** Runs or gates in order of time as a page: all that a terminal has. */
export const trackPage = (text: string): string =>
  framedPage({
    title: "runs in order of time",
    body: markup`<header><div class="wrap"><h1>Levelfield <span>runs in order of time</span></h1></div></header>
<main class="wrap"><pre>${text}</pre></main>`,
  });
