import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer } from "../record/answer-schema.ts";
import type { PlannedObservation } from "../record/plan.ts";
import type { Member, Observation } from "../record/observation-record.ts";
import { smallPlan } from "../../tests/fixtures/small-plan.ts";
import { barLine, lineProgress, outcomeText, preparingText } from "./progress.ts";
import { styleFor } from "./style.ts";
import { mark } from "../record/mark.ts";

const plain = styleFor(false, {});
const plan = { ...smallPlan, rounds: 2 };
const cells = plan.cells.slice(0, 3);
const planned = (index: number, round: number): PlannedObservation => ({
  kind: "solo",
  alone: true,
  index,
  round,
  draw_seed: 1,
  purpose: null,
  cells: cells.slice(0, 1),
});

/** As much of a record as progress looks at. */
const record = (part: Partial<Observation>) =>
  ({ kind: "solo", marks: [], status: "ok", wall_ms: 4_000, members: [{ cell: cells[0] }], ...part }) as Observation;
const load = { requests_per_second: 98_200 } as Observation["load"];
const because = (code: "server-hung" | "unsupported", text: string) => [mark(code, text)];
const failed = record({ status: "failed", marks: because("server-hung", "no reply within\n10005 ms") });
const together = (...costs: (number | null)[]) =>
  costs.map((cpu_ns_per_request, n) => ({ cell: cells[n]!, cpu_ns_per_request }) as Member);

test("an outcome is a rate, a lower bound, who took less CPU, or why there is none", () => {
  const text = (part: Partial<Observation>) => outcomeText(plan, record(part), plain);
  assert.equal(text({ load, bound: "server" }), "98.2k req/s");
  assert.equal(text({ load, bound: "generator" }), "≥ 98.2k req/s, generator-bound");
  assert.equal(text({ load, kind: "ceiling", bound: "generator" }), "98.2k req/s");
  assert.equal(text(failed), "failed: no reply within 10005 ms");
  assert.equal(text({ status: "unsupported", marks: because("unsupported", "no") }), "unsupported: no");
  assert.equal(
    text({ kind: "ensemble", members: together(1_000, 1_300) }),
    "CPU per request: steam/iron/1000 least, water/iron/1000 1.300×",
  );
  assert.equal(
    text({ kind: "ensemble", members: together(1_500, 1_000, 1_200) }),
    "CPU per request: water/iron/1000 least, wind/iron/1000 1.200×, steam/iron/1000 1.500×",
  );
  assert.equal(text({ kind: "ensemble", members: together(1_000, null) }), "CPU per request not known");
});

test("without a terminal progress is one plain line a step, nothing redrawn", () => {
  let written = "";
  const stream = { write: (text: string) => (written += text, true) } as NodeJS.WriteStream;
  const progress = lineProgress(stream, plain);
  progress.preparing("Preparing mills: 0 %");
  progress.begin(["on CPU 1"], plan, 4);
  progress.stepBegins(planned(0, 0), 16_000);
  progress.stepEnds(planned(0, 0), record({ load, bound: "server" }));
  progress.soFar({
    answer: { none: [mark("too-few-rounds", "too few rounds")], rounds: 1 } as unknown as Answer,
    looks: [],
  });
  progress.stepBegins(planned(3, 1), 20_000);
  progress.stepEnds(planned(3, 1), failed);
  progress.end();
  assert.equal(
    written,
    `Preparing mills: 0 %
on CPU 1
[1/4] round 1/2 steam/iron/1000 98.2k req/s, ETA 12s
so far, after 1 of 2 rounds (provisional): no answer yet: too few rounds.
this machine needs longer than estimated: about 24s in all
[4/4] round 2/2 steam/iron/1000 failed: no reply within 10005 ms, ETA 16s
`,
  );
});

test("a spare round is told as one, on a terminal, too", () => {
  const spared = { ...plan, spare_rounds: 2 };
  let written = "";
  const stream = { write: (text: string) => (written += text, true) } as NodeJS.WriteStream;
  const progress = lineProgress(stream, plain);
  progress.begin([], spared, 4);
  progress.stepBegins(planned(5, 3), 4_000);
  progress.stepEnds(planned(5, 3), record({ load, bound: "server" }));
  assert.equal(written, "[spare] round 2 of at most 2 steam/iron/1000 98.2k req/s, ETA 0.0s\n");
  const bar = barLine({ plan: spared, step: planned(5, 3), total: 4, share: 1, eta: "4s", last: "" }, 120, plain);
  assert.equal(bar, `${"█".repeat(24)}  spare  round 2 of at most 2  steam/iron/1000  ETA 4s`);
});

test("preparing tells what a builder says of itself", () => {
  assert.equal(preparingText({ event: "progress", text: "10k users: 33 %" }), "Preparing 10k users: 33 %");
  assert.equal(preparingText({ event: "failed", message: "the disk is full" }), "the disk is full");
});
