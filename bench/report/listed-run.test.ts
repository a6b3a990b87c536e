import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { makeRatedRun } from "../../tests/fixtures/rate-run.ts";
import { publish } from "../result/published.ts";
import { tookText } from "./listed-run.ts";
import { runRecords } from "./run-lines.ts";

test("a run along rates is listed with the sentences of its servers and between them, not with no answer", () => {
  const { run, lines } = makeFixture({ sizes: [10_000], stores: ["map"], runtimes: ["bun"] });
  assert.match(tookText(publish(run, lines).summary), /^no answer: /);
  const rated = makeRatedRun({ runtimes: ["bun", "node"] });
  const reported = tookText(rated.summary);
  assert.match(
    reported,
    /^bun and node: equal within 2 % at all 3 rates; bun\/map\/10k at 7k\/s .* is not held; node\/map\/10k at .* is not held$/,
  );
  const [listed] = runRecords([{ name: run.run, run: rated.run, summary: rated.summary }]);
  assert.equal((listed as { answer: string }).answer, `${reported}.`);
});
