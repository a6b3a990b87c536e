/** Replies under load are held against what was recorded, on each runtime: whoever answers otherwise when busy is named. */
import assert from "node:assert/strict";
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

toolTest(
  "a window is made longer for replies that take most of it, and those in flight at its end are counted in",
  async () => {
    const slow = `export default {
    fetch: async () => {
      await new Promise((done) => setTimeout(done, 700));
      return new Response("report");
    },
  };`;
    const { line, text } = await said("node", slow, [one("/report")]);
    const { requests, in_flight = 0, connections, expected_reply_ms, duration_us } = line.load!;
    assert.ok(expected_reply_ms! >= 700 && duration_us >= 5_900_000, JSON.stringify(line));
    assert.ok(requests >= 5 * connections && requests % connections < in_flight + 1, JSON.stringify(line));
    assert.equal(text, undefined);
  },
);

toolTest(
  "two servers that take turns have a window in which each answers enough to compare, however slow",
  async () => {
    const slow = `export default {
    fetch() {
      let sum = 0;
      for (let n = 0; n < 3e6; n++) sum += Math.sqrt(n);
      return new Response(sum > 0 ? "report" : "none");
    },
  };`;
    const { line } = await said("node", slow, [one("/report")], 2);
    const codes = line.members.flatMap(({ marks }) => marks.map(({ code }) => code));
    assert.ok(line.load!.expected_reply_ms !== undefined && !codes.includes("too-few-requests"), JSON.stringify(line));
  },
);
