/** Whole runs: what they publish, what one that is stopped has to say, and how a finished one is settled. */
import assert from "node:assert/strict";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { THRESHOLDS } from "../../bench/judge/thresholds.ts";
import { AA } from "../../bench/record/cell.ts";
import type { Comparison } from "../../bench/record/comparison.ts";
import { rowOf } from "../../bench/record/mark.ts";
import type { Observation } from "../../bench/record/observation-record.ts";
import { readPublishedRun } from "../../bench/runs/published-run.ts";
import { thresholds } from "../../bench/statistics/thresholds.ts";
import { exitCodeOf, soundOf } from "../by-structure.ts";
import { benchHere } from "../command-line.ts";
import {
  bench,
  descendant,
  descendantsOf,
  isRunning,
  runsIn,
  shortened,
  type Site,
  siteTest,
  startBench,
  toolTest,
  until,
} from "../run-bench.ts";
import { smallRun } from "../small-run.ts";
import { assertGivenUp, assertPlain, linesIn, LOAD, printed } from "../whole-run.ts";

toolTest("a small run publishes cells, files and figures that hold together; what is cut off is found", () =>
  smallRun({
    // The others in tests/long.
    keep: ({ label, point: { at } }) => label !== AA && at["store"] === (at["runtime"] === "node" ? "sqlite" : "map"),
    count: 3,
    sound: soundOf,
    exitOf: exitCodeOf,
    check({ latency, members }) {
      const gap = latency!.littles_law_gap!;
      const what = JSON.stringify(members[0]!.cell.point.at);
      assert.ok(gap <= THRESHOLDS.littlesLawGap && gap > -1, `${what}: ${gap}`);
    },
  }));

/** A run of two rounds that was stopped after the first one and has gone on: its name. */
async function stoppedAndResumed(site: Site): Promise<string> {
  const args = ["--duration", "1s", "--warmup", "1s", "--seed", "7"];
  const servers = ["--runtime", "node,bun", "--store", "map", "--size", "1k"];
  const rounds = ["--rounds", String(thresholds.leastRounds.value)];
  const planned = await benchHere(site, ["run", ...rounds, ...args, ...servers, "--dry-run", "--json"]);
  assert.equal(planned.code, 0, planned.stderr);
  const whole = JSON.parse(planned.stdout);
  // Fewer than verdicts need, so that whatever is measured stays open.
  whole.plan.rounds = whole.plan.ensembles[0].rounds = 2;
  const running = startBench(site, ["run", "--plan", shortened(site, whole)]);
  const inFirst = (lines: readonly Observation[]) => lines.filter(({ round }) => round === 0).length;
  await until("the first round", () => inFirst(linesIn(site)) === 1, running);
  await until("the next load", () => descendant(running.pid, LOAD), running);
  const children = descendantsOf(running.pid);
  process.kill(-running.pid, "SIGINT");
  const stopped = await running.ended;
  assert.equal(stopped.code, 130, stopped.stderr);
  assertPlain(stopped);
  for (const { pid, command } of children) assert.ok(!isRunning(pid), command);
  const lines = linesIn(site);
  assert.deepEqual(lines.map(({ kind }) => kind), ["ensemble"]);
  const ensemble = lines[0]!;
  assert.deepEqual(ensemble.members.map(({ cell }) => cell.label).sort(), ["aa", "main", "main"]);
  for (const { members } of soundOf([ensemble])) {
    for (const { warmup, alone, cpu_ns, requests, cpu_ns_per_request } of members) {
      assert.equal(warmup!.ended, "planned");
      const { load, latency } = alone!;
      assert.ok(load === null || load.requests > 0 && latency!.p50_us! <= latency!.p99_us!);
      assert.ok(Math.abs(cpu_ns_per_request! / (cpu_ns! / requests!) - 1) < 1e-9);
    }
  }

  const [name] = runsIn(site) as [string];
  assertGivenUp(site, name);
  const verified = await benchHere(site, ["verify", name]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  assert.match(stopped.stdout, /^NO ANSWER {2}./m);
  const page = join(site.folder, "report.html");
  const reported = await benchHere(site, ["report", name, "--output", page]);
  assert.equal(reported.code, 0, reported.stderr);
  assert.match(readFileSync(page, "utf8"), /No answer: ./);

  const resumed = await bench(site, ["run", "--resume", name, "--json"]);
  const { run, summary } = printed.parse(JSON.parse(resumed.stdout));
  assert.equal(run.state, "finished", resumed.stderr);
  assert.deepEqual(linesIn(site).map(({ kind, round, alone }) => `${round} ${kind} ${alone}`).toSorted(), [
    "0 ensemble true",
    "1 ensemble false",
  ]);
  const [family] = summary.families;
  assert.deepEqual(family!.comparisons.map(({ basis }) => basis), ["together"]);
  assert.equal((await benchHere(site, ["verify", name])).code, 0);
  return name;
}

/** Settles a finished run whose one comparison is open: stopped after a further round, it goes on to the end. */
async function settled(site: Site, name: string): Promise<void> {
  const first = linesIn(site).length;
  const asked = await benchHere(site, ["settle", "--dry-run", "--json"]);
  const { families, cells: cards } = readPublishedRun(join(site.results, name)).summary;
  const marks = [...cards, ...families[0]!.comparisons].flatMap((one) => "marks" in one ? one.marks : []);
  if (marks.some((one) => rowOf(one).helps === "alone")) {
    // A mark asks for servers measured alone: further rounds by turns decide nothing, and are refused.
    assert.deepEqual([asked.code, /by servers measured alone/.test(asked.stderr)], [2, true], asked.stderr);
    return;
  }
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
  const elsewhere = await benchHere(site, ["settle", other]);
  assert.equal(elsewhere.code, 1, elsewhere.stdout);
  assert.match(elsewhere.stderr, /cannot be continued: the machine changed \(kernel/);

  const running = startBench(site, ["settle"]);
  await until("a further round", () => linesIn(site).length > first, running);
  const second = await benchHere(site, ["settle", name]);
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
  assert.equal((await benchHere(site, ["verify", name])).code, 0);
  const unfinished = await benchHere(site, ["settle", name]);
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
  const verified = await benchHere(site, ["verify", name]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  assert.deepEqual(summary.questions.map(({ looks }) => looks), [thresholds.looks.value]);
  const [after] = summary.families[0]!.comparisons as [Comparison];
  const sound = lines.filter(({ status }) => status === "ok").length;
  assert.ok(after.verdict === "no-verdict" || after.rounds === sound, JSON.stringify(after));

  const again = await benchHere(site, ["run", "--plan", join(site.results, name, "run.json"), "--dry-run", "--json"]);
  assert.equal(JSON.parse(again.stdout).schedule.length, lines.length, "its plan is measured whole elsewhere");
  const shown = await benchHere(site, ["show", name]);
  assert.equal(shown.code, 0, shown.stderr);
}

siteTest(
  "a run stopped by Ctrl-C goes on, and once it has ended is settled in further rounds, which go on, too",
  async (site) => {
    await settled(site, await stoppedAndResumed(site));
  },
);
