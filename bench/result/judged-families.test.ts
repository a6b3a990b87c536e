import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture, measureApart } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { plansVerdict } from "../plan/families.ts";
import { AA } from "../record/cell.ts";
import { isDecided } from "../record/verdicts.ts";

test("a server that works on after its replies has no verdict against those measured together with it, and that is the reason", () => {
  const run = makeFixture({ stores: ["map"], sizes: [10_000], runtimes: ["node", "bun"], together: "all" });
  assert.ok(filesOf(run).summary.families.some(({ comparisons }) => comparisons.some(isDecided)));
  for (const { members } of run.lines) {
    for (const member of members) {
      if (member.cell.point.at["runtime"] !== "bun" || member.cpu_ns === null) continue;
      const later = { cpu_ns: 18 * member.cpu_ns, ms: 10_000, rested: false, idle_share: 0, in_flight: 0 };
      Object.assign(member, { later: { ...later, bytes: [null, null] } });
    }
  }
  const { families, answer } = filesOf(run).summary;
  assert.deepEqual(families.flatMap(({ comparisons }) => comparisons.map(({ verdict }) => verdict)), ["no-verdict"]);
  assert.match(
    answer.sentence,
    /^No answer from this run: bun\S*: at least 18 times as much CPU was used after the replies as before them, in \d+ observations, and it had not come to rest after 10 s: work outlives the reply, or a timer goes on\.$/,
  );
});

test("a server that time gives work has no verdict by turns, and is measured alone from then on", () => {
  const run = makeFixture({ stores: ["map"], sizes: [10_000], runtimes: ["node", "bun"], together: "all" });
  const shared = run.lines.filter(({ kind }) => kind === "ensemble");
  for (const { load, members } of shared) {
    Object.assign(load!, { turn_ms: 100, lead_in_ms: 50 });
    for (const member of members) {
      const share = member.cell.point.at["runtime"] === "bun" ? 0.1 : 0.45;
      const lead_in = { cpu_ns: member.cpu_ns! / 2, requests: Math.round(share * member.requests!) };
      Object.assign(member, { lead_in });
    }
  }
  const [comparison] = filesOf(run).summary.families.flatMap(({ comparisons }) => comparisons);
  assert.ok(comparison!.verdict === "no-verdict");
  const [told] = comparison!.marks.filter(({ code }) => code === "timed-work");
  assert.match(
    told!.text,
    /^a request to bun\S* costs 5\.0 × as much right after a halt, which does not count, as later:/,
  );
  // A step later it is known, and no round by turns is left.
  measureApart(run, shared.filter(({ round }) => round > 0));
  const { answer, families } = filesOf(run).summary;
  const [alone] = families.flatMap(({ comparisons }) => comparisons);
  assert.ok(alone!.basis === "solo" && isDecided(alone!) && Math.abs(alone!.ratio! - 1.34) < 0.03);
  assert.match(answer.sentence, /^Runtime: bun, at least 1\.3 × node\. Measured one at a time/);
  assert.match(
    answer.marks.find(({ code }) => code === "halts")!.text,
    /^By turns a request to bun\S* costs 5\.0 × .*: so servers were measured alone and are compared by rates\.$/,
  );
});

