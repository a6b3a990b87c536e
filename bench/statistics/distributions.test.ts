import assert from "node:assert/strict";
import { test } from "node:test";
import { binomialCdf, normalCdf, studentTCdf, studentTQuantile, studentTTwoSided } from "./distributions.ts";

function near(actual: number, expected: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual}, expected ${expected}`);
}

test("t quantiles agree with the table of the NIST/SEMATECH e-Handbook, section 1.3.6.7.2", () => {
  const table: readonly [degrees: number, p95: number, p975: number, p99: number, p995: number][] = [
    [1, 6.314, 12.706, 31.821, 63.657],
    [2, 2.92, 4.303, 6.965, 9.925],
    [5, 2.015, 2.571, 3.365, 4.032],
    [11, 1.796, 2.201, 2.718, 3.106],
    [30, 1.697, 2.042, 2.457, 2.75],
    [100, 1.66, 1.984, 2.364, 2.626],
  ];
  for (const [degrees, ...quantiles] of table) {
    [0.95, 0.975, 0.99, 0.995].forEach((probability, column) => {
      near(studentTQuantile(probability, degrees), quantiles[column]!, 6e-4, `t(${probability}, ${degrees})`);
    });
  }
});

test("t probabilities agree with the closed forms for 1, 2 and 4 degrees of freedom", () => {
  for (const t of [-30, -4, -1, -0.1, 0, 0.3, 2, 12.7]) {
    near(studentTCdf(t, 1), 0.5 + Math.atan(t) / Math.PI, 1e-12, `t=${t}, 1 degree`);
    near(studentTCdf(t, 2), 0.5 + t / (2 * Math.sqrt(2 + t * t)), 1e-12, `t=${t}, 2 degrees`);
    const sine = t / Math.sqrt(4 + t * t);
    near(studentTCdf(t, 4), 0.5 + 0.75 * (sine - sine ** 3 / 3), 1e-12, `t=${t}, 4 degrees`);
  }
});

test("quantile and probability undo each other", () => {
  for (const degrees of [1, 3, 5, 11, 40]) {
    for (const probability of [1e-6, 0.001, 0.2, 0.5, 0.9, 0.99, 0.9999]) {
      near(
        studentTCdf(studentTQuantile(probability, degrees), degrees),
        probability,
        1e-9,
        `${probability}, ${degrees}`,
      );
    }
  }
});

test("two-sided p is symmetric, 1 at zero and 0 at infinity", () => {
  assert.equal(studentTTwoSided(0, 5), 1);
  assert.equal(studentTTwoSided(Infinity, 5), 0);
  assert.equal(studentTTwoSided(-2, 5), studentTTwoSided(2, 5));
  near(studentTTwoSided(2.5705818366, 5), 0.05, 1e-9, "5 % point");
});

test("binomial and normal probabilities agree with hand counts and tables", () => {
  near(binomialCdf(0, 6, 0.5), 1 / 64, 1e-15, "0 of 6");
  near(binomialCdf(2, 12, 0.5), 79 / 4096, 1e-14, "2 of 12");
  assert.equal(binomialCdf(-1, 6, 0.5), 0);
  assert.equal(binomialCdf(6, 6, 0.5), 1);
  near(normalCdf(1.959963984540054), 0.975, 1e-12, "97.5 % point");
});

test("arguments out of range are refused, never answered with NaN", () => {
  assert.throws(() => studentTQuantile(0, 5), RangeError);
  assert.throws(() => studentTQuantile(1, 5), RangeError);
  assert.throws(() => studentTQuantile(0.5, 0), RangeError);
  assert.throws(() => studentTCdf(Number.NaN, 5), RangeError);
  assert.throws(() => studentTCdf(1, 2.5), RangeError);
  assert.throws(() => binomialCdf(1, 0, 0.5), RangeError);
});
