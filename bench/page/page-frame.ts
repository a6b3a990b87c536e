import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { dirname, join } from "node:path";
import { paletteStyle } from "../report/palette.ts";
import { type Html, markup, markupText, trustedMarkup } from "./html.ts";
import { linkScript } from "./link-script.ts";
import { createHash } from "node:crypto";
import { TRUSTED } from "./put.ts";

/** Data of so many characters are compressed; shorter ones can be read in the page's source. */
const PACK_FROM = 400_000;

interface FramedPage {
  readonly title: string;
  readonly body: Html;
  /** The data that app.ts reads; left out for a page without scripts. */
  readonly data?: unknown;
}

/** Returns a whole page: one file that needs no other and no network, and runs only the script inside it. */
export function framedPage({ title, body, data }: FramedPage): string {
  style ??= paletteStyle() + readFileSync(new URL("style.css", import.meta.url), "utf8");
  const codes = data === undefined ? [] : scripts ??= linkedScripts();
  return markupText(markup`${trustedMarkup("<!doctype html>")}
<html lang="en"><head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(codes, [style])}">
<meta name="color-scheme" content="light dark"><title>${title}, Levelfield</title>
<link rel="icon" href="data:,">${trustedMarkup(`<style>${style}</style>`)}
</head><body>
${body} ${data === undefined ? null : embed("data", data)} ${
    codes.map((code) => trustedMarkup(`<script>${code}</script>\n`))
  }
</body></html>`);
}

let style: string | undefined;

/** JSON inside HTML: `<` is written so that no text can end the script element; large data are packed. */
export function embed(id: string, value: unknown): Html {
  const json = JSON.stringify(value);
  if (json.length < PACK_FROM) {
    return markup`<script type="application/json" id="${id}">${
      trustedMarkup(json.replaceAll("<", "\\u003c"))
    }</script>`;
  }
  const packed = Buffer.from(gzipSync(json, { level: 9 })).toString("base64");
  return markup`<script type="application/octet-stream" id="${id}" data-packed="gzip base64">${packed}</script>`;
}

let scripts: readonly string[] | undefined;

/** The charting library, minified, d3 first because Plot needs it, then the page's script. */
function linkedScripts(): string[] {
  const require = createRequire(import.meta.url);
  const minified = (name: string, file: string) => {
    // The packages export no path to their minified files: found from their main file.
    let folder = dirname(require.resolve(name));
    while (!folder.endsWith(name)) folder = dirname(folder);
    return readFileSync(join(folder, file), "utf8");
  };
  const client = linkScript(fileURLToPath(new URL("app.ts", import.meta.url)));
  return [minified("d3", "dist/d3.min.js"), minified("@observablehq/plot", "dist/plot.umd.min.js"), client]
    .map((code) => code.replaceAll("</script", "<\\/script").replaceAll("\r\n", "\n"));
}

const sourceOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const sourcesOf = (texts: readonly string[]) => texts.length === 0 ? "'none'" : texts.map(sourceOf).join(" ");

/**
 * The content policy of a page: it runs these very scripts with these very styles. It loads and sends nothing, whatever it
 * contains, and text becomes markup only through the page's policy.
 */
function contentPolicy(scripts: readonly string[], styles: readonly string[]): string {
  return [
    "default-src 'none'",
    `script-src ${sourcesOf(scripts)}`,
    `style-src ${sourcesOf(styles)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${scripts.length === 0 ? "'none'" : TRUSTED}`,
  ].join("; ");
}
