import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { fileURLToPath } from "node:url";
import { readPublishedRun } from "../host/published-run.ts";
import { looksOf } from "./look.ts";
import { htmlOf } from "./page/drawn.ts";
import { forest, type ForestWish } from "./page/forest.ts";
import { markupText } from "./page/html.ts";
import { ratioText, type VerdictPanel, verdictPanels, verdictTable } from "./verdict-rows.ts";

const { run, summary } = filesOf(makeFixture({ stores: ["map", "sqlite"], sizes: [10_000, 1_000_000] }));
const input = { plan: run.plan, summary };

test("each question is told against its slowest value, by the run's own verdicts, turned where they stand the other way round", () => {
  const panels = verdictPanels(input);
  assert.deepEqual(panels.map(({ title, baseline }) => [title, baseline]), [
    ["Runtime", "node"],
    ["Store", "sqlite"],
  ]);
  const entries = summary.families.flatMap(({ comparisons }) => comparisons);
  for (const { groups } of panels) {
    for (const { rows } of groups) {
      for (const { ratio, low, high } of rows) {
        if (ratio === null) continue;
        assert.ok(low! <= ratio && ratio <= high!);
        assert.ok(
          entries.some((entry) =>
            entry.verdict !== "no-verdict" &&
            [entry.ratio, 1 / entry.ratio].some((own) => Math.abs(own / ratio - 1) < 1e-12)
          ),
        );
      }
    }
  }
});

test("another baseline turns ratios over, and cells that are not shown are in none", () => {
  const wanted = (value: string) => verdictPanels({ ...input, baselines: new Map([["runtime", value]]) })[0]!;
  const row = (panel: ReturnType<typeof wanted>, value: string) =>
    panel.groups[1]!.rows.find((one) => one.value === value)!;
  const [one, other] = [row(wanted("node"), "deno"), row(wanted("deno"), "node")];
  assert.ok(Math.abs(one.ratio! * other.ratio! - 1) < 1e-9 && Math.abs(one.low! * other.high! - 1) < 1e-9);
  assert.deepEqual([one.state, other.state], ["faster", "slower"]);
  const part = verdictPanels({ ...input, shows: (name) => !name.startsWith("bun/") });
  assert.ok(
    part.every(({ values, groups }) => !values.includes("bun") && groups.every(({ at }) => !at.includes("bun"))),
  );
});

const drawnOf = (panel: VerdictPanel, wish: Partial<ForestWish> = {}) =>
  markupText(htmlOf(forest(panel, { width: 900, label: "all", ...wish })));
/** The marks of ratios by what they are filled with. */
const filledWith = (drawing: string) =>
  [...drawing.matchAll(/<path [^>]*fill="([^"]*)"[^>]*><title>/g)].map(([, fill]) => fill);

test("the picture has a row and its table a line for each ratio, filled only where one is proven faster", () => {
  for (const panel of verdictPanels(input)) {
    const rows = panel.groups.flatMap(({ rows }) => rows);
    const fills = filledWith(drawnOf(panel));
    const judged = rows.filter(({ ratio }) => ratio !== null);
    assert.ok(judged.length > 2 && fills.length === judged.length);
    assert.equal(
      fills.filter((fill) => fill === "var(--page)").length,
      judged.filter(({ state }) => state !== "faster" && state !== "slower").length,
    );
    assert.deepEqual(verdictTable(panel).rows.map(([, value]) => value), rows.map(({ value }) => value));
    const cut = drawnOf(panel, { width: 800, mostRows: 3 });
    assert.ok(
      filledWith(cut).length === rows.slice(0, 3).filter(({ ratio }) => ratio !== null).length &&
        cut.replace(/(<[^>]*>)+/g, " ").includes(`and ${rows.length - 3} more`),
    );
  }
});

test("each row has the band of its own basis, and what is filled lies outside of it and excludes 1", () => {
  const files = readPublishedRun(fileURLToPath(new URL("../../results/reference-amd-26-2", import.meta.url)));
  for (const panel of verdictPanels({ plan: files.run.plan, summary: files.summary })) {
    const rows = panel.groups.flatMap(({ rows }) => rows);
    assert.equal(drawnOf(panel).match(/<rect/g)!.length, rows.filter(({ delta }) => delta !== null).length);
    for (const { state, low, high, delta } of rows) {
      if (state === "faster") assert.ok(low! > 1 + delta!);
      if (state === "slower") assert.ok(high! < 1 / (1 + delta!));
    }
    assert.match(drawnOf(panel), /grey: within [\d.]+ % \(measured together\), [\d.]+ % \(by single rates\)/);
  }
});

test("values look alike in different reports, and no two of one report look the same", () => {
  const [many, few] = [looksOf(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]), looksOf(["b", "q"])];
  assert.deepEqual(many.get("b"), few.get("b"));
  assert.equal(new Set([...many.values()].map(({ colour, shape }) => `${colour} ${shape}`)).size, 12);
});

test("a ratio is told with its interval", () => {
  assert.equal(ratioText({ ratio: 1.3333, low: 1.21, high: 1.456 }), "1.33 × [1.21, 1.46]");
  assert.equal(ratioText({ ratio: null, low: null, high: null }), "–");
});
