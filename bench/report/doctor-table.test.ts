import assert from "node:assert/strict";
import { test } from "node:test";
import { gradeOf, judgeMachine } from "../doctor/examine.ts";
import { QUIET_MACHINE, QUIET_WATCH } from "../../tests/fixtures/made-up-facts.ts";
import { doctorTable } from "./doctor-table.ts";
import { styleFor } from "./style.ts";

const plain = styleFor(false, {});
const examine = (machine = QUIET_MACHINE) => ({
  findings: judgeMachine(machine, QUIET_WATCH),
  grade: gradeOf(machine, QUIET_WATCH),
});

test("an ok finding takes one line, others show what they cost and the command that mends them", () => {
  const facts = { ...QUIET_MACHINE, boost: { value: { on: true, file: "/s/boost" } }, quota: { unreadable: "EACCES" } };
  const table = doctorTable(examine(facts), plain);
  assert.match(table, /^✓ Busy processes +none above /m);
  assert.match(table, /^! Turbo or boost +on\n +the clock depends on .*\n +echo 0 \| sudo tee \/s\/boost$/m);
  assert.match(table, /^\? CPU quota +EACCES\n {22}\S.*\n$/m);
  assert.match(table, /1 costs something, 0 block, 1 unknown/);
  assert.match(
    table,
    /^Grade: shared: .*\n {2}boost is on.*\n {2}the CPU quota cannot be read \(EACCES\)\n.*1 costs something.*\n\n\S/,
  );
});
