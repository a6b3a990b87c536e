import assert from "node:assert/strict";
import { partClauses } from "../result/part-sentence.ts";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { pageData } from "./shown-run.ts";
import { escapeHtml, markupText } from "./html.ts";
import { withUnitsKept } from "../report/wrap.ts";
import { answerSection as answerMarkup } from "./sections.ts";

const answerSection = (...given: Parameters<typeof answerMarkup>) => markupText(answerMarkup(...given));
const shownOf = (made: Parameters<typeof filesOf>[0]) => pageData([filesOf(made)]).runs[0]!;

test("the page says the run's answer, each question by itself", () => {
  const shown = shownOf(
    makeFixture({ runtimes: ["node", "bun"], stores: ["map", "sqlite"], sizes: [10_000, 1_000_000] }),
  );
  const whole = answerSection(shown);
  for (const { parts } of shown.summary.answer.questions) {
    for (const part of parts) {
      const text = escapeHtml(withUnitsKept(`${partClauses(part).join(". ")}.`));
      assert.ok(whole.includes(`>${text}<`), `${text}\n${whole}`);
    }
  }
  assert.deepEqual(
    [...whole.matchAll(/<h3>(\w+)<\/h3><p class="pick"><strong>(\w+)</g)].map(([, ...found]) => found),
    [["Runtime", "bun"], ["Store", "map"]],
  );
  assert.doesNotMatch(whole, /not proven|fastest/);
});

test("what each worker did stands on the page", () => {
  const shown = shownOf(makeFixture({ runtimes: ["node", "bun"] }));
  const each = [0.6, 0.4].map((share) => ({ request_share: share, cpu_share: share, cpus: [1], bytes: 1_048_576 }));
  const cards = shown.cells.slice(0, 1).map((card) => ({
    ...card,
    workers: { by: "cluster", each, beside_share: 0.024 },
  }));
  const html = answerSection({ ...shown, cells: cards });
  assert.match(html, /<summary>What each worker did<\/summary>/);
  assert.ok(html.includes("<td>60 % + 40 %</td><td>60 % + 40 %</td><td>2.4 %</td><td>1</td></tr>"), html);
  assert.equal(html.split("60 % + 40 %").length, 3, "one row, its requests and CPU");
  assert.doesNotMatch(answerSection(shown), /What each worker did/);
});
