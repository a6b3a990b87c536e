import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { overBaseline } from "./over-baseline.ts";

const { summary, cells } = filesOf(makeFixture({ stores: ["map", "sqlite"], sizes: [10_000] }));
const named = (name: string) => cells.find((card) => card.name === name)!;

test("a cell over another is their verdict where they were judged, whichever way round", () => {
  const [a, b] = [named("node/sqlite/10k"), named("deno/sqlite/10k")];
  const [one, other] = [overBaseline(summary, a, b)!, overBaseline(summary, b, a)!];
  assert.deepEqual([one.verdict, other.verdict], ["slower", "faster"]);
  const [own, turned] = [one.interval!, other.interval!];
  assert.ok(own.low < one.ratio && one.ratio < own.high && own.high < 1, JSON.stringify(one));
  assert.ok(Math.abs(one.ratio * other.ratio - 1) < 1e-9 && Math.abs(own.low * turned.high - 1) < 1e-9);
});

test("cells that were never judged are told by their rates, with an interval that holds both of theirs", () => {
  const [a, b] = [named("node/map/10k"), named("deno/sqlite/10k")];
  const found = overBaseline(summary, a, b)!;
  assert.equal(found.verdict, "no-verdict");
  assert.equal(found.ratio, a.requests_per_second! / b.requests_per_second!);
  assert.equal(found.interval!.low, a.requests_per_second_interval!.low / b.requests_per_second_interval!.high);
  assert.ok(found.interval!.low < found.ratio && found.ratio < found.interval!.high);
  assert.deepEqual(overBaseline(summary, { ...a, requests_per_second_interval: null }, b)!.interval, null);
  assert.equal(overBaseline(summary, { ...a, requests_per_second: null }, b), null);
});
