/** An agent may be another program than ours: each of its replies is checked, and so are addresses in requests to one. */
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ServiceSpec } from "../../suites/suite.ts";
import { PATIENCE_MS } from "../../tests/patience.ts";
import { folderTest, runtime } from "../../tests/testing.ts";
import { BenchError, failureOf } from "../basics/errors.ts";
import { findProgram } from "../machine/programs.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { SCRIPT_ARGS } from "../runtimes/runtimes.ts";
import { ourHello } from "./greet-agent.ts";
import type { Host } from "./host.ts";
import { localHost } from "./local-host.ts";
import { lineOf, messageOf, replyOrEvent } from "./protocol.ts";
import { checkedReply } from "./checked-reply.ts";
import { remoteHost } from "./remote-host.ts";
import { REPLIES } from "./reply-schemas.ts";
import { type AgentOperations, startedHere } from "./started-here.ts";

const linuxTest = existsSync("/proc/self/environ") && findProgram("setpriv") !== undefined ? test : test.skip;

const ON = [process.execPath, ...SCRIPT_ARGS[runtime.name]];
const AGENT = [...ON, join(PROJECT_ROOT, "bench", "main.ts"), "agent", "--no-config"];
const RELAY = [...ON, join(PROJECT_ROOT, "tests", "altered-agent.ts")];

/** Works with a real agent, of whose lines a pattern is replaced. */
async function altered<T>(pattern: string, replacement: string, work: (host: Host) => Promise<T>): Promise<T> {
  const host = await remoteHost([...RELAY, pattern, replacement, ...AGENT], "box1", ourHello());
  try {
    return await work(host);
  } finally {
    await host.close();
  }
}

const running = { spec: { kind: "running", url: "http://127.0.0.1:1" }, runtime: null, cpus: null } as const;

/** A service that prints that it is ready, and ends when it is told to. */
const service = (env: Readonly<Record<string, string>>) => {
  const line = JSON.stringify({ event: "ready", port: 1, version: "1", facts: {}, env });
  const spec = { kind: "service", name: "a", command: ["sh", "-c", `echo '${line}'; read -r _`] };
  return { spec: spec as unknown as ServiceSpec, runtime: null, cpus: null };
};

const here = localHost(), started = startedHere(here, () => {});

/** A reply as it is, what is said in place of a part of it, and the field that is named. */
const ALTERED: readonly (readonly [
  operation: keyof AgentOperations,
  reply: () => Promise<unknown>,
  part: string,
  other: string,
  field: string,
])[] = [
  ["facts", here.facts, '"loopback":true', '"loopback":"yes"', '"links.0.loopback"'],
  ["facts", here.facts, '"127.0.0.1"', '"127.0.0.1\\nhost all all all trust"', '"links.0.address"'],
  ["serve", () => started.asks.serve(1, running), "0.1:1", "0.1:1/\\r\\nX: y", '"url"'],
  ["serve", () => started.asks.serve(1, running), "0.1:1", "0.1:1 -s a.lua", '"url"'],
  ["serve", () => started.asks.serve(1, running), "http://127.0.0.1:1", "file:///etc/passwd", '"url"'],
  ["serve", () => started.asks.serve(1, running), '"process":null', '"process":null,"more":1', "all of it"],
  ["serve", () => started.asks.serve(2, service({ A_PASSWORD: "a" })), "A_PASSWORD", "LD_PRELOAD", '"service.env"'],
  ["sample", () => here.sample({ pids: [1], what: "processes" }), '"processes":[', '"processes":[1,', '"processes.0"'],
  ["hashes", () => here.hashes([join(PROJECT_ROOT, "package.json")]), '"value":[', '"value":["../../a",', '"0"'],
];

linuxTest("a real reply fits, and an altered one is refused by its field", async () => {
  try {
    for (const [operation, reply, part, other, field] of ALTERED) {
      const line = lineOf({ re: 1, value: await reply() });
      const read = (text: string) => checkedReply(operation, (messageOf(text) as { value: unknown }).value);
      assert.ok("value" in read(line), `${operation}: ${JSON.stringify(read(line))}`);
      assert.ok(line.includes(part), line);
      const fault = read(line.replace(part, () => other));
      assert.ok("fault" in fault, `${operation} with ${other}`);
      assert.equal(fault.field, field, fault.fault);
    }
  } finally {
    await started.endAll();
  }
});

