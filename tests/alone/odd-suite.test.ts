/** A suite of one's own, with odd names, through everything a run goes through: nothing knows it beforehand. */
import assert from "node:assert/strict";
import { EXPORTS } from "../../bench/exports/registry.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { thresholds } from "../../bench/statistics/thresholds.ts";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { exitCodeOf, soundOf } from "../by-structure.ts";
import { commandLine } from "../command-line.ts";
import { bench, onSite, shortened, toolTest } from "../run-bench.ts";

const SUITE = join(PROJECT_ROOT, "tests", "fixtures", "odd-suite.ts");
/** As many rounds as verdicts need, or nothing is measured together. */
const ROUNDS = thresholds.leastRounds.value;
const SHORT = ["--rounds", String(ROUNDS), "--duration", "1s", "--warmup", "1s"];

toolTest(
  "a suite of one's own with odd names is planned, run by a driver on Node, verified and exported",
  async () => {
    await onSite(async (site) => {
      const planned = await bench(site, ["run", SUITE, ...SHORT, "--dry-run", "--json"]);
      assert.equal(planned.code, 0, planned.stderr);
      const printed = JSON.parse(planned.stdout);
      const { plan } = printed;
      assert.equal(plan.unsupported.length, 1);
      assert.equal(plan.cells.length, 4, "three points that can be, and one of them again");
      assert.deepEqual(plan.ensembles.map(({ rounds }: { rounds: number }) => rounds), [ROUNDS]);
      const together = plan.ensembles[0].cells.map((place: number) => plan.cells[place].point.at["way / how"]);
      assert.deepEqual(together.toSorted(), ["a/b", "a/b", 'x y, "z" <b>'], "both ways, and one of them again");
      assert.deepEqual(plan.solo.map(({ cell }: { cell: number }) => plan.cells[cell].point.at["items / page"]), [100]);
      // What is planned suffices for verdicts, of which made-up runs of odd names have more than time allows here.
      plan.rounds = plan.solo[0].rounds = plan.ensembles[0].rounds = 1;
      const file = shortened(site, printed);

      const ended = await bench(site, ["run", "--plan", file, "--json"], { LEVELFIELD_DRIVER: "node" });
      const { run, cells, summary } = JSON.parse(ended.stdout);
      const first = run.run;
      assert.deepEqual(run.plan, plan, "the plan that was printed is the plan that ran");
      const supported = cells.filter(({ status }: { status: string }) => status !== "unsupported");
      assert.equal(supported.length, 4);
      const isSound = soundOf(supported).length === supported.length;
      assert.equal(ended.code, exitCodeOf(supported), ended.stderr);
      assert.equal(new Set(cells.map(({ name }: { name: string }) => name)).size, 5);
      assert.deepEqual(summary.families.map(({ kind, axis }: { kind: string; axis: string }) => [kind, axis]), [[
        "axis",
        "way / how",
      ]]);
      // What others disturbed has no place in checks and tables.
      if (isSound) {
        assert.equal(summary.checks.length, 2);
        assert.equal(summary.steps.length, 2, "one table for each number of items");
      }

      const verified = await commandLine(["verify", first], site.results);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
      const shown = await commandLine(["show", first, "--all"], site.results);
      if (isSound) assert.match(shown.stdout, /^ {2}met: one \/ the other/m);
      for (
        const format of ["html", ...Object.keys(EXPORTS)]
      ) {
        const output = join(site.folder, `report.${format}`);
        const reported = await commandLine(["report", first, "--format", format, "--output", output], site.results);
        assert.equal(reported.code, 0, `${format}: ${reported.stderr}`);
        assert.ok(readFileSync(output, "utf8").length > (isSound ? 100 : 0), format);
      }
      assert.doesNotMatch(readFileSync(join(site.folder, "report.html"), "utf8"), /<too> long/);
    });
  },
);
