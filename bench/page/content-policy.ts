import { createHash } from "node:crypto";
import { TRUSTED } from "./put.ts";

const sourceOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const sourcesOf = (texts: readonly string[]) => texts.length === 0 ? "'none'" : texts.map(sourceOf).join(" ");

/**
 * What a page may do: run these very scripts and have these very styles, and nothing else. Nothing can be loaded or sent,
 * whatever stands in the page, and no text becomes markup but through the page's own policy.
 */
export function contentPolicy(scripts: readonly string[], styles: readonly string[]): string {
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
