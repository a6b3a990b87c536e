import assert from "node:assert/strict";
import { test } from "node:test";
import { writtenMark } from "./written.ts";

test("a server that commits a page with each request is marked with its bytes, and one that logs is not", () => {
  const commits = [[40_000, 2e8], [100_000, 2e8 + 60_000 * 4_096]] as const,
    logs = [[40_000, 0], [100_000, 9e5]] as const;
  assert.match(
    writtenMark([commits, commits])!.text,
    /^it has 4.00 KiB written to disk a request \(234 MiB in all\), in 2 of 2 observations/,
  );
  assert.equal(writtenMark([logs, logs]), null);
  assert.equal(writtenMark([commits, logs]), null, "most observations decide");
  assert.equal(writtenMark([[], [[5, 5]]]), null);
});

test("bytes that come in bursts are said to, as those of checkpoints", () => {
  const steady = [[0, 0], [1_000, 4_096_000], [2_000, 8_192_000]] as const;
  assert.doesNotMatch(writtenMark([steady])!.text, /bursts/);
  const burst = [[0, 0], [1_000, 1_024_000], [2_000, 9_216_000]] as const;
  assert.match(writtenMark([burst])!.text, /, in bursts of 1.00 KiB to 8.00 KiB a request from one load to the next: /);
});
