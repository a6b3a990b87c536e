/** Two variants of a person's app: the one that works more is found to. */
import assert from "node:assert/strict";
import { exitOf, undisturbed } from "../contended.ts";
import { measureTwoVariants } from "../user-project.ts";
import { toolTest } from "../run-bench.ts";

toolTest(
  "two variants of an app are measured in one run, judged, verified, and measured again by their plan",
  () =>
    measureTwoVariants({
      look(cards, { code, stderr }, one) {
        undisturbed(cards);
        assert.equal(code, exitOf(cards), stderr);
        // Where others had the machine, which their marks in the journal say, the site asks again. So short a warm-up may not be
        // enough, and one run in a hundred finds a cell different from itself: both are told. Nothing else excuses it.
        const excused = one.marks?.every(({ code, text }) =>
          code === "run-contradicted" ||
          code === "warming-up" && /^\S+ still grew cheaper against \S+ by /.test(text)
        );
        const told = [one.basis, one.verdict, one.over];
        if (!excused) assert.deepEqual(told, ["together", "faster", "fast/bun"], JSON.stringify(one));
        const costOf = (name: string) => cards.find((card) => card.name === name)!.cpu_ns_per_request!;
        assert.ok(costOf("fast/bun") < costOf("slow/bun"), "the one that works more costs more");
      },
    }),
);