test("a server whose cost grows without end has no verdict, that is the reason, and a cold cache is a mark of its cell", () => {
  const run = makeFixture({ stores: ["map"], sizes: [10_000], runtimes: ["node", "bun"], together: "all" });
  for (const { members } of run.lines) {
    for (const member of members.filter(({ requests }) => requests !== null)) {
      const grows = member.cell.point.at["runtime"] === "bun";
      const costs = Array.from({ length: 48 }, (_, n) => 10_000 * (grows ? Math.sqrt(1 + n) : 1));
      const warmup = {
        ...{ ended: "most", duration_us: 12_000_000, requests: 100_000, slice_ms: 250, judged_slices: 48 },
        ...{ slices: [costs.map((cost) => [1e8 / cost, 1e8])], steadiness: ["moving"], changes: [0.1] },
      };
      const parts = [0, 1].map(() => ({ requests: 1e8 / costs.at(-1)!, cpu_ns: 1e8 }));
      const drawn = [{ name: "id", values: 200_000, draws: 11_873, repeated: 0.06 }];
      Object.assign(member, { warmup, parts, ...(grows ? {} : { drawn }) });
    }
  }
  const { families, answer, cells } = filesOf(run).summary;
  assert.deepEqual(families.flatMap(({ comparisons }) => comparisons.map(({ verdict }) => verdict)), ["no-verdict"]);
  assert.match(
    answer.sentence,
    /^No answer from this run: bun\S*: its cost grows without end: .*µs a request at first, .*µs in the last window, in \d+ of \d+ rounds; no figure exists\.$/,
  );
  assert.equal(answer.settle?.helps, "limited", JSON.stringify(answer.settle));
  const codesOf = (runtime: string) =>
    cells.find(({ cell }) => cell.point.at["runtime"] === runtime)!.marks.map(({ code }) => code);
  assert.ok(codesOf("bun").includes("cost-grows") && !codesOf("bun").includes("never-steady"), codesOf("bun").join());
  assert.ok(codesOf("node").includes("never-steady") && codesOf("node").includes("cold-cache"), codesOf("node").join());
  assert.ok(!answer.marks.some(({ code }) => code === "cold-cache"), "the answer names it for servers of a user alone");
});

test("with --like only servers that use their services alike are compared", () => {
  const made = (like: boolean) => {
    const run = makeFixture({ stores: ["map"], sizes: [10_000], runtimes: ["node", "bun", "deno"], together: "all" });
    if (like) Object.assign(run.run.plan, { like: true });
    for (const line of run.lines.filter(({ kind }) => kind === "solo")) {
      const [{ server, cell }] = line.members as [typeof line.members[number]];
      const trips = cell.point.at["runtime"] === "bun" ? 2 : 1;
      Object.assign(server!, { services: [{ name: "db", version: "1", facts: {}, cpus: [0], startup_ms: 1 }] });
      const use = { name: "db", requests: 10, cpu_ns: 1, counts: { round_trips: 10 * trips } };
      Object.assign(line, { services: [[use]] });
    }
    return filesOf(run).summary.families.flatMap(({ comparisons }) => comparisons);
  };
  assert.ok(made(false).every(isDecided));
  const apart = made(true);
  assert.equal(apart.filter(isDecided).length, 1, "node and deno");
  assert.ok(
    apart.some((one) => one.verdict === "no-verdict" && /unlike use: .*2 round trips/.test(one.marks[0]!.text)),
  );
});

test("values that a plan has neither together nor alone in rounds enough are not compared, and that is said", () => {
  const run = makeFixture({ stores: ["map", "drizzle"], sizes: [10_000], runtimes: ["node", "bun"], together: "all" });
  const { plan } = run.run;
  const of = (runtime: string) =>
    plan.cells.flatMap(({ point, label }, place) => point.at["runtime"] === runtime && label !== AA ? [place] : []);
  const [node, bun] = [of("node"), of("bun")];
  const across = [node[0]!, bun[0]!];
  const together = (rounds: number, ...members: number[][]) => ({
    ...plan,
    solo: [],
    ensembles: members.map((cells) => ({ purpose: "matrix" as const, cells, rounds })),
  });
  const apart = together(4, node, bun);
  assert.ok(plansVerdict(apart, node));
  assert.ok(!plansVerdict(apart, across), "each in an ensemble, and in no common one");
  assert.ok(plansVerdict(together(4, across), across));
  assert.ok(!plansVerdict(together(2, across), across));
  assert.ok(plansVerdict({ ...apart, solo: across.map((cell) => ({ cell, rounds: 3 })) }, across));
});
