/** The reference runs of the repository: whole, true to their raw lines, and a measure of what is told while one waits. */
import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { textOf } from "../bench/record/cell.ts";
import { paceOf } from "../bench/plan/pace.ts";
import { scheduleOf } from "../bench/plan/schedule.ts";
import { REFERENCE } from "../bench/runs/find-reference.ts";
import { referenceName } from "./fixtures/reference-name.ts";
import { readPublishedRun } from "../bench/runs/published-run.ts";
import { readRun } from "../bench/runs/read-run.ts";
import { sealRun } from "../bench/runs/seal.ts";
import { publish } from "../bench/result/published.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { stepsAhead } from "../bench/plan/spare-rounds.ts";
import { SUITES } from "../suites/registry.ts";
import { benchHere } from "./command-line.ts";
import { onSite } from "./run-bench.ts";

const RESULTS = join(PROJECT_ROOT, "results");
const FIRST = SUITES[0]!.name;
const references = readdirSync(RESULTS).filter((name) => name.startsWith(REFERENCE));

test("each reference run is named by its suite and its kind of CPU, and each suite has one", () => {
  const runs = references.map((name) => ({ name, run: readRun(join(RESULTS, name)).run }));
  assert.deepEqual(references, runs.map(({ run }) => referenceName(run, FIRST)));
  const suites = runs.map(({ run }) => run.plan.suite.name);
  assert.deepEqual(SUITES.map(({ name }) => name).filter((name) => !suites.includes(name)), []);
});

test("everything a reference run publishes follows from its raw lines (LEVELFIELD_UPDATE_GOLDEN=1 publishes it anew)", async () => {
  for (const path of process.env["LEVELFIELD_UPDATE_GOLDEN"] === "1" ? references : []) {
    const { run, lines } = readRun(join(RESULTS, path));
    const { summary } = publish(run, lines);
    writeFileSync(join(RESULTS, path, "summary.json"), `${JSON.stringify(summary, null, 2)}\n`);
    sealRun(join(RESULTS, path));
  }
  await onSite(async (site) => {
    for (const name of references) {
      const ended = await benchHere(site, ["verify", join(RESULTS, name)]);
      assert.equal(ended.code, 0, ended.stdout + ended.stderr);
    }
  });
});

test("no reference run refutes what its suite expects", () => {
  for (const name of references) {
    const { checks } = readPublishedRun(join(RESULTS, name)).summary;
    assert.deepEqual(checks.filter(({ holds }) => holds === "no"), [], name);
  }
});

test("no title of a reference run is carried by half of its places or fewer, and none leaves out where its value loses", () => {
  let titles = 0;
  for (const name of references) {
    const { run } = readRun(join(RESULTS, name));
    const { families, cells, answer } = readPublishedRun(join(RESULTS, name)).summary;
    for (const { axis, title, parts: [main] } of answer.questions) {
      const of = run.plan.axes.find((one) => one.name === axis)!;
      const valueOf = (cell: string) => textOf(of, cells.find((one) => one.name === cell)!.cell.point.at);
      const named = new Set([...main!.claims, ...main!.untold].flatMap(({ value, over }) => [value, over]));
      const places = families.filter((family) => family.axis === axis).map(({ comparisons }) =>
        comparisons.map((one) => ({ verdict: one.verdict, over: valueOf(one.over), under: valueOf(one.under) }))
          .filter(({ over, under }) => named.has(over) && named.has(under))
      ).filter(({ length }) => length > 0);
      for (const pick of main!.picks) {
        titles++;
        const carried = places.filter((made) => {
          const own = made.filter(({ over, under }) => over === pick || under === pick);
          const outside = own.filter(({ over, under }) => !main!.picks.includes(over === pick ? under : over));
          const good = outside.filter(({ verdict, over }) =>
            verdict === "equivalent" || verdict === "faster" && over === pick
          );
          return 2 * good.length > outside.length && own.every((one) => one.verdict !== "faster" || one.over === pick);
        });
        assert.ok(2 * carried.length > places.length, `${name}, ${title}: ${answer.sentence}`);
        for (const { over } of places.flat().filter(({ verdict, under }) => verdict === "faster" && under === pick)) {
          assert.match(main!.sentence, new RegExp(`But .*${over} `), `${name}: ${over} is faster than ${pick}`);
        }
      }
    }
  }
  assert.ok(titles > 10, `${titles} values in titles`);
});

test("after the first round of a reference run, what was left is told within 20 %, and so after each later one", () => {
  const own = references.map((name) => ({ name, ...readRun(join(RESULTS, name)) }))
    .filter(({ name, run }) => name === referenceName(run, FIRST) && run.plan.suite.name === FIRST);
  assert.ok(own.length > 0, `there is no results/reference-KIND of suite ${FIRST}, only ${references.join(", ")}`);
  for (const { name, run, lines } of own) {
    const schedule = scheduleOf(run.plan);
    const pace = paceOf(run.plan);
    const endsAt = Date.parse(run.finished_at!);
    let seen = 0;
    for (const [n, line] of lines.entries()) {
      const step = schedule[line.index]!;
      assert.ok(n === 0 || line.index > lines[n - 1]!.index);
      pace.note(step, line.wall_ms);
      const next = lines[n + 1];
      if (next === undefined || next.round === line.round) continue;
      const left = endsAt - Date.parse(next.started_at);
      const told = pace.remainingMs(stepsAhead(run.plan, lines.slice(0, n + 1), schedule));
      assert.ok(Math.abs(told / left - 1) < 0.2, `${name}, step ${n}: told ${told} ms, left ${left} ms`);
      seen++;
    }
    assert.equal(seen, run.plan.rounds - 1, name);
  }
});
