import assert from "node:assert/strict";
import { test } from "node:test";
import { unjudgedWarmups } from "../bench/result/verify.ts";
import { makePlausible } from "../tests/fixtures/plausible-run.ts";
import { NO_SLICES, upgraded } from "./upgrade-run.ts";

const made = makePlausible({ stores: ["map"], sizes: [10_000], rounds: 2, together: "plan" });

/** A record as the version before wrote it. */
// deno-lint-ignore no-explicit-any
function earlier(value: any): any {
  if (Array.isArray(value)) return value.map(earlier);
  if (value === null || typeof value !== "object") return value;
  const { marks, slices, judged_slices: _, changes: __, ...rest } = value;
  const older = Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, earlier(each)]));
  return {
    ...older,
    // deno-lint-ignore no-explicit-any
    ...(marks === undefined ? {} : { reasons: marks.map(({ code, text }: any) => ({ code, message: text })) }),
    ...(slices === undefined
      ? {}
      : { curves: slices.map(() => Array.from({ length: 40 }, (_, n) => 9_000 - 100 * n)) }),
  };
}

const before = () => ({
  run: { ...structuredClone(made.run), schema: "levelfield.run/3" },
  lines: made.lines.map((line) => ({ ...earlier(line), schema: "levelfield.observation/2" })),
});

test("a run of the version before is read as it was, marks by judging it again", () => {
  const { run, lines } = before();
  const found = upgraded(run, lines);
  assert.deepEqual(found.run, made.run);
  assert.deepEqual(
    found.lines.map(({ load, counters }) => [load, counters]),
    made.lines.map(({ load, counters }) => [
      load,
      counters,
    ]),
  );
  lines[0].reasons = [{ code: "timeouts", message: "3 replies came too late" }];
  lines[1].reasons = [{ code: "server-crashed", message: "it ended" }];
  const [first, second] = upgraded(run, lines).lines;
  assert.deepEqual([first!.status, first!.marks], ["ok", []], "no figure says so");
  assert.deepEqual(second!.marks, [{ code: "server-crashed", effect: "voids", text: "it ended" }]);
});

test("quotients of warm-ups are not made into slices, and whoever verifies such a run is told", () => {
  const { run, lines } = before();
  const found = upgraded(run, lines).lines;
  const warmup = found.flatMap(({ members }) => members.flatMap((member) => member.warmup ?? []))[0]!;
  assert.deepEqual([warmup.slices, warmup.judged_slices, warmup.why_no_slices], [null, null, NO_SLICES]);
  assert.ok(warmup.changes[0]! < -0.1, "what its end was like is kept");
  assert.match(unjudgedWarmups(found)[0]!, /^(\d+) of \1 warm-ups cannot be judged again: an earlier version/);
  assert.deepEqual(unjudgedWarmups(made.lines), []);
});

test("what is no run of this version or the one before is refused, a run of today comes back as it is", () => {
  assert.throws(() => upgraded({ schema: "levelfield.run/2" }, []), /"levelfield.run\/2" is no version/);
  assert.deepEqual(upgraded(made.run, made.lines).lines, made.lines);
});
