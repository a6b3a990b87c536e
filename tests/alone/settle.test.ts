/** A finished run that goes on with the servers whose comparisons are open. */
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { thresholds } from "../../bench/statistics/thresholds.ts";
import type { Comparison } from "../../bench/record/comparison.ts";
import { bench, descendant, runsIn, shortened, siteTest, startBench, until } from "../run-bench.ts";
import { assertPlain, linesIn, LOAD, printed } from "../whole-run.ts";

siteTest("a finished run is settled in further rounds, stopped by Ctrl-C, resumed and verified", async (site) => {
  const servers = ["--runtime", "node,bun", "--store", "map", "--size", "1k"];
  const amounts = ["--rounds", String(thresholds.leastRounds.value), "--duration", "1s", "--warmup", "1s"];
  const planned = await bench(site, ["run", ...amounts, ...servers, "--seed", "7", "--dry-run", "--json"]);
  assert.equal(planned.code, 0, planned.stderr);
  const whole = JSON.parse(planned.stdout);
  // Fewer than verdicts need, so that whatever is measured stays open.
  whole.plan.rounds = whole.plan.ensembles[0].rounds = thresholds.leastRounds.value - 1;
  const made = await bench(site, ["run", "--plan", shortened(site, whole), "--json"]);
  const [name] = runsIn(site) as [string];
  const first = linesIn(site).length;
  assert.equal(first, thresholds.leastRounds.value - 1, made.stderr);

  const asked = await bench(site, ["settle", "--dry-run", "--json"]);
  assert.equal(asked.code, 0, asked.stderr);
  const { rounds, cells, comparisons, part } = JSON.parse(asked.stdout);
  assert.deepEqual([rounds, comparisons, cells.length], [thresholds.leastRounds.value, 1, 2], "with the default time");
  assert.deepEqual(part.ensembles, [{ of: 0, cells: [0, 1, 2] }], "both, and one of them again");
  assert.equal(linesIn(site).length, first, "nothing is measured");

  const other = join(site.folder, "other");
  cpSync(join(site.results, name), other, { recursive: true });
  const record = JSON.parse(readFileSync(join(other, "run.json"), "utf8"));
  record.machine.kernel = "0.0.1";
  writeFileSync(join(other, "run.json"), JSON.stringify(record));
  const elsewhere = await bench(site, ["settle", other]);
  assert.equal(elsewhere.code, 1, elsewhere.stdout);
  assert.match(elsewhere.stderr, /cannot be continued: the machine changed \(kernel/);

  const running = startBench(site, ["settle"]);
  await until("a further round", () => linesIn(site).length > first, running);
  const second = await bench(site, ["settle", name]);
  assert.equal(second.code, 1);
  assert.match(second.stderr, /another run is measuring on this machine/);
  await until("the next load", () => descendant(running.pid, LOAD), running);
  process.kill(-running.pid, "SIGINT");
  const stopped = await running.ended;
  assert.equal(stopped.code, 130, stopped.stderr);
  assertPlain(stopped);
  assert.match(stopped.stderr, /^settle: 3 further rounds of 2 servers for 1 open comparison, about /m);
  assert.match(stopped.stdout, /\S/, "the answer so far is shown");
  const kept = linesIn(site);
  assert.ok(kept.length > first && kept.length < first + rounds);
  assert.equal((await bench(site, ["verify", name])).code, 0);
  const unfinished = await bench(site, ["settle", name]);
  assert.equal(unfinished.code, 2);
  assert.match(unfinished.stderr, new RegExp(`is not finished\\n  try: bench run --resume ${name}`));

  const resumed = await bench(site, ["run", "--resume", name, "--json"]);
  const { run, summary } = printed.parse(JSON.parse(resumed.stdout));
  assert.equal(run.state, "finished", resumed.stderr);
  const lines = linesIn(site);
  assert.deepEqual(lines.slice(0, kept.length), kept);
  assert.deepEqual(lines.map(({ round, kind, alone }) => `${round} ${kind} ${alone}`), [
    "0 ensemble true",
    "1 ensemble false",
    ...["2", "3", "4"].map((round) => `${round} ensemble false`),
  ]);
  const verified = await bench(site, ["verify", name]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  assert.deepEqual(summary.questions.map(({ looks }) => looks), [thresholds.looks.value]);
  const [one] = summary.families[0]!.comparisons as [Comparison];
  const sound = lines.filter(({ status }) => status === "ok").length;
  assert.ok(one.verdict === "no-verdict" || one.rounds === sound, JSON.stringify(one));

  const again = await bench(site, ["run", "--plan", join(site.results, name, "run.json"), "--dry-run", "--json"]);
  assert.equal(JSON.parse(again.stdout).schedule.length, lines.length, "its plan is measured whole elsewhere");
  const shown = await bench(site, ["show", name]);
  assert.equal(shown.code, 0, shown.stderr);
});
