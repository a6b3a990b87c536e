import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { idMaker, userMaker } from "../stores/dataset/user-at.ts";
import type { Store } from "../stores/store.ts";
import { copyUser, encodeUser, type User } from "../stores/user.ts";
import { curl } from "../tests/server-client.ts";
import { runtime, within } from "../tests/testing.ts";
import { type Adapter, type BareServer, HEALTH_BODY, ListenError } from "./adapter.ts";
import { RUNTIME_NAMES } from "./runtime.ts";
import { type CheckTarget, serverChecks, WrongAnswer } from "./server-checks.ts";
import { usersApp } from "./users-app.ts";

const SEED = 1;
const SIZE = 50;
const HERE = { hostname: "127.0.0.1", port: 0 };
const { serve }: { serve: Adapter } = await import(`./adapters/${runtime.name}.ts`);
const { serve: serveBare }: { serve: BareServer } = await import(`./bare/${runtime.name}.ts`);
const { serve: serveNull }: { serve: BareServer } = await import("./null-server.ts");

const SERVERS: Readonly<Record<string, BareServer>> = {
  adapter: (listen) => serve({ ...listen, fetch: () => new Response(HEALTH_BODY) }),
  "bare server": serveBare,
  "null server": serveNull,
};

/** A store of users in memory, without files. */
function memoryStore(): Store {
  const users = new Map(Array.from({ length: SIZE }, (_, index) => {
    const user = userMaker(SEED)(index);
    return [user.id, user] as const;
  }));
  return {
    find: (id) => users.get(id),
    create: (user) => void users.set(user.id, copyUser(user)),
    describe: () => ({ engine: "Map", sqliteVersion: null, sqliteSourceId: null, pragmas: {}, diskBytes: 0 }),
    close: () => users.clear(),
  };
}

/** Names of the checks that find a wrong answer; anything else they throw is not expected. */
async function wrongAnswers(fetch: (request: Request) => Response | Promise<Response>): Promise<string[]> {
  const server = await serve({ ...HERE, fetch });
  const target: CheckTarget = {
    userAt: userMaker(SEED),
    size: SIZE,
    hits: [0, 7, SIZE - 1],
    misses: [SIZE, SIZE + 1],
    send: async (method, path, body) => await curl(server.url, method, path, body === undefined ? {} : { body }),
  };
  const failed: string[] = [];
  for (const check of serverChecks) {
    await check.run(target).catch((error) => {
      assert.ok(error instanceof WrongAnswer, String(error));
      failed.push(check.name);
    });
  }
  await within(5000, "closing", server.close());
  return failed;
}

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
    await within(5000, "closing", first.close());
    await within(5000, "dropping an open connection", dropped);
    const second = await listen(taken);
    assert.equal((await curl(second.url, "GET", "/health")).status, 200);
    await within(5000, "closing", second.close());
  });
}

test("the right app passes all checks through this runtime's adapter", async () => {
  assert.deepEqual(await wrongAnswers(usersApp(memoryStore()).fetch), []);
});

test("an app that changes one byte of a user is caught", async () => {
  const app = usersApp(memoryStore());
  const wrong = await wrongAnswers(async (request) => {
    const reply = await app.fetch(request);
    const text = await reply.text();
    const changed = request.url.includes(idMaker(SEED)(7)) ? text.replace(`"age"`, `"agE"`) : text;
    return new Response(changed, { status: reply.status });
  });
  assert.deepEqual(wrong, ["users of the data set are found, byte for byte"]);
});

test("an app that answers with a wrong status is caught", async () => {
  const app = usersApp(memoryStore());
  const wrong = await wrongAnswers(async (request) => {
    const reply = await app.fetch(request);
    return reply.status === 413 ? new Response(await reply.text(), { status: 400 }) : reply;
  });
  assert.deepEqual(wrong, ["a body above the limit is refused with 413"]);
});

test("of many who create the same user at once, one is told that it was created", async () => {
  const app = usersApp(memoryStore());
  const user: User = userMaker(SEED)(SIZE);
  const replies = await Promise.all(
    Array.from(
      { length: 20 },
      async () => (await app.fetch(new Request("http://a/users", { method: "POST", body: encodeUser(user) }))).status,
    ),
  );
  assert.deepEqual(replies.sort(), [201, ...new Array<number>(19).fill(409)]);
});
