import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture, makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { type AcrossMachines, acrossMachines } from "../result/across-machines.ts";
import { acrossMarkdown, acrossRows, restText, winnerRows } from "./across-machines.ts";
import { markupText } from "../page/html.ts";
import { acrossSection } from "../page/sections.ts";
import { makePage } from "../page/make-page.ts";
import { pageData, type RunFiles } from "../page/shown-run.ts";

/** The same made-up run as another machine would have made it. */
function on(files: RunFiles, cpu_kind: string, cpu_model: string): RunFiles {
  const run = { ...files.run, run: `on-${cpu_kind}`, machine: { ...files.run.machine, cpu_kind, cpu_model } };
  return { ...files, run };
}

const SMALL = { sizes: [10_000], stores: ["map", "sqlite"] };
const here = filesOf(makeFixture(SMALL));

/** The same with every winner the loser, as no machine would have it: all ratios turned. */
function contrary({ summary, ...rest }: RunFiles): RunFiles {
  const families = summary.families.map((family) => ({
    ...family,
    comparisons: family.comparisons.map((one) =>
      one.verdict === "faster" ? { ...one, over: one.under, under: one.over } : one
    ),
  }));
  return { ...rest, summary: { ...summary, families } };
}

function acrossOf(...runs: RunFiles[]): AcrossMachines {
  const across = acrossMachines(runs);
  if ("cause" in across) throw new Error(across.cause);
  return across;
}

test("page and Markdown say the same sentence first, then which machine is which, then a line for each comparison", () => {
  const runs = [here, on(here, "intel-6-207", "Intel(R) Xeon(R) Processor")];
  const across = acrossOf(...runs);
  const markdown = acrossMarkdown(across);
  assert.ok(markdown.startsWith(`**${across.sentence}**\n\n- amd-25-1 is AMD EPYC, run 2026-11-20-120000\n`), markdown);
  assert.match(across.sentence, /^(\d+) of \1 verdicts hold on both machines; .*ratios move by up to 1\.00 ×\.$/);
  assert.match(markdown, /^\| comparison \| amd-25-1 \| intel-6-207 \| ratios \| the same on \|$/m);
  assert.match(
    markdown,
    /^\| deno over node \(Runtime\), sqlite, 10k users \| 1\.\d\d \| 1\.\d\d \| .* × between machines \| 2 of 2 \|$/m,
  );
  assert.match(markdown, /^\| faster \| by \| at places \| on machines \|$/m);
  const winners = winnerRows(across).length;
  assert.equal(markdown.match(/^\| .* over /gm)!.length, winners + across.comparisons.length);
  const section = markupText(acrossSection({ runs: pageData(runs).runs }));
  assert.ok(section.startsWith(`<p class="headline"><strong>${across.sentence}</strong></p>`), section.slice(0, 300));
  assert.equal(section.match(/<tr><th scope="row">/g)!.length, winners + across.comparisons.length);
});

test("who wins is told once for all places: from which ratio to which, at how many places, on how many machines", () => {
  const seen = (verdict: "faster" | "slower", ratio: number) => ({ verdict, ratio });
  const common = {
    axis: "Engine",
    over: "wind",
    under: "water",
    made: 3,
    same: 2,
    outcome: "turns",
    moves: null,
  } as const;
  const comparisons: AcrossMachines["comparisons"] = [
    { ...common, at: "iron", seen: [seen("faster", 1.2), seen("faster", 1.5), seen("slower", 0.5)] },
    { ...common, at: "wood", seen: [seen("faster", 1.1), { verdict: "no-verdict", ratio: null }, null], made: 2 },
  ];
  assert.deepEqual(winnerRows({ comparisons }), [
    ["wind over water (Engine)", "1.10 to 1.50 ×", "2", "2 of 3"],
    ["water over wind (Engine)", "2.00 ×", "1", "1 of 3"],
  ]);
  assert.deepEqual(winnerRows({ comparisons: [] }), []);
});

test("a verdict that turns says on which machine the other value wins", () => {
  const across = acrossOf(
    here,
    on(here, "apple-m2", "Apple M2"),
    on(contrary(here), "intel-6-207", "Intel(R) Xeon(R)"),
  );
  const [first] = acrossRows(across);
  assert.equal(first!.level, "bad");
  assert.match(first!.fields.at(-1)!, /^2 of 3; \w+ wins on intel-6-207$/);
});

test("the page has the section only where runs of several kinds of CPU are shown", () => {
  const page = (...runs: RunFiles[]) => makePage(pageData(runs)).replace(/<script[\s\S]*?<\/script>/g, "");
  const other = on(here, "intel-6-207", "Intel(R) Xeon(R) Processor");
  assert.doesNotMatch(page(here), /id="across"/);
  assert.doesNotMatch(page(here, { ...here, run: { ...here.run, run: "again" } }), /id="across"/);
  assert.match(page(here, other), /<div id="across"><p class="headline"><strong>\d+ of \d+ verdicts hold/);
  const odd = on(filesOf(makeOddFixture({ rounds: 2 })), "intel-6-207", "Intel(R) Xeon(R) Processor");
  assert.match(page(here, odd), /Not held against each other: they are runs of different suites: users and odd\./);
});

test("of very many comparisons those that hold and move least are counted instead of listed", () => {
  const across = acrossOf(here, on(here, "apple-m2", "Apple M2"));
  const many = { ...across, comparisons: Array.from({ length: 70 }, () => across.comparisons.at(-1)!) };
  assert.equal(acrossRows(many).length, 60);
  assert.equal(restText(many), "10 comparisons more that hold, moving by up to 1.00 ×.");
  assert.ok(acrossMarkdown(many).endsWith("\n10 comparisons more that hold, moving by up to 1.00 ×.\n"));
  assert.equal(restText(across), "");
});
