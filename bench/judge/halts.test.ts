import assert from "node:assert/strict";
import { test } from "node:test";
import type { MarkCode } from "../record/mark.ts";
import type { Observation } from "../record/observation-record.ts";
import { faultOrigin, haltFaults, sharedFaults } from "./halts.ts";

const none = { connect: 0, read: 0, write: 0, timeout: 0, status: 0, expected_status: 0 };
const marked = (codes: readonly MarkCode[]) => codes.map((code) => ({ code, effect: "voids", text: code }));

/** A load of two servers together, of which the first has faults, and the codes of its window alone; none without one. */
function line(
  code: MarkCode,
  { failed, status, alone, aloneRequests = 10_000, aloneErrors = 0, turns = true }: {
    failed?: readonly [number, number, number];
    status?: number;
    alone?: readonly MarkCode[];
    aloneRequests?: number;
    aloneErrors?: number;
    turns?: boolean;
  },
): Observation {
  const errors = { ...none, read: 40, status: 40, timeout: 40 };
  const wrong = status === undefined ? [] : [{ times: 3, status, body_bytes: 1, text: "wrong" }];
  const made = {
    kind: "ensemble",
    alone: alone !== undefined,
    marks: marked([code, "contended"]),
    load: { requests: 20_000, errors, ...(turns ? { turn_ms: 100 } : {}) },
    beside: [{ wrong }, { wrong: [] }],
    members: ["a", "b"].map((name, n) => ({
      cell: { point: { suite: "mills", at: { engine: name } }, label: "main" },
      marks: [],
      ...(failed === undefined || n > 0 ? {} : { failed }),
      alone: alone === undefined ? null : {
        marks: marked(n === 0 ? alone : []),
        load: { requests: aloneRequests, errors: { ...none, status: n === 0 ? aloneErrors : 0 } },
      },
    })),
  };
  return made as unknown as Observation;
}

const namesIn = (fault: ReturnType<typeof sharedFaults>[number]) =>
  fault.members.map(({ cell }) => cell.point.at["engine"]);

test("a fault of servers together is of those that the generator counts it for, or else of those whose samples show it", () => {
  const [counted] = sharedFaults(line("socket-errors", { failed: [40, 0, 0] }));
  assert.deepEqual([namesIn(counted!), counted!.known, counted!.status], [["a"], true, null]);
  const [sampled] = sharedFaults(line("unexpected-status", { status: 503 }));
  assert.deepEqual([namesIn(sampled!), sampled!.known, sampled!.status], [["a"], true, 503]);
  const [unknown] = sharedFaults(line("timeouts", {}));
  assert.deepEqual([namesIn(unknown!), unknown!.known], [["a", "b"], false]);
  assert.deepEqual(sharedFaults(line("core-not-full", { failed: [40, 0, 0] })), [], "no fault of a server");
});

test("windows alone say whether halts make a fault, and say nothing where it is too rare to show there", () => {
  const origin = (one: Observation, all = [one]) => faultOrigin(sharedFaults(one)[0]!, one, all);
  const failed = [0, 0, 40] as const;
  assert.equal(origin(line("unexpected-status", { failed, alone: [] })), "halts");
  assert.equal(origin(line("unexpected-status", { failed, alone: ["contended"] })), "halts", "others do not make it");
  assert.equal(origin(line("unexpected-status", { failed, alone: [], aloneErrors: 20 })), "server");
  assert.equal(
    origin(line("unexpected-status", { failed, alone: [], aloneErrors: 2 })),
    "halts",
    "left from a halt before its window",
  );
  assert.equal(origin(line("unexpected-status", { failed, alone: [], aloneRequests: 700 })), "unknown", "2.8 were due");
  const later = line("unexpected-status", { failed });
  assert.equal(origin(later), "unknown", "without a window alone");
  assert.equal(origin(later, [line("contended", { alone: [] }), later]), "halts", "by that of another round");
});

test("halts are found where servers had turns, and in no other load", () => {
  const failed = [0, 0, 40] as const;
  assert.equal(haltFaults([line("unexpected-status", { failed, alone: [] })])?.length, 1);
  assert.equal(haltFaults([line("unexpected-status", { failed, alone: [], turns: false })]), null);
  assert.equal(haltFaults([line("unexpected-status", { failed, alone: [], aloneErrors: 20 })]), null);
  assert.equal(haltFaults([line("contended", { alone: [] })]), null);
});
