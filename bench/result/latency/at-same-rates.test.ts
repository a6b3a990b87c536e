import assert from "node:assert/strict";
import { test } from "node:test";
import { makeRatedRun, plainText, type RateRunOptions } from "../../../tests/fixtures/rate-run.ts";
import { createRandom } from "../../basics/random.ts";
import { toCsv } from "../../exports/table.ts";
import { toMarkdown } from "../../exports/markdown.ts";
import { mark } from "../../record/mark.ts";
import { latencySpots } from "../../page/rate-drawings.ts";
import { latenciesOf } from "../../page/evidence.ts";
import { pageData } from "../../page/shown-run.ts";
import { publish } from "../published.ts";
import { rawFaults } from "../verify.ts";

const ENDED = mark("server-crashed", "the server ended with exit 7");
const WRONG = mark("wrong-answer", "it is wrong");
const BOTH = { runtimes: ["bun", "node"], rates: ["50%", "90%", 3_000], rounds: 7, limit: null } as const;
/** A wait that changes from round to round as all servers' do. */
const moving = (round: number) => 1 + 0.2 * (round * 5 % 7);
const runOf = (us: RateRunOptions["p99Us"], change: Partial<RateRunOptions> = {}) =>
  makeRatedRun({ ...BOTH, p99Us: us, ...change });
const loopOf = (us: RateRunOptions["p99Us"], change: Partial<RateRunOptions> = {}) =>
  runOf(us, change).summary.open_loop!;

test("cells are compared at shares of what the slowest can do, each rate the same for all and by turns", () => {
  const { lines, run } = runOf(() => 1_000, { closed: (runtime) => runtime === "bun" ? 20_000 : 10_000 });
  assert.deepEqual(rawFaults(run, lines), []);
  for (const { kind, round, members, windows = [] } of lines) {
    assert.equal(kind, "ensemble");
    const slowest = Math.min(...members.map(({ alone }) => alone!.load!.requests_per_second));
    for (const [rate, own] of Map.groupBy(windows, ({ at }) => at["rate"])) {
      const due = typeof rate === "number" ? rate : Math.round(Number.parseFloat(String(rate)) / 100 * slowest);
      assert.deepEqual(own.map(({ per_second }) => per_second), [due, due]);
      assert.deepEqual(own.map(({ member }) => member), round % 2 === 0 ? [0, 1] : [1, 0]);
    }
    assert.equal(windows.length, 6);
  }
});

test("a window that another server should have had, at another rate, or too few of them are faults", () => {
  const { lines, run } = runOf(() => 1_000);
  const faultsAfter = (change: (windows: NonNullable<typeof lines[number]["windows"]>) => unknown) => {
    const [first, ...others] = structuredClone(lines);
    change(first!.windows!);
    return rawFaults(run, [first!, ...others]).filter((fault) => fault.includes("is not the one that follows"));
  };
  assert.deepEqual(faultsAfter(() => {}), []);
  assert.equal(faultsAfter((windows) => windows[2]!.member = 1 - windows[2]!.member!).length, 1);
  assert.equal(faultsAfter((windows) => windows[3]!.per_second! += 1).length, 1);
  assert.equal(faultsAfter((windows) => windows.pop()).length, 1);
  assert.equal(faultsAfter((windows) => windows.push(windows[0]!)).length, 1);
});

test("a sentence for each rate has both waits and by how much they differ, the first names who waits less", () => {
  const { open_loop, answer } =
    runOf((_, runtime, round) => (runtime === "bun" ? 1_000 : 1_300) * moving(round)).summary;
  assert.deepEqual(open_loop!.sentences, ["bun waits less than node at all 3 rates (p99 of node 1.30 ×)"]);
  assert.ok(answer.sentence.startsWith(`${open_loop!.sentences[0]}; bun/map/10k at 3k/s 99 % wait`), answer.sentence);
  assert.match(
    open_loop!.rates[0]!.sentence,
    /^At 3k\/s: p99 bun 2\.2 ms, node 2\.9 ms, node 1\.30 × bun \[1\.29–1\.31\]; p50 bun 0\.8 ms, node 1 ms, node 1\.30 × bun/,
  );
  const { p99: [one] } = open_loop!.rates[0]!;
  assert.deepEqual([one!.basis, one!.over, one!.under, one!.verdict], [
    ...["waits", "bun/map/10k/3k", "node/map/10k/3k", "faster"],
  ]);
});

