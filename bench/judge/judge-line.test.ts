import assert from "node:assert/strict";
import { test } from "node:test";
import { makePlausible } from "../../tests/fixtures/plausible-run.ts";
import { givenCpus } from "../plan/workers.ts";
import { mark } from "../record/mark.ts";
import type { Observation } from "../record/observation-record.ts";
import { judgeLine } from "./judge-line.ts";

const { run, lines } = makePlausible({ stores: ["map"], sizes: [10_000], rounds: 2, together: "plan" });
const given = givenCpus(run, lines[0]!.members[0]!.cell);
const shared = lines.find(({ members }) => members.length > 1)!;
const judged = (change: (line: Observation) => void) => {
  const line = structuredClone(shared);
  change(line);
  return judgeLine(line, given);
};
const codes = (marks: Observation["marks"]) => marks.map(({ code }) => code);

test("a sound line is ok, however it was called before, and judging it again changes nothing", () => {
  const line = judged((changed) => changed.marks = [mark("contended", "others had it"), mark("timeouts", "late")]);
  assert.deepEqual([line.status, line.marks], ["ok", []]);
  assert.deepEqual(judgeLine(line, given), line);
});

test("what happened stays told beside what figures give", () => {
  const line = judged((changed) => {
    changed.marks = [mark("wrong-answer", "another user")];
    changed.counters!.steal_share = 0.5;
  });
  assert.deepEqual([line.status, codes(line.marks)], ["invalid", ["wrong-answer", "contended"]]);
  assert.equal(judged((changed) => changed.marks = [mark("server-crashed", "it ended")]).status, "failed");
});

test("a line without a load keeps what it was told: no figure says more", () => {
  const line = judged((changed) => Object.assign(changed, { load: null, marks: [mark("wrong-affinity", "astray")] }));
  assert.deepEqual(codes(line.marks), ["wrong-affinity"]);
});

test("each server together is judged by what it answered and by its CPU time, and what it did alone by itself", () => {
  const line = judged(({ members: [first, second] }) => {
    first!.requests = 3;
    second!.cpu_ns = null;
    second!.alone!.load!.errors.timeout = 2;
  });
  assert.deepEqual(line.members.slice(0, 2).map(({ marks }) => codes(marks)), [["too-few-requests"], [
    "cpu-unreadable",
  ]]);
  assert.ok(codes(line.members[1]!.alone!.marks).includes("timeouts"));
  assert.equal(line.status, "ok", "the others are compared all the same");
});

test("the generator's ceiling is nobody's: others' work beside it voids nothing", () => {
  const ceiling = structuredClone(lines.find(({ kind }) => kind === "ceiling")!);
  ceiling.counters!.steal_share = 0.5;
  assert.deepEqual(judgeLine(ceiling, given).marks, []);
});

test("a call that costs less than its loop is left out, together and alone; a request of the same cost is another fault", () => {
  const folded = (calls: true | undefined) =>
    judged((changed) => {
      const [first, second] = changed.members;
      changed.load!.calls = calls;
      Object.assign(first!, { cpu_ns: first!.requests! * 1.2, cpu_ns_per_request: 1.2 });
      second!.alone!.load!.calls = calls;
      second!.alone!.counters!.server_cpu_ns_per_request = 1.2;
    });
  const { members } = folded(true);
  assert.deepEqual(codes(members[0]!.marks), ["folded"]);
  assert.ok(codes(members[1]!.alone!.marks).includes("folded"));
  assert.ok(!codes(folded(undefined).members[0]!.marks).includes("folded"));
});
