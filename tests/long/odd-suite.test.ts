/** A suite of one's own, with odd names, stopped, gone on with, made again and compared: nothing knows it beforehand. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { thresholds } from "../../bench/statistics/thresholds.ts";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { exitOf, undisturbed } from "../contended.ts";
import { bench, onSite, runsIn, shortened, startBench, toolTest, until } from "../run-bench.ts";

const SUITE = join(PROJECT_ROOT, "tests", "fixtures", "odd-suite.ts");
/** As many rounds as verdicts need, or nothing is measured together. */
const ROUNDS = thresholds.leastRounds.value;
const SHORT = ["--rounds", String(ROUNDS), "--duration", "1s", "--warmup", "1s"];

toolTest("a suite of one's own with odd names is resumed, verified, reproduced and compared", async () => {
  await onSite(async (site) => {
    const planned = await bench(site, ["run", SUITE, ...SHORT, "--dry-run", "--json"]);
    assert.equal(planned.code, 0, planned.stderr);
    const printed = JSON.parse(planned.stdout);
    const { plan } = printed;
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
    const { run, cells } = JSON.parse(resumed.stdout);
    assert.equal(resumed.code, exitOf(cells), resumed.stderr);
    assert.deepEqual(run.plan, plan, "the plan that was printed is the plan that ran");
    const supported = cells.filter(({ status }: { status: string }) => status !== "unsupported");
    assert.equal(supported.length, 4);
    undisturbed(supported);
    const verified = await bench(site, ["verify", first]);
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);

    const again = await bench(site, ["reproduce", first, "--json"]);
    assert.equal(again.code, JSON.parse(again.stdout).reproduced ? 0 : 3, again.stderr);
    const second = runsIn(site).at(-1)!;
    assert.notEqual(second, first);
    const compared = await bench(site, ["compare", first, second, "--json"]);
    assert.equal(compared.code, 0, compared.stderr);
    assert.match(compared.stdout, /a%2Fb/);
    assert.deepEqual(JSON.parse((await bench(site, ["verify", second, "--json"])).stdout).faults, []);
  });
});
