import assert from "node:assert/strict";
import { test } from "node:test";
import { madeUpVerdict } from "../../tests/fixtures/made-up-verdicts.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { styleFor } from "./style.ts";
import { tablesText } from "./table.ts";
import { versionRows, versionTable } from "./version-table.ts";

const VERSIONS = ["1.10.0", "1.2.0", "1.9.0"];
const runtimes = ["node", ...VERSIONS.map((version) => `bun@${version}`)].map((label) => ({
  ...{ name: label.split("@")[0]!, label, wanted: label, version: label.split("@")[1] ?? "26.10.0" },
  ...{ sha256: "0", origin: "fetched" as const },
})) satisfies RunRecord["runtimes"];

const compared = (over: string, under: string, ratio: number) =>
  madeUpVerdict(over, under, ratio, {
    verdict: ratio > 1.05 ? "faster" : "equivalent",
    interval: { low: ratio - 0.01, high: ratio + 0.01, level: 0.95 },
  });

/** 1.9.0 costs as much as 1.2.0, and 1.10.0 is a tenth faster than both. */
const summary = {
  cells: runtimes.map(({ label }) => ({
    ...{ name: label, cell: { point: { suite: "s", at: { runtime: label } }, label: "main" } },
    ...{ marks: [], steadiness: "flat", cv: null },
  })),
  families: [{
    ...{ kind: "axis", axis: "runtime", title: "10k items", at: {}, ranking: [], unranked: [] },
    comparisons: [
      compared("bun@1.2.0", "bun@1.9.0", 1),
      compared("bun@1.10.0", "bun@1.2.0", 1.1),
      compared("bun@1.10.0", "bun@1.9.0", 1.1),
      compared("bun@1.10.0", "node", 2),
    ],
  }],
} as unknown as Pick<Summary, "families" | "cells">;

test("versions of one runtime stand in their order, against the oldest, with steps only where they are proven", () => {
  const [table, ...others] = versionRows({ runtimes }, summary, []);
  assert.deepEqual(others, [], "one version of Node has no order");
  assert.deepEqual(table!.rows.map(({ label, ratio, step, level }) => [label, ratio, step, level]), [
    ["bun@1.2.0", 1, null, 1],
    ["bun@1.9.0", 1, null, 1],
    ["bun@1.10.0", 1.1, "faster", 1.1],
  ]);
  assert.deepEqual(versionTable(table!).rows.at(-1), ["bun@1.10.0", "1.10", "1.08–1.12", "▲ faster", "–", "–"]);
});

const textOf = (run: Pick<RunRecord, "runtimes">) =>
  tablesText(versionRows(run, summary, []).map(versionTable), { style: styleFor(false, {}), columns: Infinity });

test("a terminal shows them under the oldest, and nothing where there is one version each", () => {
  const text = textOf({ runtimes });
  assert.match(text, /^Versions of bun: speed, bun@1\.2\.0 = 1 \(= equal within 2 %\)$/m);
  assert.match(text, /^ {2}bun@1\.10\.0 +1\.10 +1\.08–1\.12 +▲ faster/m);
  assert.equal(textOf({ runtimes: runtimes.slice(0, 2) }), "");
});
