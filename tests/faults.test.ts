/** Servers that fail in each way there is, alone, in pairs and among three: told by name, and the others go on. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import type { Reason } from "../bench/record/observation-record.ts";
import { undisturbed } from "./contended.ts";
import { childrenWith, type FaultyObservation, replaced, sleep, told, tryServer } from "./faulty-servers.ts";
import { benchTest } from "./run-bench.ts";

/** Runs code at the start of each look-up; `asked` counts them. */
const inEachFind = (code: string) => (source: string) =>
  replaced(
    replaced(source, "export function usersApp", "let asked = 0;\nexport function usersApp"),
    'const id = c.req.param("id");',
    `const id = c.req.param("id");\n    asked++;\n    ${code}`,
  );

/** Not before the load: the oracle asks fewer than 100 times. */
const LATER = "asked > 200";

/** Connections where a server hangs: how long its replies are waited for goes by how many there are. */
const FEW = 10;

const FAULTS: readonly (FaultyObservation & {
  readonly name: string;
  readonly code: Reason["code"];
  readonly status: string | RegExp;
})[] = [
  {
    name: "a server that cannot start",
    patch: (source) => `throw new Error("no licence");\n${source}`,
    code: "server-failed-to-start",
    status: "failed",
  },
  {
    name: "a server that ends under load",
    patch: inEachFind(`if (${LATER}) process.exit(9);`),
    code: "server-crashed",
    status: "failed",
  },
  {
    name: "a server that stops answering under load",
    patch: inEachFind(`while (${LATER});`),
    code: "server-hung",
    status: "failed",
  },
  {
    name: "a server that answers with an error under load",
    patch: inEachFind(`if (${LATER} && asked % 50 === 0) return c.json({ error: "overloaded" }, 500);`),
    code: "unexpected-status",
    status: "invalid",
  },
  {
    name: "a server that closes connections before it has answered",
    patch: inEachFind(
      `if (${LATER} && asked % 50 === 0) {
          return new Response(new ReadableStream({ start: (body) => body.error(new Error("closed")) }));
        }`,
    ),
    code: "socket-errors",
    // The oracle after the load meets closed connections too, but some HTTP clients ask again by themselves.
    status: /^(invalid|failed)$/,
  },
  {
    name: "a server with one wrong byte for one user",
    patch: (source) =>
      replaced(
        source,
        ": c.json(user);",
        ": c.json(user.email === 'user.0@example.com' ? { ...user, age: user.age + 1 } : user);",
      ),
    code: "wrong-answer",
    status: "invalid",
  },
  {
    name: "a server of another version than was asked for",
    runtime: (runtime) => ({ ...runtime, version: "0.0.1" }),
    code: "wrong-runtime",
    status: "failed",
  },
];

/** Faults of all servers of a pair: one of each status, and one under load. The same fault means the same there. */
const OF_BOTH: readonly Reason["code"][] = ["server-crashed", "unexpected-status", "wrong-answer"];

/** What a whole run says of a server alone, in run.test.ts; waiting for one that hangs takes long. */
const OF_A_RUN: readonly Reason["code"][] = ["server-hung"];

for (const { name, code, status, ...fault } of FAULTS.filter((each) => !OF_A_RUN.includes(each.code))) {
  for (const servers of OF_BOTH.includes(code) ? [1, 2] as const : [1] as const) {
    benchTest(`${name} is told as ${code}, ${servers === 1 ? "alone" : "where both of a pair do so"}`, async () => {
      const record = await tryServer({ ...fault, servers });
      assert.ok(record.reasons.some((reason) => reason.code === code), told(record));
      if (typeof status === "string") assert.equal(record.status, status, told(record));
      else assert.match(record.status, status, told(record));
      assertNobodyLeft();
    });
  }
}

/** No server and no load generator of a test's observations is left. */
function assertNobodyLeft(): void {
  assert.deepEqual([...childrenWith("servers/main.ts"), ...childrenWith("wrk.lua")], []);
}

/** Faults that show before servers are loaded together, each of them one of six servers'. */
const BEFORE: readonly Reason["code"][] = [
  "server-failed-to-start",
  "wrong-answer",
  "server-crashed",
  "server-hung",
];

benchTest(
  "of six together, those that cannot start, crash, hang or answer wrongly are left out, each told; two are compared",
  async () => {
    const patches = BEFORE.map((code) => FAULTS.find((fault) => fault.code === code)!.patch!);
    const record = await tryServer({ patches, servers: 6, connections: FEW, replyMs: 1_500 });
    const left = record.members.slice(0, BEFORE.length), others = record.members.slice(BEFORE.length);
    assert.deepEqual(
      left.map(({ reasons }) => reasons.map(({ code }) => code)),
      BEFORE.map((code) => [code]),
      told(record),
    );
    for (const member of left) {
      assert.deepEqual([member.requests, member.cpu_ns_per_request], [null, null], told(record));
    }
    assertNobodyLeft();
    undisturbed([record]);
    assert.equal(record.load!.threads, 2, told(record));
    for (const { reasons, oracle, cpu_ns, requests, cpu_ns_per_request } of others) {
      assert.deepEqual(reasons, [], told(record));
      assert.ok(oracle!.before > 20 && oracle!.after > 20, told(record));
      assert.ok(Math.abs(cpu_ns_per_request! / (cpu_ns! / requests!) - 1) < 1e-9, told(record));
    }
    const [a, b] = others.map(({ cpu_ns_per_request }) => cpu_ns_per_request!) as [number, number];
    assert.ok(a / b > 0.5 && a / b < 2, `the same server twice costs ${a} and ${b} ns`);
  },
);

benchTest(
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

benchTest("of three together, a fault in its own window is told of that server, not of the others", async () => {
  const { patch } = FAULTS.find(({ code }) => code === "unexpected-status")!;
  const record = await tryServer({ patches: [patch!], servers: 3, alone: true });
  const codes = record.members.map(({ alone }) => alone!.reasons.map(({ code }) => code));
  assert.ok(codes[0]!.includes("unexpected-status"), told(record));
  assert.deepEqual(codes.slice(1).flat().filter((code) => code !== "contended"), [], told(record));
  assert.equal(record.status, "invalid", "its replies in the joint window are no replies either");
});

benchTest(
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
  benchTest(`one of three that ${title} in the joint load makes it failed: ${code}, and none stays`, async () => {
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

benchTest(
  "one of three that is stopped once in the joint load goes on with its next turn, and all are measured",
  async () => {
    const { record } = await oneOfThree((pid) => process.kill(pid, "SIGSTOP"));
    undisturbed([record]);
    assert.ok(record.load!.turn_ms! > 0, told(record));
    assert.ok(record.members.every(({ cpu_ns_per_request }) => cpu_ns_per_request! > 0), told(record));
    assertNobodyLeft();
  },
);

benchTest("a slow start is in the start-up time, and the server is measured all the same", async () => {
  const record = await tryServer({
    patch: (source) => `await new Promise((resolve) => setTimeout(resolve, 1_200));\n${source}`,
  });
  undisturbed([record]);
  assert.ok(record.members[0]!.server!.startup_ms! >= 1_200, `${record.members[0]!.server!.startup_ms!} ms`);
});
