/** What keeps a page from somebody: asked of it in a browser. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/** The script of axe-core, to be run in the page first. */
export const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** What axe then finds that keeps somebody out. */
export const RUN_AXE =
  "axe.run().then(({ violations }) => violations.filter((fault) => /serious|critical/.test(fault.impact))" +
  ".map((fault) => fault.id + ': ' + fault.nodes[0].html + ' ' + fault.nodes[0].failureSummary))";

/** Texts of drawings that stand on each other or are cut off, in words; to be run in the page. */
export function drawingFaults(): string[] {
  return [
    ...document.querySelectorAll<SVGSVGElement>(
      "figure .drawing > svg, figure .drawing figure > svg, #differences svg",
    ),
  ]
    .flatMap((svg) => {
      const name = svg.closest("figure")?.id ?? "differences";
      const room = svg.getBoundingClientRect();
      const texts = [...svg.querySelectorAll("text")].map((text) => ({
        words: text.textContent ?? "",
        box: text.getBoundingClientRect(),
      })).filter(({ words, box }) => words.trim() !== "" && box.width > 0);
      const cut = texts.filter(({ box }) =>
        box.left < room.left - 2 || box.right > room.right + 2 || box.top < room.top - 2 || box.bottom > room.bottom + 2
      ).map(({ words, box }) => `${name}: "${words}" is cut at ${Math.round(box.right - room.right)}`);
      const over = texts.flatMap((one, n) =>
        texts.slice(n + 1).filter(({ box }) =>
          Math.min(box.right, one.box.right) - Math.max(box.left, one.box.left) > 2 &&
          Math.min(box.bottom, one.box.bottom) - Math.max(box.top, one.box.top) > 4
        ).map(({ words }) => `${name}: "${one.words}" and "${words}" stand on each other`)
      );
      return [...cut, ...over];
    });
}
