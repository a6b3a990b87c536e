/** Replies under load are held against what was recorded: whoever answers otherwise when busy is named. More in tests/long. */
import assert from "node:assert/strict";
import { windowMs } from "../../bench/plan/lengths.ts";
import { one, pooled, said, shortErrorIsNamed } from "../checked-load.ts";
import { toolTest } from "../run-bench.ts";

toolTest("a short error with status 200 under load is named by its share and size", () => shortErrorIsNamed("node"));

toolTest("a window is longer for replies that take most of it, and counts those in flight at its end", async () => {
  const slow = `export default {
    fetch: async () => {
      await new Promise((done) => setTimeout(done, 300));
      return new Response("report");
    },
  };`;
  const { line, text } = await said("node", slow, [one("/report")]);
  const { requests, in_flight = 0, expected_reply_ms = 0, duration_us, requests_per_second } = line.load!;
  assert.ok(expected_reply_ms >= 300, JSON.stringify(line));
  assert.ok(windowMs(1_000, expected_reply_ms, 1) > 2_000);
  assert.ok(duration_us >= 1e3 * windowMs(1_000, expected_reply_ms, 1) - 100_000, JSON.stringify(line));
  const counted = requests_per_second * duration_us / 1e6;
  assert.ok(Math.abs(counted - requests - in_flight) < 1e-3 * requests, `${counted}: ${JSON.stringify(line)}`);
  assert.equal(text, undefined);
});

toolTest("each of two servers that take turns is sampled, and its replies are found wrong", async () => {
  const { text, line } = await said("bun", pooled('new Response("pool exhausted")'), [one("/rows")], 2);
  assert.match(text ?? "", /sampled replies were wrong: GET \/rows: /, JSON.stringify(line));
  assert.ok(line.beside!.every((own) => own !== null && own.asked > 0), JSON.stringify(line.beside));
});

toolTest("a stock that dries up under load is named once the server is idle again", async () => {
  const shop = "let left = 500; export default { fetch: () => Response.json({ ok: left-- > 0 }) };";
  const { line: { marks, members } } = await said("node", shop, [one("/buy")]);
  const texts = [...marks, ...members.flatMap((each) => each.marks)].map(({ text }) => text).join("\n");
  assert.match(
    texts,
    /^GET \/buy uses up what it works on, or does not recover: after its loads json:ok is false, true /m,
  );
});
