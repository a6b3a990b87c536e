/** What is derived of a run's lines: verdicts, ranks, checks and cards, on made-up runs of two suites. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellKey } from "../bench/record/cell.ts";
import { compareRuns } from "../bench/result/compare-runs.ts";
import { type Observation, observationRecord } from "../bench/record/observation-record.ts";
import { publish } from "../bench/result/published.ts";
import { runRecord } from "../bench/record/run-record.ts";
import type { Summary } from "../bench/record/summary.ts";
import { faultsOfRun } from "../bench/result/verify.ts";
import { makeFixture, makeOddFixture, ODD } from "./fixtures/made-up-run.ts";
import { makePlausible, plausible } from "./fixtures/plausible-run.ts";
import { mark } from "../bench/record/mark.ts";
import { changed, shared, small, textsOf, together, valueOf, wholeRun } from "./fixtures/derived-run.ts";

const familiesOn = (summary: Summary, axis: string) => summary.families.filter((family) => family.axis === axis);

test("made-up runs are what their schemas say, so what is tested on them says something", () => {
  for (
    const { run, lines } of [
      makeFixture(),
      makeFixture({ ...small, together: "all" }),
      makeFixture({ ...small, together: "plan" }),
      makeOddFixture(),
    ]
  ) {
    assert.equal(runRecord.safeParse(run).error?.message, undefined);
    for (const line of lines) assert.equal(observationRecord.safeParse(line).error?.message, undefined);
  }
});

test("verdicts between runtimes rest on what was measured together where anything was, and find what was put in", () => {
  for (const together of ["two", "all", "plan"] as const) {
    const { summary } = wholeRun(makeFixture({ ...small, together }));
    const family = familiesOn(summary, "runtime").find(({ at }) => at["store"] === "sqlite")!;
    assert.equal(family.title, "sqlite, 10k users");
    assert.equal(family.comparisons.length, 3);
    for (const { basis } of family.comparisons) assert.equal(basis, "together");
    const bun = family.comparisons.find(({ over, under }) => over === "bun/sqlite/10k" && under === "node/sqlite/10k")!;
    // The fixture's node has 0.76 of the speed and its bun 1.02.
    assert.ok(bun.verdict === "faster", JSON.stringify(bun));
    const { interval: { low, high }, delta } = bun, ratio = 1.02 / 0.76;
    assert.ok(low * (1 - delta) < ratio && ratio < high * (1 + delta), JSON.stringify(bun));
    assert.deepEqual(family.ranking.at(-1)!.cells, ["node/sqlite/10k"]);
  }
});

test("a pair that a round holds twice, in different company, counts once a round", () => {
  const once = makeFixture({ ...small, together: "all" });
  const { plan } = once.run;
  const run = {
    ...once.run,
    plan: { ...plan, ensembles: [...plan.ensembles, ...makeFixture(small).run.plan.ensembles] },
  };
  const extra = makeFixture(small).lines.filter(shared).map((line) => ({ ...line, index: line.index + 1_000 }));
  const { families } = publish(run, [...once.lines, ...extra]).summary;
  const comparisons = families.filter(({ axis }) => axis === "runtime").flatMap((family) => family.comparisons);
  const rounds = comparisons.map((one) => one.verdict === "no-verdict" ? 0 : one.rounds);
  assert.deepEqual(rounds, Array(12).fill(6));
});

test("a cell with too many bad rounds gets no verdict, one with a bad round loses that round only", () => {
  const made = makeFixture(small);
  const spoilt = (rounds: readonly number[]) =>
    changed(
      made,
      (line) =>
        line.kind === "solo" && valueOf(line, "runtime") === "bun" && rounds.includes(line.round)
          ? { ...line, status: "failed", marks: [mark("server-crashed", "it ended")] }
          : line,
    );
  for (const [rounds, lost] of [[[2], false], [[1, 2], false], [[1, 2, 4], true]] as const) {
    for (
      const verdict of familiesOn(wholeRun(spoilt(rounds)).summary, "runtime").flatMap((family) => family.comparisons)
    ) {
      const bun = verdict.over.startsWith("bun/") || verdict.under.startsWith("bun/");
      assert.equal(verdict.verdict === "no-verdict", lost && bun, JSON.stringify(verdict));
    }
  }
  const flags = wholeRun(spoilt([2])).summary.cells.find(({ name }) => name === "bun/map/10k")!.marks;
  assert.ok(flags.some(({ code, text }) => code === "rounds-lost" && text.startsWith("1 of 6")), JSON.stringify(flags));
});

test("a plan's own run judges all its contrasts together, and nothing in it is worth a mark", () => {
  const { run, summary, published } = wholeRun(makeFixture({ ...small, together: "plan" }));
  assert.deepEqual(summary.marks, []);
  assert.equal(summary.noise_floor.together.kind, "agree");
  assert.equal(summary.noise_floor.solo.kind, "agree");
  assert.equal(together(summary).length, 2 * (6 + 3));
  for (const verdict of together(summary)) assert.notEqual(verdict.verdict, "no-verdict", JSON.stringify(verdict));
  // Rates are from the rounds in which each was measured alone as well.
  assert.deepEqual(published.cards.map(({ observations_ok }) => observations_ok), run.plan.cells.map(() => 4));
});

test("machines of half and twice the speed give the same verdicts, ranks, flags and answer", () => {
  for (const kind of ["two", "all", "plan"] as const) {
    const [half, one, twice] = [0.5, 1, 2].map((machine) => {
      const { summary } = wholeRun(makeFixture({ ...small, together: kind, machine }));
      return {
        verdicts: summary.families.flatMap(({ comparisons }) =>
          comparisons.map(({ over, under, verdict }) => [over, under, verdict])
        ),
        rankings: summary.families.map(({ ranking }) => ranking),
        flags: summary.cells.map(({ marks, steadiness }) => [marks.map(({ code }) => code), steadiness]),
        marks: summary.marks,
        picks: summary.answer.questions.map(({ parts }) => parts.map(({ picks, claims }) => [picks, claims.length])),
      };
    });
    assert.deepEqual(half, one, kind);
    assert.deepEqual(twice, one, kind);
  }
});

test("a run stopped anywhere sums up, and follows from what it has", () => {
  for (
    const made of [
      makePlausible({ ...small, sizes: [10_000], rounds: 2, together: "plan" }),
      plausible(makeOddFixture({ rounds: 1 })),
    ]
  ) {
    const run = { ...made.run, state: "interrupted" as const };
    for (let length = 0; length <= made.lines.length; length++) {
      const lines = made.lines.slice(0, length);
      const { files, summary } = publish(run, lines);
      assert.deepEqual(summary.marks.map(({ code }) => code), ["interrupted"]);
      const { rounds } = summary.answer;
      assert.ok(summary.marks[0]!.text.startsWith(`provisional, as of ${rounds} of ${run.plan.rounds} round`));
      const published = new Map([...files].map(([name, value]) => [name, JSON.parse(JSON.stringify(value))]));
      assert.deepEqual(faultsOfRun({ run, lines, published }), [], `${length} lines`);
    }
  }
});

test("what the suite expects holds in a run made to its measure, and a cell that falls is found", () => {
  const { summary } = wholeRun(makeFixture());
  assert.deepEqual(summary.checks.filter(({ holds }) => holds === "no"), []);
  const check = (name: string) => summary.checks.find((one) => one.name === name);
  assert.equal(check("node, linear: O(n) along Size")?.holds, "yes");
  const near = check("map and sqlite near each other: deno, 100k users");
  assert.ok(near?.holds === "yes" && /^map over sqlite: 1\.\d\d$/.test(near.seen), JSON.stringify(near));
  assert.equal(near.expected, "at most 2, published 1.27; 10 would mean that WAL did not take effect");
  const shown = check("what drizzle costs: bun, 1m users");
  assert.deepEqual([shown?.holds, shown?.expected], ["unknown", "shown only; the same engine below"]);
  assert.ok(!summary.checks.some(({ name }) => name.includes("@aa")));
  const fallen = changed(
    makeFixture(),
    (line) =>
      line.kind === "solo" && valueOf(line, "store") === "sqlite" && valueOf(line, "size") === 1_000_000
        ? { ...line, load: { ...line.load!, requests_per_second: line.load!.requests_per_second / 10 } }
        : line,
  );
  const found = wholeRun(fallen).summary.checks.filter(({ holds }) => holds === "no").map(({ name }) => name);
  assert.ok(found.includes("node, sqlite: O(log n) along Size"), found.join("; "));
  assert.ok(found.includes("map and sqlite near each other: node, 1m users"), found.join("; "));
});

test("scaling is only asked of lines whose values lie far enough apart", () => {
  assert.deepEqual(wholeRun(makeFixture({ stores: ["map"], sizes: [10_000, 50_000] })).summary.scaling, []);
});

test("points that cannot be have cards with their reason, and are no part of any comparison", () => {
  const { published, summary } = wholeRun(makeOddFixture());
  const none = published.cards.filter(({ status }) => status !== "ok");
  assert.deepEqual(none.map(({ status, observations }) => [status, observations]), [["unsupported", 6], [
    "unsupported",
    0,
  ]]);
  assert.deepEqual(none.map(({ marks }) => marks.map(({ code }) => code)), [["unsupported"], ["unsupported"]]);
  const names = none.map(({ name }) => name);
  for (const { comparisons, ranking, unranked } of summary.families) {
    assert.ok(comparisons.every(({ over, under }) => !names.includes(over) && !names.includes(under)));
    assert.deepEqual(unranked, []);
    assert.ok(ranking.every(({ cells }) => cells.every((cell) => !names.includes(cell))));
  }
});

test("a suite of any names is judged like any other: by axis, by hand, in ensembles and in pairs", () => {
  const { summary } = wholeRun(makeOddFixture());
  assert.equal(familiesOn(summary, ODD.engine).length, 4);
  assert.equal(familiesOn(summary, ODD.way).length, 5);
  const byHand = summary.families.filter(({ kind }) => kind === "pair");
  assert.equal(byHand.length, 1);
  assert.ok(byHand[0]!.title.includes(" against "));
  for (const verdict of summary.families.flatMap((family) => family.comparisons)) {
    assert.ok(verdict.verdict === "faster" && verdict.basis === "together", JSON.stringify(verdict));
  }
  // Each member of each ensemble is held against its company: two twins, a page of four, five pairs by axis, one by hand.
  assert.equal(summary.drifts.length, 2 + 4 + 5 * 2 + 2);
  const again = compareRuns(wholeRun(makeOddFixture()), wholeRun(makeOddFixture({ run: "later" })));
  assert.equal(again.cells.length, 10);
  assert.deepEqual([again.onlyOver, again.onlyUnder], [[], []]);
});

test("what may have moved a rate alone withholds verdicts within its size, and no others", () => {
  const made = makeFixture({ stores: ["linear", "map", "sqlite"], sizes: [10_000] });
  const alone = (summary: Summary) =>
    summary.families.flatMap(({ comparisons }) => comparisons).filter(({ basis }) => basis === "solo");
  const moved = (by: (line: Observation) => void) =>
    alone(
      wholeRun(changed(made, (line) => {
        if (line.kind === "solo" && valueOf(line, "runtime") === "node" && valueOf(line, "store") === "map") by(line);
        return line;
      })).summary,
    );
  const grows = (by: number) => ({ load }: Observation) => {
    const middle = (load!.sent_per_slot.length - 1) / 2;
    load!.sent_per_slot = load!.sent_per_slot.map((sent, n) => Math.round(sent * (1 + by * (n - middle) / middle)));
  };
  const share = (name: "steal_share" | "server_foreign_share", value: number) => ({ counters }: Observation) =>
    void (counters![name] = value);
  const still = alone(wholeRun(made).summary);
  for (
    const [by, why] of [
      [grows(0.25), /^node.map.10k: .* grew faster/],
      [grows(-0.25), /^node.map.10k: it grew slower/],
      [share("server_foreign_share", 0.08), /^node.map.10k: other processes used 8\.0 % of the server's cores/],
      [share("steal_share", 0.08), /^node.map.10k: the hypervisor took 8\.0 % of a core/],
    ] as const
  ) {
    for (const [n, verdict] of moved(by).entries()) {
      const [far, near] = [["linear", "map"], ["map", "sqlite"]].map((stores) =>
        stores.every((store) => [verdict.over, verdict.under].includes(`node/${store}/10k`))
      );
      if (!near) {
        assert.deepEqual(verdict, still[n], far ? "140 times as slow is so whatever moved it" : "another one");
      } else {
        assert.equal(still[n]!.verdict, "faster");
        assert.ok(verdict.verdict === "no-verdict", JSON.stringify(verdict));
        assert.match(textsOf(verdict), why);
      }
    }
  }
  assert.deepEqual(moved(share("server_foreign_share", 0.02)), still, "a tenth makes nobody of these the slower one");
});

test("lines of cells that were never planned change nothing that is published", () => {
  const { run, lines } = makeFixture(small);
  const stray = structuredClone(lines.find(({ kind }) => kind === "solo")!);
  stray.members[0]!.cell.point.at["size"] = 77;
  assert.ok(!run.plan.cells.some((cell) => cellKey(cell) === cellKey(stray.members[0]!.cell)));
  assert.deepEqual(publish(run, [...lines, stray]), publish(run, lines));
});
