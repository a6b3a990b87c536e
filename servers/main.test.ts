import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { prepareDataset, prepareStore } from "../stores/prepared/prepare.ts";
import { curl, withServer } from "../tests/server-client.ts";
import { fingerprint, inTemporaryFolder, runtime, startScript, within } from "../tests/testing.ts";
import { HEALTH_BODY } from "./adapter.ts";

async function withPrepared(store: string, work: (directory: string) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (dataDirectory) => {
    const request = { dataDirectory, seed: 1, size: 300 };
    await work((await prepareStore(request, await prepareDataset(request), store)).directory);
  });
}

/** Whether anybody accepts a connection. */
function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 });
    const answer = (is: boolean) => (socket.destroy(), resolve(is));
    socket.once("connect", () => answer(true)).once("error", () => answer(false)).once("timeout", () => answer(false));
  });
}

test("the bare server answers each request with the health reply", async () => {
  await withServer(["--app", "bare"], async ({ ready, stop }) => {
    assert.deepEqual([ready.app, ready.runtime, ready.store], ["bare", runtime.name, null]);
    for (const path of ["/health", "/", "/users/1"]) {
      assert.deepEqual(await curl(ready.url, "GET", path), { status: 200, body: HEALTH_BODY });
    }
    await stop();
  });
});

test("the null server answers each request with the same two bytes", async () => {
  await withServer(["--app", "null"], async ({ ready, stop }) => {
    assert.deepEqual([ready.app, ready.store], ["null", null]);
    for (const path of ["/", "/users/1"]) {
      assert.deepEqual(await curl(ready.url, "GET", path), { status: 200, body: "{}" });
    }
    await stop();
  });
});

test("SIGTERM and SIGINT end it like a closed stdin does", async () => {
  await withPrepared("sqlite", async (directory) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      await withServer(["--store", "sqlite", "--directory", directory, "--copy"], async ({ run, stop }) => {
        // Deno's child.kill reports the signal as the ending, whatever the process made of it (2.9.5).
        await stop(() => void process.kill(run.pid, signal));
      });
      assert.deepEqual(readdirSync(join(directory, "..")).sort(), ["dataset", "sqlite-1"]);
    }
  });
});

test("it ends within its time also while connections are open and a request is half sent", async () => {
  await withPrepared("map", async (directory) => {
    await withServer(["--store", "map", "--directory", directory], async ({ ready, stop }) => {
      const sockets = Array.from({ length: 3 }, () => connect(Number(new URL(ready.url).port), "127.0.0.1"));
      for (const socket of sockets) socket.on("error", () => {});
      await Promise.all(sockets.map((socket) => new Promise<void>((done) => socket.once("connect", () => done()))));
      sockets[0]!.write("GET /health HTTP/1.1\r\nhost: a\r\n\r\n");
      await new Promise((done) => sockets[0]!.once("data", done));
      sockets[1]!.write("POST /users HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{");
      try {
        await stop();
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    });
  });
});

test("a stdin that closes before it is ready ends it too, and no copy is left", async () => {
  await withPrepared("binary", async (directory) => {
    const run = startScript("servers/main.ts", "--store", "binary", "--directory", directory, "--copy");
    run.child.stdin!.end();
    assert.equal((await within(10_000, "stopping", run.ended)).code, 0);
    assert.deepEqual(readdirSync(join(directory, "..")).sort(), ["binary-1", "dataset"]);
  });
});

test("what keeps it from starting is one line on stderr with exit 1, and no copy is left", async () => {
  await withPrepared("map", async (directory) => {
    await withServer(["--app", "null"], async ({ ready, stop }) => {
      const { port } = new URL(ready.url);
      const before = fingerprint(directory);
      const served = ["--store", "map", "--directory", directory];
      const cases: readonly [args: readonly string[], says: RegExp][] = [
        [[...served, "--port", port], /^cannot listen on "127\.0\.0\.1:\d+": the port is taken\n$/],
        [[...served, "--copy", "--port", port], /the port is taken\n$/],
        [["--app", "bare", "--port", port], /the port is taken\n$/],
        [["--app", "null", "--port", port], /the port is taken\n$/],
        [["--store", "binary", "--directory", directory, "--copy"], /index\.bin.*\n$/],
        [["--store", "postgres", "--directory", directory], /^unknown store "postgres"[^\n]*\n$/],
        [["--app", "users"], /^app "users" needs [^\n]*\n$/],
        [["--app", "nil"], /^--app must be one of users, bare, null, got "nil"\n$/],
        [["--app", "bare", "--port", "http"], /^--port must be a number from 0 to 65535, got "http"\n$/],
        [["--app", "bare", "--port", "80.5"], /^--port must be a number/],
        [["--app", "bare", "--port", "65536"], /^--port must be a number/],
        [[...served, "--ballast", "much"], /^--ballast must be a number from 0 to 1000, got "much"\n$/],
      ];
      for (const [args, says] of cases) {
        const run = startScript("servers/main.ts", ...args);
        assert.equal((await within(10_000, "failing", run.ended)).code, 1, args.join(" "));
        assert.match(run.stderr(), says);
        assert.equal(run.stderr().split("\n").length, 2, run.stderr());
        assert.equal(run.stdout(), "");
      }
      assert.deepEqual(readdirSync(join(directory, "..")).sort(), ["dataset", "jsonl-1"]);
      assert.deepEqual(fingerprint(directory), before);
      await stop();
    });
  });
});

test("it listens on the loopback address and on no other", async () => {
  const others = Object.values(networkInterfaces()).flat().filter((one) => one?.family === "IPv4" && !one.internal);
  for (const app of ["bare", "null"]) {
    await withServer(["--app", app], async ({ ready, stop }) => {
      const { hostname, port } = new URL(ready.url);
      assert.equal(hostname, "127.0.0.1");
      assert.equal(await accepts("127.0.0.1", Number(port)), true);
      for (const other of ["127.0.0.2", "::1", ...others.map((one) => one!.address)]) {
        assert.equal(await accepts(other, Number(port)), false, other);
      }
      await stop();
    });
  }
});
