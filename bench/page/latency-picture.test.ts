import assert from "node:assert/strict";
import { test } from "node:test";
import { markupText } from "./html.ts";
import { binsOf, latencyPicture } from "./latency-picture.ts";

const NONE = { p50_us: null, p90_us: null, p99_us: null, max_us: null };

test("a bin holds the latencies within 7.5 %, each latency is in one, and less than 1 µs is in the first", () => {
  assert.deepEqual([...binsOf([[0.5, 2], [1, 3], [10, 4], [10.5, 5], [100, 6]])], [[0, 5], [32, 9], [64, 6]]);
  const times = Array.from({ length: 400 }, (_, n) => 1.03 ** n);
  const bins = [...binsOf(times.map((us) => [us, 1]))];
  assert.equal(bins.reduce((sum, [, count]) => sum + count, 0), times.length);
  assert.deepEqual(bins.map(([bin]) => bin), bins.map((_, n) => n));
});

test("the picture has an outline of all bins, its percentiles apart, and the decades between", () => {
  const latencies = [[150, 10], [1_200, 90], [20_000, 1]] as const;
  const svg = markupText(latencyPicture(latencies, { ...NONE, p50_us: 1_200, p90_us: 1_250, p99_us: 20_000 })!);
  assert.deepEqual([...svg.matchAll(/>([^<]+)<\/text>/g)].map(([, text]) => text), "p50 p90 p99 1ms 10ms".split(" "));
  const [first, second, third] = [...svg.matchAll(/y="(\d+)">p/g)].map(([, y]) => Number(y));
  assert.ok(second! < first! && third === first, "only names that would stand on each other are moved");
  const levels = [...svg.matchAll(/V([\d.]+)H/g)].map(([, level]) => Number(level));
  assert.equal(levels.length, 1 + Math.floor(Math.log10(20_000) * 32) - Math.floor(Math.log10(150) * 32));
  assert.equal(Math.min(...levels), 46, "the fullest bin reaches the top");
  assert.doesNotMatch(svg, /NaN|Infinity/);
});

test("without a request there is no picture, and without percentiles no line", () => {
  assert.equal(latencyPicture([], NONE), null);
  assert.doesNotMatch(markupText(latencyPicture([[5, 1]], NONE)!), />p\d|NaN/);
});
