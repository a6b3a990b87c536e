/** Servers that fail in each way there is, alone, in pairs and among three: told by name, and the others go on. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import type { Reason } from "../../bench/record/observation-record.ts";
import { undisturbed } from "../contended.ts";
import { replaced, sleep, told, tryServer } from "../faulty-servers.ts";
import { toolTest } from "../run-bench.ts";
import { assertNobodyLeft, FAULTS, FEW, inEachFind } from "../server-faults.ts";

/** Faults of all servers of a pair: one of each status, and one under load. The same fault means the same there. */
const OF_BOTH: readonly Reason["code"][] = ["server-crashed", "unexpected-status", "wrong-answer"];

/** What a whole run says of a server alone, in run.test.ts; waiting for one that hangs takes long. */
const OF_A_RUN: readonly Reason["code"][] = ["server-hung"];

for (const { name, code, status, ...fault } of FAULTS.filter((each) => !OF_A_RUN.includes(each.code))) {
  for (const servers of OF_BOTH.includes(code) ? [1, 2] as const : [1] as const) {
    toolTest(`${name} is told as ${code}, ${servers === 1 ? "alone" : "where both of a pair do so"}`, async () => {
      const record = await tryServer({ ...fault, servers });
      assert.ok(record.reasons.some((reason) => reason.code === code), told(record));
      if (typeof status === "string") assert.equal(record.status, status, told(record));
      else assert.match(record.status, status, told(record));
      assertNobodyLeft();
    });
  }
}

toolTest(
  "of three together, one that crashes when it is kept at work is left out by name, not the one that warms up",
  async () => {
    const restless = inEachFind(
      "const rest = Date.now() - (globalThis.asked ?? Infinity); globalThis.asked = Date.now(); if (rest > 3_000) process.exit(9);",
    );
    // So the first waits long enough to be kept at work, as the first of sixteen does.
    const slow = (source: string) => `await new Promise((resolve) => setTimeout(resolve, 6_000));\n${source}`;
    const record = await tryServer({ patches: [restless, slow], servers: 3 });
    const codes = record.members.map(({ reasons }) => reasons.map(({ code }) => code));
    assert.deepEqual(codes, [["server-crashed"], [], []], told(record));
    undisturbed([record]);
    assert.equal(record.load!.threads, 2, told(record));
    assert.ok(record.members.slice(1).every(({ cpu_ns_per_request }) => cpu_ns_per_request! > 0), told(record));
    assertNobodyLeft();
  },
);

toolTest("of three together, a fault in its own window is told of that server, not of the others", async () => {
  const { patch } = FAULTS.find(({ code }) => code === "unexpected-status")!;
  const record = await tryServer({ patches: [patch!], servers: 3, alone: true });
  const codes = record.members.map(({ alone }) => alone!.reasons.map(({ code }) => code));
  assert.ok(codes[0]!.includes("unexpected-status"), told(record));
  assert.deepEqual(codes.slice(1).flat().filter((code) => code !== "contended"), [], told(record));
  assert.equal(record.status, "invalid", "its replies in the joint window are no replies either");
});

toolTest(
  "of three together, one whose answers are wrong in the end is told, and the others are compared",
  async () => {
    const patch = (source: string) =>
      replaced(
        inEachFind("")(source),
        ": c.json(user);",
        ": c.json(asked > 5_000 ? { ...user, age: user.age + 1 } : user);",
      );
    const record = await tryServer({ patches: [patch], servers: 3 });
    const codes = record.members.map(({ reasons }) => reasons.map(({ code }) => code));
    assert.deepEqual(codes, [["wrong-answer"], [], []], told(record));
    undisturbed([record]);
    assert.ok(record.members.every(({ cpu_ns_per_request }) => cpu_ns_per_request! > 0), told(record));
  },
);

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
    assert.equal(record.status, "failed", told(record));
    assert.equal(record.reasons[0]?.code, code, told(record));
    assert.match(record.reasons[0]!.message, words);
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

toolTest(
  "one of three that is stopped once in the joint load goes on with its next turn, and all are measured",
  async () => {
    const { record } = await oneOfThree((pid) => process.kill(pid, "SIGSTOP"));
    undisturbed([record]);
    assert.ok(record.load!.turn_ms! > 0, told(record));
    assert.ok(record.members.every(({ cpu_ns_per_request }) => cpu_ns_per_request! > 0), told(record));
    assertNobodyLeft();
  },
);

toolTest("a slow start is in the start-up time, and the server is measured all the same", async () => {
  const record = await tryServer({
    patch: (source) => `await new Promise((resolve) => setTimeout(resolve, 1_200));\n${source}`,
  });
  undisturbed([record]);
  assert.ok(record.members[0]!.server!.startup_ms! >= 1_200, `${record.members[0]!.server!.startup_ms!} ms`);
});
