/** Servers that fail in pairs and among three: told by name, and the others go on. Alone, `bench self` tries them. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Observation } from "../../bench/record/observation-record.ts";
import type { Mark } from "../../bench/record/outcome-schema.ts";
import { undisturbed } from "../contended.ts";
import { assertNobodyLeft, factsOf, FEW, tryServer } from "../faulty-servers.ts";
import { toolTest } from "../run-bench.ts";

toolTest("a server of another version than was asked for is told as wrong-runtime", async () => {
  const record = await tryServer({ runtime: (runtime) => ({ ...runtime, version: "0.0.1" }) });
  assert.deepEqual([record.status, record.marks[0]?.code], ["failed", "wrong-runtime"], factsOf(record));
  assertNobodyLeft();
});

/** Faults of both servers of a pair: one of each status, and one under load. What each means alone, the lab's own run tells. */
const OF_BOTH: readonly (readonly [behaviour: string, code: Mark["code"], status: Observation["status"]])[] = [
  ["load-exits-9", "server-crashed", "failed"],
  ["status-500-sometimes", "unexpected-status", "invalid"],
  ["wrong-byte-sometimes", "wrong-answer", "invalid"],
];

for (const [behaviour, code, status] of OF_BOTH) {
  toolTest(`where both of a pair do so, ${behaviour} is told as ${code}`, async () => {
    const record = await tryServer({ behaviours: [behaviour, behaviour], servers: 2 });
    assert.ok(record.marks.some((reason) => reason.code === code), factsOf(record));
    assert.equal(record.status, status, factsOf(record));
    assertNobodyLeft();
  });
}

toolTest("of three together, one that crashes while kept at work is left out by name, not another", async () => {
  const record = await tryServer({ behaviours: ["exits-after-rest", "sound-but-slow"], servers: 3 });
  const codes = record.members.map(({ marks }) => marks.map(({ code }) => code));
  assert.deepEqual(codes, [["server-crashed"], [], []], factsOf(record));
  undisturbed([record]);
  assert.equal(record.load!.threads, 2, factsOf(record));
  assert.ok(record.members.slice(1).every(({ cpu_ns_per_request }) => cpu_ns_per_request! > 0), factsOf(record));
  assertNobodyLeft();
});

toolTest("of three together, a fault in its own window is told of that server, not of the others", async () => {
  const record = await tryServer({ behaviours: ["status-500-sometimes"], servers: 3, alone: true });
  const codes = record.members.map(({ alone }) => alone!.marks.map(({ code }) => code));
  assert.ok(codes[0]!.includes("unexpected-status"), factsOf(record));
  assert.deepEqual(codes.slice(1).flat().filter((code) => code !== "contended"), [], factsOf(record));
  assert.equal(record.status, "invalid", "its replies in the joint window are no replies either");
});

toolTest("of three together, one whose answers are wrong in the end is told, and the others are compared", async () => {
  const record = await tryServer({ behaviours: ["wrong-body-later"], servers: 3 });
  const codes = record.members.map(({ marks }) => marks.map(({ code }) => code));
  assert.deepEqual(codes, [["wrong-answer"], [], []], factsOf(record));
  undisturbed([record]);
  assert.ok(record.members.every(({ cpu_ns_per_request }) => cpu_ns_per_request! > 0), factsOf(record));
});

/** Three servers together, one of which something is done to in their load. */
const oneOfThree = (fault: (pid: number) => void) => {
  let pid = 0;
  const record = tryServer({
    servers: 3,
    connections: FEW,
    replyMs: 1_500,
    async underLoad(serverPid) {
      pid = serverPid;
      // A second of settling and more, then two seconds that are measured.
      await sleep(1_800);
      fault(serverPid);
    },
  });
  return record.then((record) => ({ record, pid }));
};

for (
  const [title, fault, code, words] of [
    ["gets SIGKILL", (pid: number) => process.kill(pid, "SIGKILL"), "server-crashed", /SIGKILL|137/],
    ["is kept standing still", keptStill, "server-hung", /no reply within/],
  ] as const
) {
  toolTest(`one of three that ${title} in the joint load makes it failed: ${code}, and none stays`, async () => {
    const { record, pid } = await oneOfThree(fault);
    assert.equal(record.status, "failed", factsOf(record));
    assert.equal(record.marks[0]?.code, code, factsOf(record));
    assert.match(record.marks[0]!.text, words);
    assert.ok(!existsSync(`/proc/${pid}`), "the server is gone");
    assertNobodyLeft();
  });
}

/** Stops a process again whenever it goes on, until it has gone. */
function keptStill(pid: number): void {
  const again = setInterval(() => {
    try {
      process.kill(pid, "SIGSTOP");
    } catch {
      clearInterval(again);
    }
  }, 1);
}

toolTest("one of three stopped once in the joint load goes on with its next turn, and all are measured", async () => {
  const { record } = await oneOfThree((pid) => process.kill(pid, "SIGSTOP"));
  undisturbed([record]);
  assert.ok(record.load!.turn_ms! > 0, factsOf(record));
  assert.ok(record.members.every(({ cpu_ns_per_request }) => cpu_ns_per_request! > 0), factsOf(record));
  assertNobodyLeft();
});
