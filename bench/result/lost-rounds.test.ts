/** Rounds that something voided: the reason is the commonest cause, with the server it came from. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { mark, type MarkCode } from "../record/mark.ts";
import type { Observation } from "../record/observation-record.ts";
import { scheduleFaults } from "./schedule-faults.ts";

/** A made-up run of three runtimes together with a twin, each alone in its first rounds, whose lines something happens to. */
function runWith(change: (line: Observation) => void) {
  const made = makeFixture({ stores: ["map"], sizes: [10_000], together: "plan" });
  for (const line of made.lines.filter(({ kind }) => kind === "ensemble")) change(line);
  return made;
}

/** Voids a load of servers together. */
function voided(line: Observation, ...codes: readonly MarkCode[]): void {
  Object.assign(line, { status: "invalid", marks: codes.map((code) => mark(code, `${code} is said`)) });
}

const isOf = (runtime: string) => ({ cell }: Observation["members"][number]) => cell.point.at["runtime"] === runtime;

/** Gives servers of a runtime error statuses in a load together. */
function shed(line: Observation, runtime: string): void {
  voided(line, "unexpected-status");
  const { load, members } = line;
  Object.assign(load!, { turn_ms: 100, errors: { ...load!.errors, status: 900 } });
  for (const member of members.filter(isOf(runtime))) member.failed = [0, 0, 900];
  const wrong = [{ times: 4, status: 503, body_bytes: 4, text: "status is 503" }];
  const beside = members.map((member) => ({
    ...{ sent: [], asked: 9, took_us: [] },
    wrong: isOf(runtime)(member) ? wrong : [],
  }));
  Object.assign(line, { beside });
}

test("the commonest cause of voided rounds is the reason, with its server and counts, and never the rounds of an A/A pair", () => {
  const { answer, noise_floor } = filesOf(runWith((line) => {
    shed(line, "bun");
    if (line.round < 3) line.marks.push(mark("contended", "others used 9.0 % of the servers' cores"));
    for (const { alone } of line.members) Object.assign(alone?.load?.errors ?? {}, { status: alone?.load?.requests });
  })).summary;
  assert.match(answer.sentence, /^No answer from this run: \S*bun\S* answered 503 in 6 of 6 rounds, alone, too\.$/);
  assert.doesNotMatch(JSON.stringify([answer, noise_floor.together]), /A\/A pair has/);
});

test("a core that was not full is the reason where that voided most rounds", () => {
  const { answer } = filesOf(runWith((line) => {
    Object.assign(line.counters!, { core_share: 0.72 });
    voided(line, ...(line.round === 0 ? ["contended"] as const : []), "core-not-full");
  })).summary;
  assert.match(
    answer.sentence,
    /^No answer from this run: the servers waited, and their core was busy only 72 % of the time in 6 of 6 rounds\.$/,
  );
});

test("a server that was left out names itself", () => {
  const { answer } = filesOf(runWith((line) => {
    const crashed = mark("server-crashed", "the server ended with exit 1");
    for (const member of line.members.filter(isOf("deno"))) member.marks = [crashed];
    Object.assign(line, { status: "failed", marks: [mark("too-few-servers", "only 1 of 4 servers")] });
  })).summary;
  assert.match(
    answer.sentence,
    /^No answer from this run: \S*deno\S*: the server ended with exit 1 \(6 of 6 rounds\)\.$/,
  );
});

test("servers that bear no halts are measured alone from then on, and the run says whose and why", () => {
  const made = runWith((line) => {
    if (line.round === 0) return shed(line, "bun");
    Object.assign(line, { load: null, latency: null, counters: null, warmup: null, windows: [], alone: true });
    for (const member of line.members) {
      Object.assign(member, { requests: null, cpu_ns: null, cpu_ns_per_request: null, parts: null });
      member.alone ??= structuredClone(made0.get(JSON.stringify(member.cell))!);
    }
  });
  assert.deepEqual(scheduleFaults(made.run, made.lines), []);
  const { summary } = filesOf(made);
  assert.ok(summary.families.flatMap(({ comparisons }) => comparisons).every(({ basis }) => basis === "solo"));
  assert.match(
    summary.answer.marks.map(({ text }) => text).join(),
    /After each halt \S*bun\S* answered 503, alone never: so servers were measured alone and are compared by rates\./,
  );
  const together = runWith((line) => line.round === 0 ? shed(line, "bun") : undefined);
  assert.equal(scheduleFaults(together.run, together.lines).length, 5, "their later rounds are not as planned");
});

/** A window alone of each cell. */
const made0 = new Map(
  makeFixture({ stores: ["map"], sizes: [10_000], together: "plan" }).lines.filter(({ kind }) => kind === "ensemble")
    .flatMap(({ members }) => members).flatMap(({ cell, alone }) =>
      alone === null ? [] : [[JSON.stringify(cell), alone] as const]
    ),
);
