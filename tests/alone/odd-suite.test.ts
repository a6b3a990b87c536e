/** A suite of one's own, with odd names, through everything a run goes through: nothing knows it beforehand. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { thresholds } from "../../bench/statistics/thresholds.ts";
import { PROJECT_ROOT } from "../../bench/host/runtimes.ts";
import { exitOf, undisturbed } from "../contended.ts";
import { bench, onSite, runsIn, shortened, startBench, toolTest, until } from "../run-bench.ts";

const SUITE = join(PROJECT_ROOT, "tests", "fixtures", "odd-suite.ts");
/** As many rounds as verdicts need, or nothing is measured together. */
const ROUNDS = thresholds.leastRounds.value;
const SHORT = ["--rounds", String(ROUNDS), "--duration", "1s", "--warmup", "1s"];

toolTest(
  "a suite of one's own with odd names is planned, run, resumed, verified, compared, reproduced and exported",
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

      const running = startBench(site, ["run", "--plan", file, "--json"]);
      await until("the first line", () => {
        const [run] = runsIn(site);
        const journal = run === undefined ? undefined : join(site.results, run, "journal.ndjson");
        return journal !== undefined && existsSync(journal) && readFileSync(journal, "utf8").split("\n").length > 1;
      }, running);
      process.kill(running.pid, "SIGINT");
      assert.equal((await running.ended).code, 130);
      const [first] = runsIn(site) as [string];
      const resumed = await bench(site, ["run", "--resume", first, "--json"]);
      const { run, cells, summary } = JSON.parse(resumed.stdout);
      assert.equal(resumed.code, exitOf(cells), resumed.stderr);
      assert.deepEqual(run.plan, plan, "the plan that was printed is the plan that ran");
      const supported = cells.filter(({ status }: { status: string }) => status !== "unsupported");
      assert.equal(supported.length, 4);
      undisturbed(supported);
      assert.equal(new Set(cells.map(({ name }: { name: string }) => name)).size, 5);
      assert.deepEqual(summary.families.map(({ kind, axis }: { kind: string; axis: string }) => [kind, axis]), [[
        "axis",
        "way / how",
      ]]);
      assert.equal(summary.checks.length, 2);
      assert.equal(summary.steps.length, 2, "one table for each number of items");

      const verified = await bench(site, ["verify", first]);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
      const shown = await bench(site, ["show", first, "--all"]);
      assert.match(shown.stdout, /expectations of the suite: [^]*one \/ the other/);
      for (
        const format of ["html", "markdown", "csv", "benchstat", "hyperfine", "github-action-benchmark", "prometheus"]
      ) {
        const output = join(site.folder, `report.${format}`);
        const reported = await bench(site, ["report", first, "--format", format, "--output", output]);
        assert.equal(reported.code, 0, `${format}: ${reported.stderr}`);
        assert.ok(readFileSync(output, "utf8").length > 100, format);
      }
      assert.doesNotMatch(readFileSync(join(site.folder, "report.html"), "utf8"), /<too> long/);

      const again = await bench(site, ["reproduce", first, "--json"]);
      assert.equal(again.code, JSON.parse(again.stdout).reproduced ? 0 : 3, again.stderr);
      const second = runsIn(site).at(-1)!;
      assert.notEqual(second, first);
      const compared = await bench(site, ["compare", first, second, "--json"]);
      assert.equal(compared.code, 0, compared.stderr);
      assert.match(compared.stdout, /a%2Fb/);
      assert.deepEqual(JSON.parse((await bench(site, ["verify", second, "--json"])).stdout).faults, []);
    });
  },
);
