import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { cardPicture, pngOf } from "./card-picture.ts";
import { mark } from "../record/mark.ts";

const files = filesOf(makeFixture());

test("a card has the answer, verdicts, machine, grade and run, and is as large as sites ask for", () => {
  const svg = cardPicture(files);
  assert.match(svg, /^<svg [^>]*viewBox="0 0 1200 630" width="1200" height="630"/);
  for (const { title, parts } of files.summary.answer.questions) {
    assert.match(svg, new RegExp(`>${title}: ${parts[0]!.picks.join(" or ")}<`));
  }
  assert.ok(svg.match(/>[\d.]+ ×</g)!.length > 4);
  assert.ok(svg.includes(`>${files.summary.answer.subject} · Levelfield<`));
  const words = svg.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  assert.ok(words.includes(". But bun is 1.02 × deno at binary with 10k users and 100k users."), words);
  assert.match(svg, /AMD EPYC \(amd-25-1\) · 2 CPUs · node/);
  assert.match(svg, /run 2026-11-20-120000 · 6 rounds · grade shared/);
  assert.doesNotMatch(svg, /NaN|undefined|Infinity/);
});

test("a card of a run that contradicts itself says so, and names are text on it", () => {
  const marks = [mark("machine-steal", "others <b>had</b> it")];
  const svg = cardPicture({ ...files, summary: { ...files.summary, marks } });
  assert.match(svg, /Contradicted by the run itself: others &lt;b&gt;had/);
});

test("a card is pixels, too: 1200 × 630 of them, not all alike, and the same again", async () => {
  const png = await pngOf(cardPicture(files));
  const view = new DataView(png.buffer, png.byteOffset);
  assert.deepEqual([view.getUint32(16), view.getUint32(20)], [1200, 630]);
  assert.ok(png.length > 20_000, `${png.length} bytes`);
  assert.deepEqual(await pngOf(cardPicture(files)), png);
});

test("where there is no answer a card says what would give one", () => {
  const { answer } = files.summary;
  const settle = { sentence: "decide all 9 open comparisons", minutes: 3, rounds: 9 };
  const none = {
    ...answer,
    none: [mark("too-few-rounds", "too few rounds")],
    sentence: "No answer from this run: too few rounds.",
    settle,
  };
  const svg = cardPicture({ ...files, summary: { ...files.summary, answer: none } });
  assert.match(svg, /too few rounds\. Next: decide \d+ of \d+ open comparisons/);
});
