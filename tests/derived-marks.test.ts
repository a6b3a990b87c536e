/** What speaks against a run, its cells and its comparisons: marks that follow from lines, on made-up runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Mark } from "../bench/record/outcome-schema.ts";
import { judgeCell, steadinessOf } from "../bench/judge/judge-cell.ts";
import { solosOf } from "../bench/judge/lines.ts";
import type { Observation } from "../bench/record/observation-record.ts";
import { makeFixture } from "./fixtures/made-up-run.ts";
import { mark } from "../bench/record/mark.ts";
import { changed, shared, small, textsOf, together, valueOf, wholeRun } from "./fixtures/derived-run.ts";

test("each cell is held against the ceiling of its own kind of request", () => {
  const made = makeFixture(small);
  const low = changed(
    made,
    (line) =>
      line.kind === "ceiling" && valueOf(line, "size") === 1_000_000
        ? { ...line, load: { ...line.load!, requests_per_second: 60_000 } }
        : line,
  );
  for (const { cell, marks } of wholeRun(low).summary.cells) {
    const { at } = cell.point;
    const near = at["store"] === "map" && at["size"] === 1_000_000 && at["runtime"] !== "node";
    assert.equal(marks.some(({ code }) => code === "near-ceiling"), near, JSON.stringify(cell));
  }
});

test("a run that finds a cell different from itself is marked, and judges nothing", () => {
  const biased = changed(makeFixture(small), (line) => {
    const [a, b] = line.members;
    if (b?.cell.label === "aa") b.cpu_ns_per_request = a!.cpu_ns_per_request! * (1.2 + 0.001 * line.round);
    return line;
  });
  const { summary } = wholeRun(biased);
  assert.equal(summary.noise_floor.together.kind, "different");
  assert.ok(summary.marks.some(({ code }) => code === "aa-different"));
  assert.ok(together(summary).length > 0);
  for (const verdict of together(summary)) assert.equal(verdict.verdict, "no-verdict");
});

test("where others voided every round of the A/A pair, that is why the noise floor is not known", () => {
  const reason = mark("contended", "others had the cores");
  const voided = changed(
    makeFixture(small),
    (line) => shared(line) ? { ...line, status: "invalid", marks: [reason] } : line,
  );
  assert.deepEqual(wholeRun(voided).summary.noise_floor.together, {
    kind: "unknown",
    mark: mark("contended", "others had the cores in 6 of 6 rounds"),
  });
});

test("a machine whose ceilings all sink is marked; that kinds of request have ceilings of their own is no drift", () => {
  const marksAt = (rate: (line: Observation) => number) =>
    wholeRun(
      changed(makeFixture(small), (line) =>
        line.kind === "ceiling" ? { ...line, load: { ...line.load!, requests_per_second: rate(line) } } : line),
    ).summary
      .marks.map(({ code }) =>
        code
      );
  const kind = (line: Observation) => valueOf(line, "size") === 10_000 ? 1 : 2;
  assert.deepEqual(marksAt((line) => kind(line) * (130_000 - 4_000 * line.round)), ["ceiling-drift"]);
  assert.deepEqual(marksAt((line) => kind(line) * line.load!.requests_per_second), []);
});

test("a pair of which one server was not warm gets no verdict that this may have moved, and says which and by how much", () => {
  for (const kind of ["two", "all", "plan"] as const) {
    const made = makeFixture({ ...small, stores: ["map"], together: kind });
    const seen = (share: (round: number) => number) =>
      wholeRun(changed(made, (line) => {
        for (const { cell, parts } of shared(line) ? line.members : []) {
          if (cell.point.at["runtime"] === "bun" && parts) parts[0].cpu_ns *= 1 + share(line.round);
        }
        return line;
      })).summary;
    const warming = seen((round) => 0.06 + 0.005 * round);
    const cold = warming.drifts.filter(({ cell }) => cell.startsWith("bun/"));
    assert.ok(cold.length > 0);
    for (const { change, steadiness } of cold) {
      assert.equal(steadiness, "moving");
      assert.ok(-0.09 < change! && change! < -0.05, String(change));
    }
    const warm = together(wholeRun(made).summary);
    const [little, much] = [/by [5-9]\.\d % inside/, /by [3-5]\d\.\d % inside/];
    for (
      const [summary, reach, told] of [[warming, 0.1, little], [seen((round) => 0.7 + 0.01 * round), 9, much]] as const
    ) {
      for (const [n, verdict] of together(summary).entries()) {
        const undoubted = warm[n]!;
        assert.ok(undoubted.verdict !== "no-verdict");
        const withCold = verdict.over.startsWith("bun/") || verdict.under.startsWith("bun/");
        const moved = withCold && Math.abs(Math.log(undoubted.ratio)) < reach;
        assert.equal(verdict.verdict === "no-verdict", moved, JSON.stringify(verdict));
        if (verdict.verdict !== "no-verdict") continue;
        assert.match(textsOf(verdict), /bun.* still grew cheaper against /);
        assert.match(textsOf(verdict), told);
      }
    }
    // As large in single rounds, but as often the other way round: noise.
    const noisy = seen((round) => (round % 2 === 0 ? 0.1 : -0.1) + 0.001 * round);
    assert.ok(noisy.drifts.every(({ steadiness }) => steadiness !== "moving"), JSON.stringify(noisy.drifts));
    for (const verdict of together(noisy)) assert.notEqual(verdict.verdict, "no-verdict", JSON.stringify(verdict));
  }
});

test("a server still seen to change when most windows began gets no verdict, and the reason names it", () => {
  const made = makeFixture({ ...small, together: "plan" });
  const after = (rounds: number) =>
    wholeRun(changed(made, (line) => {
      if (!shared(line) || line.round >= rounds) return line;
      // Curves are in the order of the members, whichever had which of the generator's threads.
      line.warmup!.steadiness = line.members.map((_, place) =>
        valueOf(line, "runtime", place) === "bun" ? "moving" : "flat"
      );
      return line;
    })).summary;
  for (const verdict of together(after(4))) {
    const restless = [verdict.over, verdict.under].filter((name) => name.startsWith("bun/"));
    assert.equal(verdict.verdict === "no-verdict", restless.length > 0, JSON.stringify(verdict));
    if (verdict.verdict !== "no-verdict") continue;
    const reason = `${restless[0]} was still changing against the others when 4 of 6 windows began`;
    assert.ok(verdict.marks.some(({ text }) => text === reason), textsOf(verdict));
  }
  for (const verdict of together(after(3))) assert.notEqual(verdict.verdict, "no-verdict", JSON.stringify(verdict));
});

const contended = mark("contended", "others used 40 % of the servers' cores");

test("a run in which others had the machine for more than a third of its observations is marked", () => {
  const made = makeFixture({ ...small, together: "plan" });
  const marksAt = (rounds: number, alone: boolean) =>
    wholeRun(changed(made, (line) => {
      if (!shared(line) || line.round >= rounds) return line;
      if (alone) line.members[0]!.alone?.marks.push(contended);
      return alone ? line : { ...line, status: "invalid", marks: [contended] };
    })).summary.marks;
  assert.deepEqual(marksAt(2, false), []);
  const [own, ...others] = marksAt(3, false);
  assert.deepEqual([own!.code, others], ["machine-contended", []]);
  assert.match(own!.text, /in 6 of 12 observations others had the machine: others used 40 %/);
  const shares = changed(made, (line) => {
    const server_foreign_share = 0.06 + line.round / 10;
    return shared(line) ? { ...line, marks: [contended], counters: { ...line.counters!, server_foreign_share } } : line;
  });
  assert.match(
    wholeRun(shares).summary.marks[0]!.text,
    /machine: others used 6\.0 % to 56\.0 % of the servers' cores$/,
  );
  assert.deepEqual(marksAt(2, true), []);
  assert.deepEqual(marksAt(3, true).map(({ code }) => code), ["machine-contended"]);
});

test("what others took from a cell alone takes its rate, not what it did beside the others", () => {
  const made = makeFixture({ ...small, together: "plan" });
  const toldWith = (reason: Mark) => {
    const { summary, published } = wholeRun(changed(made, (line) => {
      if (shared(line) && line.round < 2) line.members[0]!.alone?.marks.push(reason);
      return line;
    }));
    return {
      marked: published.cards.filter(({ status }) => status === "invalid").length,
      decided: together(summary).filter(({ verdict }) => verdict !== "no-verdict").length,
      ranked: summary.families.flatMap(({ ranking }) => ranking.flatMap(({ cells }) => cells)).length,
    };
  };
  const all = together(wholeRun(made).summary).length;
  const disturbed = toldWith(contended);
  assert.ok(disturbed.marked > 0);
  assert.equal(disturbed.decided, all);
  const faulty = toldWith(mark("claim-contradicted", "a made-up fault"));
  assert.equal(faulty.marked, disturbed.marked);
  assert.ok(faulty.decided < all, "its own fault is held against it");
  assert.ok(faulty.ranked < disturbed.ranked);
});

test("a rate above what the generator can do is marked: one of the two is wrong", () => {
  const made = makeFixture(small);
  const low = (share: number) =>
    wholeRun(changed(made, (line) => {
      if (line.kind !== "ceiling" || valueOf(line, "size") !== 10_000) return line;
      return { ...line, load: { ...line.load!, requests_per_second: share * 68_000 } };
    })).summary.marks.filter(({ code }) => code === "above-ceiling");
  assert.deepEqual(low(1.1), []);
  assert.deepEqual(low(0.9).map(({ text }) => /of (\S+) is/.exec(text)?.[1]), ["deno/map/10k", "bun/map/10k"]);
  // A ceiling that was not the generator's lies higher, so it contradicts nothing.
  const served = changed(made, (line) => {
    if (line.kind !== "ceiling") return line;
    return { ...line, bound: "neither", load: { ...line.load!, requests_per_second: 1_000 } };
  });
  assert.deepEqual(wholeRun(served).summary.marks, []);
});

test("a pair of which each is beyond doubt the cheaper one once, together or alone, is marked", () => {
  const made = makeFixture({ ...small, together: "plan" });
  const turned = (factor: number, rounds: number) =>
    wholeRun(changed(made, (line) => {
      for (const { cell, alone } of line.round < rounds ? line.members : []) {
        if (cell.point.at["runtime"] !== "node" || alone === null) continue;
        alone.counters!.server_cpu_ns_per_request! *= factor;
        alone.counters!.server_cpu_ns! *= factor;
      }
      return line;
    })).summary.marks.filter(({ code }) => code === "parts-disagree");
  assert.deepEqual(turned(1, 4), []);
  assert.deepEqual(turned(0.78, 4), [], "as good as equal alone");
  const [own] = turned(0.5, 4);
  assert.match(own!.text, /is cheaper than node\/.* beside it and dearer alone/);
  assert.deepEqual(turned(0.5, 3), [], "one round alone says otherwise");
});

test("windows that grow faster to their end are called warming up, over several rounds only", () => {
  const { lines } = makeFixture(small);
  const solo = lines.filter(({ kind }) => kind === "solo").flatMap(solosOf)[0]!;
  const withSlots = (slots: number[]) => ({ ...solo, load: { ...solo.load!, sent_per_slot: slots } });
  const rising = withSlots([...Array(10).fill(5_000), ...Array(10).fill(5_500), ...Array(11).fill(6_000)]);
  const flat = withSlots(Array(31).fill(6_000));
  assert.equal(steadinessOf([rising, rising, rising]), "warming-up");
  assert.equal(steadinessOf([flat, flat, flat]), "flat");
  const connecting = withSlots([3_000, ...Array(30).fill(6_000)]);
  assert.equal(steadinessOf([connecting, connecting, connecting]), "flat", "making connections is no warm-up");
  assert.equal(
    steadinessOf([flat, rising, flat]),
    "unknown",
    "one round of three is noise, and noise never makes flat",
  );
  assert.equal(steadinessOf([rising, rising]), "unknown");
  assert.equal(steadinessOf([withSlots([10, 20]), withSlots([]), withSlots([10])]), "unknown");
  const stolen = { ...solo, counters: { ...solo.counters!, steal_share: 0.02, server_foreign_share: 0.05 } };
  const codes = judgeCell([stolen, stolen, stolen], 0, {
    perSecond: solo.load!.requests_per_second,
    bound: "generator",
  }).map((flag) => flag.code);
  for (const code of ["near-ceiling", "steal", "foreign-cpu"]) assert.ok(codes.includes(code as never), codes.join());
});
