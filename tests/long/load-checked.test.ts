/** Replies under load are held against what was recorded, on each runtime: whoever answers otherwise when busy is named. */
import assert from "node:assert/strict";
import { windowMs } from "../../bench/plan/lengths.ts";
import { windowTogetherMs } from "../../bench/plan/schedule.ts";
import { one, pooled, said, shortErrorIsNamed, sizesAreNoMatter } from "../checked-load.ts";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { toolTest } from "../run-bench.ts";

for (const runtime of RUNTIME_NAMES) {
  toolTest(
    `on ${runtime} a short error with status 200 under load is named by its share and size`,
    () => shortErrorIsNamed(runtime),
  );

  toolTest(
    `on ${runtime} replies whose sizes differ by id, by kind and by chunks are no matter`,
    () => sizesAreNoMatter(runtime),
  );
}

toolTest("an error of the very size of the right reply is found by samples", async () => {
  const same = pooled(
    'new Response(rows.replaceAll("Row", "Err"), { headers: { "content-type": "application/json" } })',
  );
  const { text } = await said("bun", same, [one("/rows")]);
  assert.match(text ?? "", /^under load \d+ of \d+ sampled replies were wrong: GET \/rows: /);
});

toolTest("a redirect that comes only under load is named by its status", async () => {
  const { text } = await said("node", pooled('new Response(null, { status: 302, headers: { location: "/login" } })'), [
    one("/rows"),
  ]);
  assert.match(text ?? "", /^under load \d+ % of replies were 0 bytes, .*sampled replies were 302, recorded 200$/);
});

toolTest("two servers that take turns have a window with time for enough replies of each", async () => {
  const slow = `export default {
    fetch() {
      let sum = 0;
      for (let n = 0; n < 3e6; n++) sum += Math.sqrt(n);
      return new Response(sum > 0 ? "report" : "none");
    },
  };`;
  const { line } = await said("node", slow, [one("/report")], 2);
  const plannedMs = windowTogetherMs(1_000, 2);
  const wantedMs = windowMs(plannedMs, line.load!.expected_reply_ms ?? 0, 2);
  assert.ok(wantedMs > plannedMs, JSON.stringify(line));
  assert.ok(line.counters!.share_window_ns! >= 1e6 * (wantedMs - 2), JSON.stringify(line));
});
