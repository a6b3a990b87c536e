/** A person's own apps and servers through everything a run goes through, and nothing of their folder is written to. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { thresholds } from "../../bench/statistics/thresholds.ts";
import { exitOf, undisturbed } from "../contended.ts";
import { cardsOf, everything, makeProject } from "../user-project.ts";
import { bench, onSite, shortened, toolTest } from "../run-bench.ts";

toolTest(
  "two variants of an app are measured in one run, judged, verified, and measured again by their plan",
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
      const file = shortened(site, printed);

      const ended = await bench(site, ["run", "--plan", file, "--json"]);
      const { run, summary } = JSON.parse(ended.stdout);
      const cards = Object.values(cardsOf(ended));
      assert.equal(cards.length, 3);
      undisturbed(cards);
      assert.equal(ended.code, exitOf(cards), ended.stderr);
      const [one] = summary.families.flatMap(({ comparisons }: { comparisons: readonly unknown[] }) => comparisons);
      // Where others had the machine, which their marks in the journal say, the site asks again. So short a warm-up may not be
      // enough, and one run in a hundred finds a cell different from itself: both are told. Nothing else excuses it.
      const told = [one.basis, one.verdict, one.over];
      const excused = one.marks?.every(({ code, text }: { code: string; text: string }) =>
        code === "run-contradicted" ||
        code === "warming-up" && /^\S+ still grew cheaper against \S+ by /.test(text)
      );
      if (!excused) assert.deepEqual(told, ["together", "faster", "fast/bun"], JSON.stringify(one));
      const costOf = (name: string) => cards.find((card) => card.name === name)!.cpu_ns_per_request!;
      assert.ok(costOf("fast/bun") < costOf("slow/bun"), "the one that works more costs more");
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