test("a winner is named only where it wins at more than half of the rates, with every rate it does not", () => {
  const sentence = (bun: (perSecond: number) => number, rates: RateRunOptions["rates"] = BOTH.rates) =>
    loopOf((perSecond, runtime, round) => 1_000 * moving(round) * (runtime === "bun" ? bun(perSecond) : 1), { rates })
      .sentences;
  assert.match(
    sentence((rate) => rate > 8_000 ? 1.5 : 0.5)[0]!,
    /^bun waits less than node at 3k\/s and 4\.9\dk\/s \(p99 of node 2\.00 ×\), node less at 8\.\d+k\/s \(p99 of bun 1\.50 ×\)$/,
  );
  assert.match(
    sentence((rate) => rate > 8_000 ? 0.5 : 1)[0]!,
    /^bun and node: not decided: equal within 2 % at 3k\/s and .*, bun less at 8\.\d+k\/s \(p99 of node 2\.00 ×\)$/,
  );
  assert.match(sentence(() => 1)[0]!, /^bun and node: equal within 2 % at all 3 rates$/);
  assert.match(
    sentence((rate) => rate > 8_000 ? 0.5 : 1, ["50%", "90%"])[0]!,
    /^bun and node: not decided: equal within 2 % at 4\.9\dk\/s, bun less at 8\.\d+k\/s \(/,
  );
});

test("a server that answered wrongly loses its own windows, and the others keep theirs", () => {
  const { cards } = runOf(() => 1_000, {
    change: (line) => ({
      ...line,
      members: line.members.map((member, n) => n === 0 && line.round === 2 ? { ...member, marks: [WRONG] } : member),
    }),
  });
  const counts = (runtime: string) =>
    cards.filter(({ name }) => name.startsWith(runtime)).map((card) => card.observations_ok);
  assert.deepEqual([counts("bun"), counts("node")], [[6, 6, 6, 6], [7, 7, 7, 7]]);
});

test("a server that ends in its windows keeps those it had, and its closed loop says why it has no more", () => {
  const { run, lines, cards } = runOf(() => 1_000, {
    change: (line) => ({
      ...line,
      members: line.members.map((member, n) => n === 0 ? { ...member, marks: [ENDED] } : member),
      windows: line.windows!.filter(({ member, at }) => member !== 0 || at["rate"] === line.windows![0]!.at["rate"]),
    }),
  });
  assert.deepEqual(rawFaults(run, lines), []);
  const [closed, ...others] = cards.filter(({ name }) => name.startsWith("bun"));
  assert.deepEqual([closed!.observations_ok, closed!.marks.map(({ code }) => code)], [0, ["server-crashed"]]);
  assert.equal(others.reduce((sum, card) => sum + card.observations_ok, 0), lines.length);
});

test("cells that were measured each by itself are not compared, and it says so", () => {
  const { run, lines } = runOf(() => 1_000);
  const plan = { ...run.plan, ensembles: [], solo: run.plan.ensembles[0]!.cells.map((cell) => ({ cell, rounds: 7 })) };
  const { open_loop, answer } = publish({ ...run, plan }, lines).summary;
  assert.deepEqual([open_loop!.rates, open_loop!.sentences.length], [[], 1]);
  assert.match(answer.sentence, /^cells are not compared: none has its windows in turn with another; bun/);
});

test("two late windows of seven cost themselves, a third one takes the quantile of the cell", () => {
  const after = (late: number) => {
    const { cards, summary } = runOf(() => 1_000, {
      change: (line) => ({
        ...line,
        windows: line.windows!.map((window) => {
          if (line.round >= late || window.member !== 0) return window;
          return { ...window, load: { ...window.load!, lateness: { ...window.load!.lateness!, p99_us: 500 } } };
        }),
      }),
    });
    const card = cards.find(({ name }) => name === "bun/map/10k/3k")!;
    return [card.p99_us, summary.open_loop!.rates[0]!.p99[0]!.verdict];
  };
  assert.deepEqual(after(1), [1_000, "no-verdict"]);
  assert.deepEqual(after(2)[0], 1_000);
  assert.deepEqual(after(3), [null, "no-verdict"]);
});

test("pairs of many cells are judged by one error rate, a few are named and the others counted", () => {
  const us: RateRunOptions["p99Us"] = (_, runtime, round) => 1_000 * moving(round) * (runtime === "node" ? 1.5 : 1);
  const { open_loop: loop } = runOf(us, { runtimes: ["bun", "deno", "node"], rounds: 8 }).summary;
  assert.ok(loop!.rates.every(({ p99 }) => p99.length === 3 && p99.every(({ verdict }) => verdict === "no-verdict")));
  assert.match(loop!.sentences[0]!, /8 of the 9 rounds a verdict needs/);
  const { open_loop: enough } = runOf(us, { runtimes: ["bun", "deno", "node"], rounds: 9 }).summary;
  assert.equal(enough!.sentences.filter((text) => / waits less than node at all 3 rates/.test(text)).length, 2);
  assert.match(enough!.rates[0]!.sentence, /node 1\.50 × bun \[.*, bun and deno equal within 2 %;/);
});

test("lateness of the generator withholds a quantile, what is compared by it and what a limit says, in every output", () => {
  const random = createRandom(20_261_127);
  const seen = new Set<string>();
  for (let n = 0; n < 40; n++) {
    const late: Record<string, number> = { bun: 10 ** (1 + 3 * random()), node: 10 ** (1 + 3 * random()) };
    const us: Record<string, number> = { bun: 10 ** (3 + random()), node: 10 ** (3 + random()) };
    const made = runOf((_, runtime) => Math.round(us[runtime]!), {
      limit: n % 2 === 0 ? "p99<10ms" : null,
      lateUs: (runtime) => Math.round(late[runtime]!),
      answered: (perSecond) => perSecond > 9_500 ? 0.9 : 1,
    });
    const { run, lines, summary, cards } = made;
    const isLate = (runtime: string) => Math.round(late[runtime]!) > 0.1 * Math.round(us[runtime]!);
    const files = { run, summary, cells: cards, lines };
    const rows = toCsv(files).trim().split("\n").map((line) => line.split(","));
    const [p99, name] = ["p99_us", "name"].map((head) => rows[0]!.indexOf(head));
    const { solos } = pageData([files]).runs[0]!;
    for (const cell of summary.latency!) {
      const runtime = cell.name.split("/")[0]!, held = isLate(runtime);
      seen.add(`${held} ${n % 2}`);
      const own = cards.filter((card) => cell.at_rates.includes(card.name));
      assert.ok(own.every((card) => (card.p99_us === null) === held), cell.name);
      assert.ok(latencySpots(cell, own).every((spot) => (spot.us === null) === held || spot.kind !== "rate"));
      assert.equal(/99 % wait at most/.test(cell.sentence), !held, cell.sentence);
      assert.equal(/sent late/.test(cell.sentence), held, cell.sentence);
      if (held) assert.doesNotMatch(cell.sentence, /is not held$|holds the limit of 10 ms[^i]*$/);
      assert.ok((cell.knee?.steps ?? []).every((step) => !held || step.holds === null && step.us === null));
      const windows = rows.filter((row) => row[0] === "alone" && cell.at_rates.includes(row[name!]!));
      assert.ok(windows.length > 0 && windows.every((row) => (row[p99!] === "") === held));
      for (const at of cell.at_rates) {
        assert.equal(latenciesOf(solos.get(at)!).length === 0, held);
        const marks = summary.cells.find((each) => each.name === at)!.marks.map(({ code }) => code);
        assert.deepEqual(marks, held ? ["generator-late"] : []);
      }
    }
    const held = ["bun", "node"].some(isLate);
    for (const { p99: [one] } of summary.open_loop!.rates) {
      assert.equal(one!.verdict === "no-verdict" && one!.marks[0]!.code === "generator-late", held);
    }
    for (const text of [plainText(made), toMarkdown(files)]) {
      assert.equal(text.includes("void: the generator was late for"), held);
    }
    assert.equal(summary.answer.sentence.includes("the generator was late for"), held);
  }
  assert.equal(seen.size, 4);
});