linuxTest("a reply that does not fit is a line with host, operation and field, and the host is given up", async () => {
  const address = '"address":"127.0.0.1\\nhost all all 0.0.0.0/0 trust"';
  const cases = [
    [
      '"address":"127.0.0.1"',
      address,
      (host: Host) => host.facts(),
      '"facts" does not fit at "links.0.address": is no address',
    ],
    [
      "http://127.0.0.1:1",
      "http://192.0.2.1:1",
      (host: Host) => host.serve(running),
      '"serve" does not fit at "url": is not where the server was to listen',
    ],
  ] as const;
  for (const [pattern, replacement, ask, line] of cases) {
    await altered(pattern, replacement, async (host) => {
      const error = await ask(host).then(() => assert.fail("it was taken"), (error: Error) => error);
      assert.notEqual(failureOf(error, "agent-unfit"), null);
      assert.equal(error.message, `host "box1": its agent's reply to ${line}`);
      assert.match(host.lost()!, /does not fit/);
    });
  }
});

test("no operation takes a reply of another shape", () => {
  const other = [[[]], "a", -7.5, { "levelfield:map": "a" }, JSON.parse('{"__proto__":{"url":"http://a:1"}}'), true];
  for (const operation of Object.keys(REPLIES) as (keyof AgentOperations)[]) {
    const taken = other.filter((value) => "value" in checkedReply(operation, value));
    // The words of a failed build are any; of counters by name there may be none, and no prototype is kept.
    const fit = operation === "build" ? ["a"] : operation === "countsAt" ? [other[4]] : [];
    assert.deepEqual(taken, fit, operation);
  }
});

test("a line of another shape is no message, and only a map is made one", () => {
  const isMessage = (text: string) => replyOrEvent.safeParse(messageOf(text)).success;
  for (
    const text of [
      ...["", "{", "null", "[]", '{"re":1}', '{"re":"1","value":1}', '{"re":-1,"value":1}', '{"re":1,"failed":{}}'],
      ...['{"of":1}', '{"of":1,"line":{}}', '{"of":1,"line":"a","re":1}', '{"of":1,"built":{"event":"ready"}}'],
      ...['{"of":1,"ended":{"code":0},"stdout":"","stderr":""}', "[".repeat(2_000_000)],
      `{"of":1,"ended":{"failed":"a"},"stdout":"","stderr":"${"a".repeat(200_000)}"}`,
      ...['{"of":1,"ended":{"code":0,"signal":null,"endedUs":1,"files":{"../a":"b"}},"stdout":"","stderr":""}'],
    ]
  ) assert.ok(!isMessage(text), text.slice(0, 100));
  assert.ok(isMessage('{"re":1,"value":{"levelfield:map":"a"}}'));
  const value = (text: string) => (messageOf(`{"re":1,"value":${text}}`) as { value: unknown }).value;
  assert.deepEqual(value('{"levelfield:map":[[1,"a"]]}'), new Map([[1, "a"]]));
  for (
    const text of [
      '{"levelfield:map":"ab"}',
      '{"levelfield:map":[1]}',
      '{"levelfield:map":[["a",1]]}',
      '{"levelfield:map":[],"a":1}',
    ]
  ) {
    assert.deepEqual(value(text), JSON.parse(text));
  }
  const map = new Map([[1, { a: 2 }]]);
  assert.deepEqual((messageOf(lineOf({ re: 1, value: map })) as { value: unknown }).value, map);
});

linuxTest("an agent takes no address of a driver that is none", async () => {
  await altered("xxx", "", async (host) => {
    const says = async (asked: Promise<unknown>, field: RegExp) =>
      await assert.rejects(asked, (error: Error) => error instanceof BenchError && field.test(error.message));
    await says(
      host.serve({ ...service({}), clients: ["10.0.0.1\nhost all all all trust"] }),
      /"serve": "0.clients.0": is no address$/,
    );
    await says(host.serve({ ...service({}), hostname: "127.0.0.1 -c a" }), /"serve": "0.hostname": is no address$/);
    await says(host.roundTripUs("http://a b:1"), /"roundTripUs": "0": is no URL of a server$/);
    await says(
      host.client("http://127.0.0.1:1\r\nX: y", PATIENCE_MS).send("GET", "/"),
      /"client": "0": is no URL of a server$/,
    );
    assert.equal(host.lost(), null);
  });
});

folderTest("a builder that says something else than it should has failed", async (folder) => {
  const builder = join(folder, "builder.mjs");
  writeFileSync(builder, 'console.log("hello"); console.log(JSON.stringify({ event: "ready", directory: 1 }));');
  const request = {
    specs: [{ builder, request: {}, runtime: runtime.name }],
    dataDirectory: folder,
    verify: "quick",
    cpus: null,
  } as const;
  const events: unknown[] = [];
  const why = await localHost().build(request, { onEvent: (event) => events.push(event) });
  assert.equal(why, 'the builder says "hello", which is no event');
  assert.deepEqual(events, []);
});
