/** What keeps a page from somebody, as axe-core finds it. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

/** The script of axe-core, to be run in the page first. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds wrong with a part of a page. */
export function axeFaults(page: Page, part: string): Promise<unknown> {
  return page.evaluate(
    `axe.run(${JSON.stringify(part)}, { resultTypes: ["violations"] }).then(({ violations }) =>
      violations.filter((fault) => /serious|critical/.test(fault.impact))
        .map((fault) => fault.id + ": " + fault.nodes[0].html + " " + fault.nodes[0].failureSummary))`,
  );
}
