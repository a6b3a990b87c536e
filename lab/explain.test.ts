import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { cellOfCosts } from "../tests/fixtures/explained-cell.ts";
import { ADDED, foundShares, namedShare } from "./explain.ts";
import { idle, takeCosts, timedWork, WORK_COSTS } from "./timed-work.ts";

test("what is found is what its layers grew by, over what the work costs or a request grew by, pass by pass", () => {
  const base = cellOfCosts("base", { framework: [10, 12], kernel: [5, 5] });
  const dear = cellOfCosts("more", { framework: [10, 12], kernel: [6, 6], app: [8, 9], unknown: [1, 0] });
  const { ratios, note } = foundShares(base, dear, ADDED.app);
  assert.deepEqual(ratios, [0.8, 0.9]);
  assert.equal(note, "10.0 µs more than 16.0, 8.5 found");
  const clocked = foundShares(base, dear, ADDED.app, 8);
  assert.deepEqual(clocked.ratios, [1, 1.125]);
  assert.equal(clocked.note, "10.0 µs more than 16.0, 8.0 by its clock, 8.5 found");
  assert.ok(foundShares(base, dear, ADDED.app, NaN).ratios.every(Number.isNaN), "its cost is not known");
  assert.deepEqual(foundShares(base, dear, ["kernel", "app"]).ratios, [0.9, 1]);
  const user = foundShares(base, dear, ADDED.app, "user");
  assert.deepEqual([user.ratios, user.note], [[8 / 9, 1], "10.0 µs more than 16.0, 9.0 of user time, 8.5 found"]);
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

test("work tells what it takes, a figure for some thousand calls, and nobody's is told twice", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-costs-"));
  process.env[WORK_COSTS] = folder;
  context.after(() => {
    delete process.env[WORK_COSTS];
    rmSync(folder, { recursive: true });
  });
  const loop = (turns: number) => () => Array.from({ length: turns }, (_, n) => n).reduce((sum, n) => sum + n);
  const costOf = (work: () => number) => {
    const timed = timedWork(work);
    for (let n = 0; n < 10_000; n++) assert.equal(timed(), work());
    return takeCosts(folder);
  };
  const [short, long] = [costOf(loop(10)), costOf(loop(1_000))];
  assert.deepEqual([short.length, long.length], [2, 2]);
  assert.ok([...short, ...long].every(Number.isFinite));
  assert.deepEqual(takeCosts(folder), []);
  assert.deepEqual(costOf(idle), []);
});
