/** A person's own apps and servers through everything a run goes through, and nothing of their folder is written to. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { thresholds } from "../../bench/statistics/thresholds.ts";
import { exitCodeOf, soundOf } from "../by-structure.ts";
import { cardsOf, everything, makeProject } from "../user-project.ts";
import { bench, onSite, shortened, toolTest } from "../run-bench.ts";

toolTest(
  "two variants of an app are measured in one run by a driver on Bun, verified, and refused once one has changed",
  async () => {
    await onSite(async (site) => {
      const folder = makeProject(site);
      const before = everything(folder);
      const given = [
        ...["--app", "fast=./project/app.ts,slow=./project/slow.ts", "--runtime", "bun"],
        ...["--request", "GET /hello/you", "--request", "POST /sum", "--body", "@project/numbers.json"],
        ...["--rounds", String(thresholds.leastRounds.value), "--duration", "1s", "--warmup", "1s"],
      ];
      const planned = await bench(site, ["run", ...given, "--dry-run", "--json"]);
      assert.equal(planned.code, 0, planned.stderr);
      assert.match(planned.stderr, /fast on bun: answers\nslow on bun: answers as fast on bun does\n/);
      const printed = JSON.parse(planned.stdout);
      const { plan } = printed;
      assert.deepEqual(plan.suite.own.samples.map(({ reply }: { reply: { body: string } }) => reply.body), [
        "Hello you",
        '{"sum":6}',
      ]);
      // One round: tests/long has as many as verdicts need.
      plan.rounds = plan.ensembles[0].rounds = 1;
      const file = shortened(site, printed);

      const ended = await bench(site, ["run", "--plan", file, "--json"], { LEVELFIELD_DRIVER: "bun" });
      const { run, summary } = JSON.parse(ended.stdout);
      const cards = Object.values(cardsOf(ended));
      assert.equal(cards.length, 3);
      soundOf(cards);
      assert.equal(ended.code, exitCodeOf(cards), ended.stderr);
      assert.deepEqual(cards.map(({ name }) => name.replace(/@.*/, "")).sort(), ["fast/bun", "fast/bun", "slow/bun"]);
      const [one] = summary.families.flatMap(({ comparisons }: { comparisons: readonly unknown[] }) => comparisons);
      assert.deepEqual([one.basis, [one.over, one.under].sort()], ["together", ["fast/bun", "slow/bun"]]);
      const verified = await bench(site, ["verify", run.run]);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
      assert.deepEqual(everything(folder), before, "something in the project's folder has changed");

      writeFileSync(join(folder, "greeting.ts"), 'export const greeting = (): string => "Hello";\n');
      const changed = await bench(site, ["run", "--plan", file]);
      assert.equal(changed.code, 2);
      assert.match(changed.stderr, /app "fast" is not the planned one any more: its source has changed/);
    });
  },
);
