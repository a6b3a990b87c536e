import assert from "node:assert/strict";
import { test } from "node:test";
import { leaveCoreIdle, silenceText, waitedMark, waitingServers, waitingText, waitsAlone } from "./waiting.ts";

type Line = Parameters<typeof waitingServers>[0][number];

/** A line of servers together, each with its busy share alone, and that of the generator. */
const line = (shares: readonly (readonly [busy: number, generator: number])[], change: object = {}) =>
  ({
    kind: "ensemble",
    marks: [],
    counters: { core_share: 0.97 },
    members: shares.map(([busy, generator], n) => ({
      cell: { point: { suite: "mills", at: { engine: n } }, label: "main" },
      server: {},
      alone: {
        marks: [],
        latency: { p50_us: 44_000 },
        counters: {
          server_share: busy,
          server_thread_share: busy,
          generator_share: generator,
          server_cpu_ns_per_request: 4e4,
        },
      },
    })),
    ...change,
  }) as unknown as Line;

const found = (...lines: readonly Line[]) => waitingServers(lines).map(({ member }) => member.cell.point.at["engine"]);

test("a server that waits 44 ms is found beside one that works, and one that waits for the generator is not", () => {
  assert.deepEqual(found(line([[0.05, 0.03], [0.99, 0.6]])), [0]);
  assert.deepEqual(found(line([[0.4, 0.97], [0.3, 0.7]])), []);
  assert.deepEqual(
    found(line([[0.05, 0.03]]), line([[0.99, 0.6]]), line([[0.98, 0.6]])),
    [],
    "rounds decide by their middle",
  );
});

test("one with a service, with others' work, or without counters says nothing", () => {
  const changed = (change: object) => {
    const made = line([[0.05, 0.03]]);
    return { ...made, members: made.members.map((member) => ({ ...member, ...change })) } as Line;
  };
  assert.deepEqual(found(changed({ server: { services: [] } })), []);
  assert.deepEqual(found(changed({ alone: null })), []);
  assert.deepEqual(found(changed({ alone: { marks: [{}], counters: { server_share: 0.1 } } })), []);
});

test("a core that servers leave idle in most rounds is found, and one of which others had a part is not", () => {
  const busy = (share: number, marks: readonly string[] = []) =>
    line([], { counters: { core_share: share }, marks: marks.map((code) => ({ code, effect: "voids", text: "" })) });
  assert.equal(leaveCoreIdle([busy(0.6)]), true);
  assert.equal(leaveCoreIdle([busy(0.6), busy(0.9), busy(0.95)]), false);
  assert.equal(leaveCoreIdle([busy(0.6, ["contended"])]), false);
  assert.equal(leaveCoreIdle([]), false);
});

test("its words say how long a reply takes and how little of that is work", () => {
  const [waiting] = waitingServers([line([[0.05, 0.03]])]);
  assert.equal(
    waitingText("slow/node", waiting!),
    "slow/node waits 95 % of the time: a reply takes 44.0ms and 40.0µs of CPU time",
  );
});

test("a server under full load that waits is marked, and one at a rate, one that works, one with a service is not", () => {
  const solo = (server: number, load: object = {}, services: object | null = null) =>
    ({
      counters: { server_share: server, generator_share: 0.05, server_cpu_ns_per_request: 150_000 },
      load: { connections: 50, ...load },
      latency: { p50_us: 135_000 },
      ...(services === null ? {} : { services }),
    }) as unknown as Parameters<typeof waitedMark>[0][number];
  const given = waitedMark([solo(0.06), solo(0.05), solo(0.9)]);
  assert.deepEqual([given?.code, given?.effect, given?.text], [
    ...[
      "server-waited",
      "note",
      "it waits 94 % of the time: a reply takes 135ms and 150µs of CPU time. Its requests wait " +
      "for a pool, a lock, a timer, a disk or another program",
    ],
  ]);
  const others = [
    solo(0.9),
    solo(0.06, { offered_per_second: 300 }),
    solo(0.06, { connections: 1 }),
    solo(0.06, {}, [[]]),
  ];
  assert.deepEqual(others.map((one) => waitedMark([one])), [null, null, null, null]);
  const kept = solo(0.06);
  assert.equal(
    waitedMark([{ ...kept, counters: { ...kept.counters!, core_share: 0.98 } }]),
    null,
    "others have its core",
  );
});

test("a server that owes replies waits for a pool, for the other end or within itself, or it computes", () => {
  const peer = { to: "127.0.0.1:5432", connections: 10, states: [] as string[] };
  const said = (busy: number, states?: string[]) =>
    silenceText({ busy, peers: states === undefined ? [] : [{ ...peer, states }] }, 3);
  assert.equal(said(0.98, []), "it uses 98 % of a core, so it computes");
  const within =
    "it uses 1 % of a core and waits for no TCP connection: its requests wait for something within it, such as " +
    "a place in a pool or a lock";
  const ever = ". Requests that hold a place and take a second wait for ever";
  assert.equal(said(0.01), `${within}. Before the load it answered 3 requests one at a time${ever}`);
  assert.equal(silenceText({ busy: 0.01, peers: [] }, 0), within + ever);
  const open = "it uses 0 % of a core, and 10 connections that it opened to 127.0.0.1:5432 carry nothing";
  assert.ok(said(0, []).startsWith(`${open}: its requests wait for a free connection of their pool, or for what is`));
  assert.ok(
    said(0, ["idle", "idle in transaction"]).startsWith(
      `${open} (there they are "idle" and "idle in transaction"): its requests wait for a free connection of their pool. `,
    ),
  );
  assert.equal(
    said(0, ["UPDATE waiting", "idle"]),
    `${open} (there they are "UPDATE waiting" and "idle"): its requests wait for what is there`,
  );
});

test("a server alone waits for itself in the middle of its rounds that count, without a service", () => {
  type Alone = Parameters<typeof waitsAlone>[0][number];
  const alone = (busy: number, generator: number, change: object = {}) => {
    const [member] = line([[busy, generator]]).members;
    return { status: "ok", counters: member!.alone!.counters, member, ...change } as unknown as Alone;
  };
  const waits = alone(0.1, 0.05), works = alone(0.99, 0.5);
  const served = alone(0.1, 0.05, { member: { server: { services: [] } } });
  const cases = [[waits], [waits, works, waits], [works, waits, works], [alone(0.3, 0.3)], [served]];
  assert.deepEqual(cases.map(waitsAlone), [true, true, false, false, false]);
  assert.ok(!waitsAlone([alone(0.1, 0.05, { status: "invalid" }), alone(0.1, 0.05, { counters: null })]));
});
