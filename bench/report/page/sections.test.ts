import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture, makeOddFixture } from "../../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../../tests/fixtures/run-files.ts";
import { pageData } from "../shown-run.ts";
import { escapeHtml, markupText } from "./html.ts";
import { withUnitsKept } from "../wrap.ts";
import { answerSection as answerMarkup } from "./sections.ts";

const answerSection = (...given: Parameters<typeof answerMarkup>) => markupText(answerMarkup(...given));
const shownOf = (made: Parameters<typeof filesOf>[0]) => pageData([filesOf(made)]).runs[0]!;

test("the page says the run's answer, each question by itself, and of a part what that part shows", () => {
  const shown = shownOf(
    makeFixture({ runtimes: ["node", "bun"], stores: ["map", "sqlite"], sizes: [10_000, 1_000_000] }),
  );
  const whole = answerSection(shown, shown.cells);
  for (const { parts } of shown.summary.answer.questions) {
    for (const { sentence } of parts) {
      assert.ok(whole.includes(`<p>${escapeHtml(withUnitsKept(sentence))}.</p>`), sentence);
    }
  }
  assert.deepEqual(
    [...whole.matchAll(/<h3>(\w+)<\/h3><p class="pick"><strong>(\w+)</g)].map(([, ...found]) => found),
    [
      ["Runtime", "bun"],
      ["Store", "map"],
    ],
  );
  assert.doesNotMatch(whole, /not proven|fastest/);
  const part = answerSection(shown, shown.cells.filter(({ cell }) => cell.point.at["runtime"] === "bun"));
  assert.match(part, /<p>map, /);
  assert.doesNotMatch(part, /node|Runtime:/);
  assert.match(answerSection(shown, []), /No cell passes these filters/);
});

test("odd names stand in the answer as text", () => {
  const shown = shownOf(makeOddFixture());
  const html = answerSection(shown, shown.cells);
  assert.doesNotMatch(html, /<script|alert\('d'\)<\//);
  assert.ok(html.includes(escapeHtml('a/b, "c"')));
});
