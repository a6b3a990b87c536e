/** A person's own apps and servers through everything a run goes through, and nothing of their folder is written to. */
import assert from "node:assert/strict";
import { exitCodeOf, soundOf } from "../by-structure.ts";
import { measureTwoVariants } from "../user-project.ts";
import { toolTest } from "../run-bench.ts";

toolTest(
  "two variants of an app are measured by a driver on Bun, verified, and refused once changed",
  () =>
    measureTwoVariants({
      // tests/long has as many as verdicts need.
      rounds: 1,
      env: { LEVELFIELD_DRIVER: "bun" },
      look(cards, { code, stderr }, { basis, over, under }) {
        soundOf(cards);
        assert.equal(code, exitCodeOf(cards), stderr);
        assert.deepEqual([basis, [over, under].sort()], ["together", ["fast/bun", "slow/bun"]]);
      },
    }),
);
