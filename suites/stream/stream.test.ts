import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { withServer } from "../../tests/server-client.ts";
import { type Change, failuresIn, madeRequests, pointsOf, serveApp, targetAt } from "../../tests/suite-testing.ts";
import { inTemporaryFolder, onceTest, runtime } from "../../tests/testing.ts";
import type { AppServer, Target } from "../suite.ts";
import { open } from "./app.ts";
import { FILES, isPieced, linesOf } from "./contents.ts";
import { FLOOD_BYTES, MOST_MADE } from "./flood.ts";
import { readRaw } from "./raw-reader.ts";
import { stream } from "./suite.ts";

const SEED = 20_260_726;
const REPLIES = [...stream.axes[0]!.values, ...stream.axes[0]!.others!].map(String);
const [POINT] = pointsOf(stream, { runtime: [runtime.name] });
const at = (reply: string) => ({ ...POINT!, at: { ...POINT!.at, reply } });

/** Serves a kind of reply, changed or not. */
function served<T>(reply: string, work: (target: Target) => Promise<T>, change?: Change): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    const directory = join(folder, "files");
    mkdirSync(directory);
    const size = reply.slice("file-".length) as keyof typeof FILES;
    if (reply.startsWith("file-")) writeFileSync(join(directory, "file.txt"), linesOf(FILES[size]));
    return await serveApp(stream.server(at(reply), directory) as AppServer, ({ target }) => work(target), change);
  });
}

/** Names of the checks that fail. */
const found = (reply: string, change?: Change): Promise<string[]> =>
  served(reply, (target) => failuresIn(stream.oracle(at(reply)).checks(SEED), target), change);

/** What an app answers, changed on its way. */
const changed =
  (change: (body: ReadableStream<Uint8Array>, path: string) => BodyInit | Promise<BodyInit>, more = {}): Change =>
  (fetch) =>
  async (request) => {
    const { status, headers, body } = await fetch(request);
    const changed = body === null ? null : await change(body, new URL(request.url).pathname);
    return new Response(changed, { status, headers: { ...Object.fromEntries(headers), ...more } });
  };

const WHOLE = "all of it comes, as it was made";
const PIECES = "the first piece comes before the last is made";
const WAITS = "what nobody reads is not made";

for (const reply of REPLIES) {
  test(`${reply} is sent as it should be`, async () => {
    await served(reply, async (target) => {
      const { alive, checks, sample } = stream.oracle(at(reply));
      assert.deepEqual(await failuresIn([alive, ...checks(SEED), sample!(SEED + 1)], target), []);
      for (const { method, path, body, expect } of madeRequests(stream.requests(at(reply)), 2)) {
        assert.ok(expect.includes((await target.send(method, path, body)).status), path);
      }
    });
  });
}

/** Asks over a new connection and resets it once the request is sent. */
const askAndLeave = (url: string, path: string) =>
  new Promise<void>((resolve) => {
    const { hostname, port, host } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    socket.on("error", () => {}).on("close", () => resolve());
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, () => socket.resetAndDestroy());
  });

test("readers who leave in the midst of a compressed reply do no harm", async () => {
  const { module, options } = stream.server(at("brotli"), null) as AppServer;
  // In a separate process, which ends by what a stream throws after its reader left: Readable.toWeb of Deno does.
  await withServer(["--module", module, "--options", JSON.stringify(options)], async ({ ready, stop }) => {
    const target = targetAt(ready.url), { alive } = stream.oracle(at("brotli"));
    for (let wave = 0; wave < 10; wave++) {
      await Promise.all(Array.from({ length: 30 }, () => askAndLeave(ready.url, "/brotli/5")));
      // Waits, too, until what they left is done: Bun closes what is not answered for ten seconds.
      assert.deepEqual(await failuresIn([alive], target), []);
    }
    await stop();
  });
});

onceTest("a stream that is sent when all of it is there is found", async () => {
  const buffered = changed((body, path) => path.startsWith("/held/") ? new Response(body).arrayBuffer() : body);
  for (const reply of REPLIES.filter(isPieced)) assert.deepEqual(await found(reply, buffered), [PIECES], reply);
});

onceTest("a stream that is made for nobody is found", async () => {
  const unasked = changed((body, path) =>
    path !== "/flood/0" ? body : new ReadableStream({
      async start(controller) {
        for await (const piece of body) controller.enqueue(piece);
      },
    })
  );
  assert.deepEqual(await found("chunks-10", unasked), [WAITS]);
});

onceTest("a server whose memory grows for a reader who reads nothing is found", async () => {
  const kept: Uint8Array[] = [];
  const growing = changed((body, path) => {
    if (path === "/flood/0") kept.push(new Uint8Array(2 * FLOOD_BYTES).fill(1));
    return body;
  });
  assert.deepEqual(await found("chunks-10", growing), [WAITS]);
  assert.equal(kept.length, 1);
});

test("when pieces arrive, and what is made for nobody, is told", async () => {
  await served("chunks-1000", async (target) => {
    const { replies, facts } = await stream.oracle(at("chunks-1000")).audit!([]).run(target);
    assert.ok(replies > 0);
    const { first_piece_us: first, last_piece_us: last, made_for_no_reader_bytes: made } = facts!;
    assert.ok(first! > 0 && first! <= last!);
    assert.ok(made! > 0 && made! <= MOST_MADE && MOST_MADE < FLOOD_BYTES);
  });
});

onceTest("of a server on another host nothing is said that cannot be seen from here", async () => {
  await served("events", async ({ send }) => {
    const { checks, audit } = stream.oracle(at("events"));
    assert.deepEqual(await failuresIn(checks(SEED), { send }), []);
    assert.deepEqual(await audit!([]).run({ send }), { replies: 0 });
  });
});

test("what is no address is answered with 404: Bun hands on what CONNECT asks for as it is", async () => {
  const app = await open({ directory: null, options: { reply: "events" }, runtime: runtime.name });
  assert.equal((await app.fetch!({ method: "CONNECT", url: "a" } as Request)).status, 404);
});

onceTest("a reply that lacks something is found", async () => {
  const text = (change: (text: string) => string) => changed(async (body) => change(await new Response(body).text()));
  assert.deepEqual(await found("json", text((body) => body.replace('"id":7,', '"id":8,'))), [WHOLE]);
  assert.deepEqual(await found("file-10k", text((body) => body.replace("ash", "oak"))), [WHOLE]);
  assert.deepEqual(await found("gzip", changed((body) => body, { "content-encoding": "x" })), [WHOLE]);
  assert.deepEqual(await found("gzip", text((body) => body)), [WHOLE]);
  await served("json", async (target) => {
    for (const body of ["{", "{}", '{"rows":1}']) {
      assert.equal((await target.send("POST", "/json/0", body)).status, 400);
    }
  });
  assert.deepEqual(await found("brotli", changed((body) => body.pipeThrough(new TransformStream()))), []);
});

onceTest("a stream that goes on without the piece that is sought is cut", async () => {
  const server = createServer((socket) => {
    const write = () => socket.writable && (socket.write("a"), setTimeout(write, 5));
    socket.on("error", () => {}).once("data", write);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const reader = readRaw(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "/", 50);
  await assert.rejects(reader.sees("b"), /the connection ended before "b" came/);
  server.close();
});
