import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { exp, expm1, log, log1p } from "./logarithms.ts";

const numbers = Array.from({ length: 2_000 }, (_, n) => ((n * 7_919) % 2_000 + 1) / 1_000 * 1.7);

test("logarithms and powers are those of mathematics", () => {
  const known = [[log(2), Math.LN2], [log(10), Math.LN10], [log(0.5), -Math.LN2], [exp(1), Math.E], [
    exp(-1),
    1 / Math.E,
  ]];
  for (const [found, expected] of known) assert.equal(found, expected);
  const near = (found: number, expected: number, what: string) =>
    assert.ok(Math.abs(found - expected) <= 1e-15 * Math.abs(expected), `${what}: ${found}, expected ${expected}`);
  for (const x of numbers) {
    for (const times of [1e-9, 1, 12_345.678]) near(log(times * x), Math.log(times * x), `log(${times * x})`);
    near(exp(x * 10 - 20), Math.exp(x * 10 - 20), `exp(${x * 10 - 20})`);
    for (const small of [x - 1.6, (x - 1.6) * 1e-9]) {
      if (small > -1) near(log1p(small), Math.log1p(small), `log1p(${small})`);
      near(expm1(small), Math.expm1(small), `expm1(${small})`);
    }
  }
});

test("at the edges they are what Math says", () => {
  for (const x of [0, 1, -1, -3, 1e-300, Number.MAX_VALUE, 745, -746, 800, Infinity, Number.NaN]) {
    for (const [ours, theirs, name] of [[log, Math.log, "log"], [exp, Math.exp, "exp"]] as const) {
      const [found, expected] = [ours(x), theirs(x)];
      const small = Math.abs(expected) < 1e-300;
      assert.ok(
        small ? Math.abs(found) < 1e-300 : Object.is(found, expected) || Math.abs(found / expected - 1) < 1e-15,
        `${name}(${x}) is ${found}, not ${expected}`,
      );
    }
  }
});

test("each engine finds the same digits, down to the last bit", () => {
  const found = Float64Array.from(
    numbers.flatMap((x) => [log(x), log(x * 12_345.678), log1p(x - 1), exp(x * 10 - 20), expm1(x - 2)]),
  );
  const hash = createHash("sha256").update(new Uint8Array(found.buffer)).digest("hex");
  assert.equal(hash, "2aab110daaf65f69ed8a2da7670054eeef60354129eb47de16f811cd7f9287a9");
});
