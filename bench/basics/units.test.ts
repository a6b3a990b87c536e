import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, formatBytes, formatDurationMs, formatRate, formatRatio, formatUs, parseDurationMs } from "./units.ts";

test("one thing is one, and any other number of them is many", () => {
  assert.deepEqual([0, 1, 2].map((n) => counted(n, "cell")), ["0 cells", "1 cell", "2 cells"]);
  assert.equal(counted(2, "person", "people"), "2 people");
});

test("durations are read with their unit, which may not be left out", () => {
  assert.deepEqual(["3s", "500ms", "2m", "1.5s"].map(parseDurationMs), [3_000, 500, 120_000, 1_500]);
  for (const text of ["3", "s", "-1s", "3 s", "3h", "1.s"]) assert.equal(parseDurationMs(text), undefined, text);
});

test("durations for people carry into the next unit instead of printing sixty of the lower one", () => {
  assert.deepEqual(
    [0, 400, 9_949, 9_950, 59_400, 59_600, 200_000, 3_599_000, 3_600_000, 3_900_000].map(formatDurationMs),
    ["0.0s", "0.4s", "9.9s", "10s", "59s", "1m 0s", "3m 20s", "59m 59s", "1h 0m", "1h 5m"],
  );
});

test("ratios far below one keep two digits", () => {
  assert.deepEqual([0.0005, 0.0833, 0.0949, 0.096, 1.306, 12.42, 6_400.4].map(formatRatio), [
    ...["0.00050", "0.083", "0.095", "0.10", "1.31", "12.4", "6400"],
  ]);
});

test("rates, bytes and latencies keep three digits and switch units where a fourth would appear", () => {
  assert.deepEqual([5.31, 98.2, 999.4, 999.5, 98_200, 999_499, 999_500, 999_499_999, 1_010_000_000].map(formatRate), [
    "5.31",
    "98.2",
    "999",
    "1.00k",
    "98.2k",
    "999k",
    "1.00M",
    "999M",
    "1.01G",
  ]);
  assert.deepEqual([0, 1023, 1024, 12 * 2 ** 20, 150 * 2 ** 20, 5 * 2 ** 40].map(formatBytes), [
    "0 B",
    "1023 B",
    "1.00 KiB",
    "12.0 MiB",
    "150 MiB",
    "5120 GiB",
  ]);
  assert.deepEqual([1.234, 99.9, 312.4, 4_100, 1_200_000].map(formatUs), "1.23µs 99.9µs 312µs 4.10ms 1.20s".split(" "));
});
