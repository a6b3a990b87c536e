import assert from "node:assert/strict";
import { test } from "node:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createRandom } from "../basics/random.ts";
import { judgeFamily } from "../statistics/verdict.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { fileURLToPath } from "node:url";
import { isJudged, shownInterval } from "../record/verdicts.ts";
import { readPublishedRun } from "../runs/published-run.ts";
import { type ValueLook, valueLooks } from "./look.ts";
import { htmlOf } from "../page/drawn.ts";
import { forest, type ForestOptions } from "../page/forest.ts";
import { markupText } from "../page/html.ts";
import { ratioText, type VerdictPanel, verdictPanels, verdictTable } from "./verdict-rows.ts";

const { run, summary } = filesOf(makeFixture({ stores: ["map", "sqlite"], sizes: [10_000, 1_000_000] }));
const input = { plan: run.plan, summary };

test("each question is told against its slowest value, by the run's own verdicts, turned where they stand the other way round", () => {
  const panels = verdictPanels(input);
  assert.deepEqual(panels.map(({ title, baseline }) => [title, baseline]), [["Runtime", "node"], ["Store", "sqlite"]]);
  const entries = summary.families.flatMap(({ comparisons }) => comparisons);
  for (const { groups } of panels) {
    for (const { rows } of groups) {
      for (const row of rows) {
        if (!isJudged(row)) continue;
        const { ratio } = row, { low, high } = shownInterval(row);
        assert.ok(low <= ratio && ratio <= high);
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

const drawnOf = (panel: VerdictPanel, options: Partial<ForestOptions> = {}) =>
  markupText(htmlOf(forest(panel, { width: 900, label: "all", ...options })));
/** The marks of ratios by what they are filled with. */
const filledWith = (drawing: string) =>
  [...drawing.matchAll(/<path [^>]*fill="([^"]*)"[^>]*><title>/g)].map(([, fill]) => fill);

test("the picture has a row and its table a line for each ratio", () => {
  for (const panel of verdictPanels(input)) {
    const rows = panel.groups.flatMap(({ rows }) => rows);
    const fills = filledWith(drawnOf(panel));
    const judged = rows.filter(({ ratio }) => ratio !== null);
    assert.ok(judged.length > 2 && fills.length === judged.length);
    assert.deepEqual(verdictTable(panel).rows.map(([, value]) => value), rows.map(({ value }) => value));
    const cut = drawnOf(panel, { width: 800, mostRows: 3 });
    assert.ok(
      filledWith(cut).length === rows.slice(0, 3).filter(({ ratio }) => ratio !== null).length &&
        cut.replace(/(<[^>]*>)+/g, " ").includes(`and ${rows.length - 3} more`),
    );
  }
});

/** Holds what is drawn of a panel against what its legend says; gives how many marks are filled and how many hollow. */
function heldToLegend(panel: VerdictPanel, context: string): [filled: number, hollow: number] {
  const rows = panel.groups.flatMap(({ rows }) => rows)
    .flatMap((row) => isJudged(row) ? [{ ...row, ...shownInterval(row) }] : []);
  if (rows.length === 0) return [0, 0];
  const drawing = drawnOf(panel, { mostRows: Infinity });
  const filled = (row: (typeof rows)[number]) => row.verdict !== "equivalent" && (row.low > 1 || row.high < 1);
  // The axis goes a little beyond the ratio from which others are arrows.
  const most = 60 * 1.04;
  const shown = rows.filter(({ ratio }) => ratio <= most && ratio >= 1 / most);
  assert.deepEqual(filledWith(drawing).map((fill) => fill !== "var(--page)"), shown.map(filled), context);
  for (const row of rows) {
    assert.equal(
      row.verdict === "not-separable",
      row.low <= 1 && row.high >= 1 && row.verdict !== "equivalent",
      context,
    );
  }
  // The key of a row, and an arrow in place of a mark too far out, follow the same rule.
  const all = panel.groups.flatMap(({ rows }) => rows).length;
  const hollow = all - rows.filter(filled).length;
  const drawnHollow = [...drawing.matchAll(/<path [^>]*fill="var\(--page\)"/g)];
  assert.ok(drawnHollow.length >= hollow + shown.filter((row) => !filled(row)).length, context);
  return [rows.filter(filled).length, rows.length - rows.filter(filled).length];
}

test("the legend holds for every mark of all references: filled excludes 1, and what is not decided holds it", () => {
  let [filled, hollow] = [0, 0];
  const results = fileURLToPath(new URL("../../results/", import.meta.url));
  for (const name of readdirSync(results).filter((name) => name.startsWith("reference-"))) {
    const { run, summary } = readPublishedRun(join(results, name));
    for (const panel of verdictPanels({ plan: run.plan, summary })) {
      const counts = heldToLegend(panel, `${name}, ${panel.title}`);
      [filled, hollow] = [filled + counts[0], hollow + counts[1]];
    }
  }
  assert.ok(filled > 50 && hollow > 10, `${filled} filled, ${hollow} hollow`);
});

test("the legend holds for every mark of random tables", () => {
  const seed = 20_261_127;
  const random = createRandom(seed);
  let [filled, hollow] = [0, 0];
  for (let n = 0; n < 300; n++) {
    const floor = () => ({ kind: "agree" as const, delta: 0.001 + 0.3 * random() ** 3 });
    const asked = ["b", "c", "d"].map((over) => {
      const [effect, noise] = [Math.exp(3 * (random() - 0.5) ** 3 + (random() < 0.05 ? 5 : 0)), 0.1 * random()];
      const pairs = Array.from({ length: 4 + Math.floor(6 * random()) }, (_, round) => (
        { round, over: effect * Math.exp(noise * (random() - 0.5)), under: Math.exp(noise * (random() - 0.5)) }
      ));
      const basis = random() < 0.5 ? "together" as const : "solo" as const;
      return {
        over,
        under: "a",
        basis,
        marks: [],
        evidence: { kind: "rounds" as const, pairs, better: "higher" as const },
      };
    });
    const { comparisons } = judgeFamily(asked, { together: floor(), solo: floor() });
    const axes = [planAxis("engine", ["a", "b", "c", "d"])];
    const cells = ["a", "b", "c", "d"].map((name) => ({
      name,
      cell: { point: { at: { engine: name } }, label: "main" },
    }));
    const families = [{ kind: "axis", axis: "engine", title: "Engine", at: {}, comparisons }];
    const input = { plan: { axes }, summary: { families, cells } } as unknown as Parameters<typeof verdictPanels>[0];
    for (const panel of verdictPanels(input)) {
      const counts = heldToLegend(panel, `seed ${seed}, table ${n}`);
      [filled, hollow] = [filled + counts[0], hollow + counts[1]];
    }
  }
  assert.ok(filled > 100 && hollow > 100, `${filled} filled, ${hollow} hollow`);
});

test("values look alike in different reports, and no two of one report look the same", () => {
  const [many, few] = [
    valueLooks(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]),
    valueLooks(["b", "q"]),
  ];
  assert.deepEqual(many.get("b"), few.get("b"));
  const [one, other] = [
    valueLooks(["node", "deno", "bun"]),
    valueLooks(["linear", "pg", "bun", "spread", "deno", "node"]),
  ];
  for (const [runtime, look] of one) assert.deepEqual(other.get(runtime), look);
  const signs = [...valueLooks(["map", "linear", "pg", "spread", "a", "b", "c", "d", "e", "f", "g", "h"]).values()];
  const isOne = (look: ValueLook) =>
    [...one.values()].some((own) => own.colour === look.colour && own.shape === look.shape);
  assert.ok(!signs.some(isOne), "no other value has the look of a runtime");
  assert.equal(new Set([...many.values()].map(({ colour, shape }) => `${colour} ${shape}`)).size, 12);
});

test("a ratio is told with its interval", () => {
  const judged = summary.families.flatMap(({ comparisons }) => comparisons).find(isJudged)!;
  const text = (verdict: "slower" | "not-separable", ratio: number, low: number, high: number) =>
    ratioText({ ...judged, verdict, ratio, delta: 0, interval: { low, high, level: 0.95 } });
  assert.equal(text("not-separable", 1.3333, 1.21, 1.456), "1.33 × [1.21, 1.46]");
  assert.equal(text("slower", 0.4, 0.316, 0.5), "2.50 × slower [2.00, 3.16]");
});
