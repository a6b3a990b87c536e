import assert from "node:assert/strict";
import { test } from "node:test";
import { answerInput, bySpeed, ENGINE } from "../../tests/fixtures/made-up-verdicts.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import type { PlanAxis } from "../record/cell-schema.ts";
import { mark } from "../record/mark.ts";
import { answerOf } from "./answer.ts";
import type { Bound } from "../record/outcome-schema.ts";

/** The answer of a run of services whose cells have these limits, in their order; `near` for the mark of one. */
function answered(limits: readonly (Bound | "near")[], { axes = [ENGINE], own = true, decided = false }: {
  axes?: PlanAxis[];
  own?: boolean;
  decided?: boolean;
} = {}) {
  const input = answerInput(axes, decided ? bySpeed : () => ({ none: "it is limited by a service" }));
  const service = { name: "db", version: "1", facts: {}, own_cpus: own, share: 0.1, cpu_ns_per_request: 1 };
  const cards = input.cards.map((card, n) => {
    const limit = limits[n]!;
    const near = { marks: [mark("near-service-ceiling", "at 97 % of what the service beside it can do")] };
    return {
      ...card,
      services: [{ ...service, counts_per_request: {} }],
      ...(limit === "near" ? near : { bound: limit }),
    };
  });
  return answerOf({ ...input, plan: { ...input.plan, generator: "wrk" }, cards });
}

test("where a service was the limit in every cell that is the answer, and nothing would settle the rest", () => {
  const { sentence, none, settle } = answered(["near", "service", "service"]);
  assert.equal(sentence, "db is the limit, not the engine: next to nothing was left of what it can do in all 3 cells.");
  assert.deepEqual([none!.map(({ code }) => code), settle], [["service-limit"], null]);
  const one = answered(["near", "server", "server"]);
  assert.equal(one.sentence, "No answer from this run: it is limited by a service.", "two servers were the limit");
  assert.notEqual(one.settle, null);
  assert.deepEqual(answered(["service", "service", "service"], { decided: true }).none, null, "verdicts come first");
});

test("where it was the limit of some and others waited for it, both are counted, with the core that it shares", () => {
  assert.equal(
    answered(["service", "neither", "server"], { own: false }).sentence,
    "No answer from this run: db and wrk share a core, which was the limit of 1 of 3 cells; " +
      "in 1 of 3 cells the server and that core waited for each other: neither was busy all the time.",
  );
  const few = answered(["generator", "server", "server"], { own: false });
  assert.ok(few.none!.every(({ code }) => code !== "service-limit"), "in half of them or fewer it is no answer");
  assert.match(
    answered(["generator", "near", "server"], { own: false }).sentence,
    /share a core, which was the limit of 2 of 3 cells\.$/,
    "a generator that is crowded by the service",
  );
  assert.equal(
    answered(["neither", "neither", "server"]).sentence,
    "No answer from this run: in 2 of 3 cells the server and db waited for each other: neither was busy all the time.",
  );
  assert.match(answered(["service", "neither", "server"]).sentence, /: db was the limit of 1 of 3 cells; in 1 of 3/);
});

test("the next run is at the null service that the suite has, measured together, or with a core for the service", () => {
  const real = { ...planAxis("service", ["real"], { role: "condition" }), default: "null" };
  const { settle } = answered(["service", "neither", "server"], { axes: [ENGINE, real], own: false });
  assert.deepEqual([settle!.helps, settle!.rounds], ["service", 6]);
  assert.match(
    settle!.sentence,
    / at a null service \(--service null\), .*a core of its own for db, or another host \(--service-host\)$/,
  );
  const shared = answered(["service", "neither", "server"], { own: false }).settle!;
  assert.deepEqual([shared.helps, shared.rounds], ["service", null]);
  assert.match(shared.sentence, / with a core of its own for db, or another host/);
  const both = { ...planAxis("service", ["null", "real"], { role: "condition" }), default: "null" };
  const cells = answered(Array.from({ length: 6 }, () => "neither" as const), { axes: [ENGINE, both] });
  assert.equal(cells.settle, null, "one that has the null service already, with a core for each");
});
