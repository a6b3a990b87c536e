import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { cellOfCosts } from "../tests/fixtures/explained-cell.ts";
import { ADDED, foundShares, namedShare } from "./explain.ts";

test("what is found is what its layers grew by, over what the work costs or a request grew by, pass by pass", () => {
  const base = cellOfCosts("base", { framework: [10, 12], kernel: [5, 5] });
  const dear = cellOfCosts("more", { framework: [10, 12], kernel: [6, 6], app: [8, 9], unknown: [1, 0] });
  const { ratios, note } = foundShares(base, dear, ADDED.app);
  assert.deepEqual(ratios, [0.8, 0.9]);
  assert.equal(note, "10.0 µs more than 16.0, 8.5 found");
  const alone = foundShares(base, dear, ADDED.app, [7, 9]);
  assert.deepEqual(alone.ratios, [1, 1.125]);
  assert.equal(alone.note, "10.0 µs more than 16.0, 8.0 by itself, 8.5 found");
  assert.ok(foundShares(base, dear, ADDED.app, [NaN]).ratios.every(Number.isNaN), "its cost is not known");
  assert.deepEqual(foundShares(base, dear, ["kernel", "app"]).ratios, [0.9, 1]);
  assert.deepEqual(foundShares(dear, base, ADDED.app).ratios, [NaN, NaN], "nothing was added");
});

test("what no layer is named for counts against all that was sampled, and not against the kernel", () => {
  const cell = cellOfCosts("cell", { app: [6, 8], unknown: [2, 4], kernel: [80, 80], native: [20, 20] });
  assert.equal(namedShare(cell), 0.7);
  assert.equal(namedShare({ layers: [] }), null);
});

test("each kind of work has its app", async () => {
  const apps = readdirSync(new URL("explained/", import.meta.url)).map((name) => name.replace(/\.ts$/, ""));
  assert.deepEqual(apps.sort(), [...Object.keys(ADDED), "plain"].sort());
  const replies = await Promise.all(apps.map(async (name) => {
    const { default: app } = await import(`./explained/${name}.ts`);
    return (await (await app.request("/")).text()) as string;
  }));
  assert.deepEqual([...new Set(replies)], ['{"rows":[1,2,3]}'], "replies differ by what is done besides");
});
