import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { cellOfCosts } from "../tests/fixtures/explained-cell.ts";
import { ADDED, foundShare } from "./explain.ts";

test("what is found is what its layers grew by, over what a request grew by", () => {
  const base = cellOfCosts("base", { framework: [10, 12], kernel: [5, 5] });
  const dear = cellOfCosts("more", { framework: [10, 12], kernel: [6, 6], app: [8, 8], unknown: [1, 1] });
  const { ratio, note } = foundShare(base, dear, ADDED.app);
  assert.equal(ratio, 0.8);
  assert.match(note, /^10\.0 µs added to 16\.0, 8\.0 found; 96 % in named layers/);
  assert.equal(foundShare(base, dear, ["kernel", "app"]).ratio, 0.9);
  assert.equal(foundShare(dear, base, ADDED.app).ratio, null, "nothing was added");
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
