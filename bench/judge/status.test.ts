import assert from "node:assert/strict";
import { test } from "node:test";
import { mark } from "../record/mark.ts";
import { voidedInARow, whyNoneSound } from "./status.ts";

const ok = { kind: "solo" as const, status: "ok" as const, marks: [] };
const voided = {
  kind: "ensemble" as const,
  status: "invalid" as const,
  marks: [mark("contended", "others used 40 % of it")],
};
const wrong = { kind: "solo" as const, status: "invalid" as const, marks: [mark("wrong-answer", "it is wrong")] };

test("only what others voided since the last sound or faulty observation counts", () => {
  assert.deepEqual(voidedInARow([]), []);
  assert.deepEqual(voidedInARow([voided, ok]), []);
  assert.deepEqual(voidedInARow([voided, ok, voided, voided]), [voided, voided]);
  assert.deepEqual(voidedInARow([voided, wrong, voided]), [voided]);
  const lost = { ...ok, windows: [{ marks: [] }, { marks: voided.marks }] } as unknown as typeof ok;
  assert.deepEqual(voidedInARow([ok, lost, voided]), [lost, voided]);
  const ceiling = { ...ok, kind: "ceiling" as const };
  assert.deepEqual(voidedInARow([ok, voided, ceiling, voided, voided, ceiling]).length, 3);
});

test("a run without a sound step has a reason, the first mark; ceilings and points that cannot be say nothing of it", () => {
  const ceiling = { ...ok, kind: "ceiling" as const };
  assert.equal(whyNoneSound([ceiling, voided, wrong])?.code, "contended");
  assert.equal(whyNoneSound([ceiling, voided, wrong, ok]), null);
  const never = { ...wrong, status: "unsupported" as const, marks: [mark("unsupported", "it cannot")] };
  assert.equal(whyNoneSound([never, ceiling]), null);
});
