import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { curl } from "../tests/server-client.ts";
import { runtime } from "../tests/testing.ts";
import { type Adapter, type BareServer, HEALTH_BODY, ListenError } from "./adapter.ts";
import { RUNTIME_NAMES } from "./runtime.ts";

const HERE = { hostname: "127.0.0.1", port: 0 };
const { serve }: { serve: Adapter } = await import(`./adapters/${runtime.name}.ts`);
const { serve: serveBare }: { serve: BareServer } = await import(`./bare/${runtime.name}.ts`);

const SERVERS: Readonly<Record<string, BareServer>> = {
  adapter: (listen) => serve({ ...listen, fetch: () => new Response(HEALTH_BODY) }),
  "bare server": serveBare,
};

test("adapters and bare servers of all runtimes export the same", async () => {
  for (const kind of ["adapters", "bare"]) {
    for (const name of RUNTIME_NAMES) {
      const module: Record<string, unknown> = await import(`./${kind}/${name}.ts`);
      assert.equal(typeof module["serve"], "function", `${kind}/${name}`);
      assert.equal((module["serve"] as (options: unknown) => unknown).length, 1, `${kind}/${name}`);
    }
  }
});

for (const [name, listen] of Object.entries(SERVERS)) {
  test(`the ${name} is listening when it says so, and its port is free when it has closed`, async () => {
    const first = await listen(HERE);
    assert.equal((await curl(first.url, "GET", "/health")).status, 200);
    const taken = { ...HERE, port: Number(new URL(first.url).port) };
    await assert.rejects(listen(taken), (error) => error instanceof ListenError && error.code === "port-taken");
    const idle = connect(taken.port, taken.hostname);
    idle.on("error", () => {});
    await new Promise<void>((done) => idle.once("connect", () => done()));
    idle.write("GET /health HTTP/1.1\r\nhost: a\r\n\r\n");
    await new Promise((done) => idle.once("data", done));
    const dropped = new Promise<void>((done) => idle.once("close", () => done()));
    await first.close();
    await dropped;
    const second = await listen(taken);
    assert.equal((await curl(second.url, "GET", "/health")).status, 200);
    await second.close();
  });
}
