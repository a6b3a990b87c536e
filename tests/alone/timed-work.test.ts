/** Work that time triggers falls into the ramp-ups of turns: it is seen there, and the servers are measured alone. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { timedWork } from "../../bench/judge/timed-work.ts";
import { findProgram } from "../../bench/machine/programs.ts";
import { undisturbed } from "../contended.ts";
import { tryServer } from "../faulty-servers.ts";

const turnsTest = findProgram("wrk") !== undefined && existsSync("/proc/self/stat") ? test : test.skip;

turnsTest("a page that is made anew by the clock is seen in ramp-ups, and a server beside it is not", async () => {
  const line = await tryServer({ behaviours: ["remakes-a-page"], servers: 3 });
  const told = JSON.stringify(line.members.map(({ requests, cpu_ns, lead_in }) => [requests, cpu_ns, lead_in]));
  assert.ok(line.load?.lead_in_ms !== undefined, JSON.stringify(line.marks));
  assert.deepEqual(timedWork([{ ...line, status: "invalid" }]), []);
  // Others on its core use ramp-ups and turns as chance has it.
  for (const sound of undisturbed([line])) {
    assert.deepEqual(timedWork([sound, sound]).map(({ member }) => sound.members.indexOf(member)), [0], told);
  }
});
