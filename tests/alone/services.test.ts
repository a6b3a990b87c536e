/** A service beside a server: started, found, counted, told, and gone. */
import assert from "node:assert/strict";
import { SETTLE_MS } from "../../bench/plan/lengths.ts";
import { measurePoint } from "../../bench/observe/measure-point.ts";
import type { Suite } from "../../suites/suite.ts";
import { suite } from "../fixtures/with-service/suite.ts";
import { linuxTest } from "../testing.ts";

/** Measures a server beside its service, which is of a suite that may be changed. */
const measured = (changed: Suite) =>
  measurePoint({ suite: changed, at: { runtime: "node" }, durationMs: 1_000, warmupMs: SETTLE_MS });

let known: ReturnType<typeof measured> | undefined;
/** What is measured of a sound server, once. */
const sound = () => known ??= measured(suite);

linuxTest("a service is started for its server, and what it did for each request is told", async () => {
  const line = await sound();
  assert.ok(line.load !== null, JSON.stringify(line.marks));
  const [member] = line.members;
  const [facts] = member!.server!.services!;
  assert.deepEqual({ ...facts, startup_ms: 0, cpus: [] }, {
    name: "echo",
    version: "1.2",
    facts: { echo: "on" },
    cpus: [],
    startup_ms: 0,
  });
  const [[use]] = line.services as [[NonNullable<typeof line.services>[number][number]]];
  assert.ok(use.requests >= line.load.requests && use.cpu_ns! > 0);
  // What asks beside the load asks it, too; each connection has one request under way when it ends.
  const asked = use.requests + line.beside![0]!.asked, messages = use.counts!["messages"]!;
  assert.ok(messages <= asked && messages >= asked - line.load.connections, `${messages} messages, ${asked} requests`);
  // Whether it had the CPU between the moments at which shares are read is the machine's to say.
  assert.equal(typeof line.counters!.service_share, "number");
});

linuxTest("connections a server leaves open at its service are told, and those of a sound one are not", async () => {
  const connectionsOf = (line: Awaited<ReturnType<typeof measured>>) => {
    assert.ok(line.load !== null, JSON.stringify(line.marks));
    const { connections, counts } = line.services![0]![0]!;
    assert.equal(line.members[0]!.server!.services![0]!.left_open, undefined, "they went with it");
    return { ...connections!, messages: counts!["messages"]! };
  };
  const ofSound = connectionsOf(await sound());
  assert.deepEqual([ofSound.before, ofSound.after], [1, 1]);
  const server: typeof suite.server = (...asked) => {
    const spec = suite.server(...asked);
    return spec.kind === "app" ? { ...spec, options: { ...spec.options, leak: 50 } } : spec;
  };
  const { before, after, messages } = connectionsOf(await measured({ ...suite, server }));
  // One may be on its way at either reading.
  const told = `${before} before, ${after} after ${messages} requests`;
  assert.ok(after > before && Math.abs(after - before - messages / 50) <= 2, told);
});

linuxTest("a service that dies under load is named, and nothing is published of it", async () => {
  const dying = {
    ...suite,
    services: () =>
      suite.services!({ suite: suite.name, at: {} }, null).map((own) => ({ ...own, env: { ENDS_AFTER: "500" } })),
  };
  const line = await measured(dying);
  assert.notEqual(line.status, "ok");
  assert.match(line.marks.map(({ text }) => text).join("; "), /service "echo" ended with/);
});
