import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { curl, withServer } from "../tests/server-client.ts";
import { fingerprint, inTemporaryFolder, runtime, startScript } from "../tests/testing.ts";
import { HEALTH_BODY } from "./adapter.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const moduleArgs = (file: string) => ["--module", pathOf(file)];
const BARE = moduleArgs("./apps/bare.ts");
const FILE_APP = moduleArgs("../tests/fixtures/file-app.ts");

/** Makes a folder for the app over files, alone in a home of its own. */
async function withFolder(work: (directory: string) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (home) => {
    const directory = join(home, "files");
    mkdirSync(directory);
    writeFileSync(join(directory, "text.txt"), "as built");
    await work(directory);
  });
}

/** Whether anybody accepts a connection. */
function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const answer = (is: boolean) => (socket.destroy(), resolve(is));
    socket.once("connect", () => answer(true)).once("error", () => answer(false));
  });
}

test("the bare server answers each request with the health reply", async () => {
  await withServer(BARE, async ({ ready, stop }) => {
    assert.deepEqual([ready.runtime, ready.diskBytes, ready.facts], [runtime.name, null, {}]);
    for (const path of ["/health", "/", "/users/1"]) {
      assert.deepEqual(await curl(ready.url, "GET", path), { status: 200, body: HEALTH_BODY });
    }
    await stop();
  });
});

const folderTest = (name: string, run: Parameters<typeof withFolder>[0]) => test(name, () => withFolder(run));

folderTest("an app gets its folder and options, and says of itself what it was given", async (directory) => {
  const options = { colour: 'a "blue"', size: 3 };
  const args = [...FILE_APP, "--directory", directory, "--options", JSON.stringify(options)];
  await withServer(args, async ({ ready, stop }) => {
    assert.deepEqual([ready.diskBytes, ready.facts], [8, { ...options, engine: "file" }]);
    assert.equal((await curl(ready.url, "GET", "/")).body, "as built");
    await stop();
  });
});

test("a module with nothing but a fetch method is served", async () => {
  await withServer(moduleArgs("../tests/fixtures/fetch-app.ts"), async ({ ready, stop }) => {
    assert.deepEqual(await curl(ready.url, "GET", "/"), { status: 200, body: "hello" });
    await stop();
  });
});

folderTest("what requests change in a copy is gone with it", async (directory) => {
  const before = fingerprint(directory);
  await withServer([...FILE_APP, "--directory", directory, "--copy"], async ({ ready, stop }) => {
    assert.equal((await curl(ready.url, "POST", "/", { body: "changed" })).body, "changed");
    assert.equal(readFileSync(join(directory, "..", `.scratch-${ready.pid}-files`, "text.txt"), "utf8"), "changed");
    await stop();
  });
  assert.deepEqual(fingerprint(directory), before);
  assert.deepEqual(readdirSync(join(directory, "..")), ["files"]);
});

folderTest("SIGTERM and SIGINT end it like a closed stdin does", async (directory) => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    await withServer([...FILE_APP, "--directory", directory, "--copy"], async ({ run, stop }) => {
      // Deno's child.kill reports the signal as the ending, whatever the process made of it (2.9.5).
      await stop(() => void process.kill(run.pid, signal));
    });
    assert.deepEqual(readdirSync(join(directory, "..")), ["files"]);
  }
});

folderTest("it ends within its time also while connections are open and a request is half sent", async (directory) => {
  await withServer([...FILE_APP, "--directory", directory], async ({ ready, stop }) => {
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

folderTest("a stdin that closes before it is ready ends it too, and no copy is left", async (directory) => {
  const run = startScript("servers/main.ts", ...FILE_APP, "--directory", directory, "--copy");
  run.child.stdin!.end();
  assert.equal((await run.ended).code, 0);
  assert.deepEqual(readdirSync(join(directory, "..")), ["files"]);
});

folderTest(
  "that this runtime cannot run an app is one line on stdout with exit 0, and no copy is left",
  async (directory) => {
    const options = JSON.stringify({ refuse: "wings" });
    const run = startScript("servers/main.ts", ...FILE_APP, "--directory", directory, "--copy", "--options", options);
    assert.equal((await run.ended).code, 0);
    assert.deepEqual(JSON.parse(run.stdout()), {
      schema: "levelfield.ready/2",
      unsupported: `${runtime.name} has no wings`,
    });
    assert.equal(run.stdout().split("\n").length, 2);
    assert.deepEqual(readdirSync(join(directory, "..")), ["files"]);
  },
);

test("a module without an app is refused by a code on stdout, and in words on stderr with exit 1", async () => {
  const run = startScript("servers/main.ts", ...moduleArgs("./adapter.ts"));
  assert.equal((await run.ended).code, 1);
  assert.match(run.stderr(), /^"[^"]*adapter\.ts" exports neither [^\n]*\n$/);
  assert.deepEqual(JSON.parse(run.stdout()), {
    schema: "levelfield.ready/2",
    refused: "no-app",
    fault: run.stderr().trim(),
  });
});

folderTest("what keeps it from starting is one line on stderr with exit 1, and no copy is left", async (directory) => {
  await withServer(BARE, async ({ ready, stop }) => {
    const { port } = new URL(ready.url);
    const before = fingerprint(directory);
    const served = [...FILE_APP, "--directory", directory];
    const cases: readonly [args: readonly string[], says: RegExp][] = [
      [[...served, "--port", port], /^cannot listen on "127\.0\.0\.1:\d+": the port is taken\n$/],
      [[...served, "--copy", "--port", port], /the port is taken\n$/],
      [[...BARE, "--port", port], /the port is taken\n$/],
      [[...FILE_APP, "--directory", join(directory, "..")], /text\.txt.*\n$/],
      [[], /^--module is missing[^\n]*\n$/],
      [moduleArgs("./apps/nil.ts"), /nil\.ts/],
      [[...served, "--options", "{"], /^--options must be a JSON object, got "\{"\n$/],
      [[...BARE, "--port", "http"], /^--port must be a number from 0 to 65535, got "http"\n$/],
      [[...BARE, "--port", "80.5"], /^--port must be a number/],
      [[...BARE, "--port", "65536"], /^--port must be a number/],
      [[...BARE, "--ballast", "1"], /^--ballast needs an app with a fetch handler\n$/],
      [[...served, "--ballast", "much"], /^--ballast must be a number from 0 to 1000, got "much"\n$/],
    ];
    // How options are read is the same on all runtimes.
    for (const [args, says] of runtime.name === "node" ? cases : cases.slice(0, 6)) {
      const run = startScript("servers/main.ts", ...args);
      assert.equal((await run.ended).code, 1, args.join(" "));
      assert.match(run.stderr(), says);
      assert.equal(run.stderr().split("\n").length, 2, run.stderr());
      assert.equal(run.stdout(), "");
    }
    assert.deepEqual(readdirSync(join(directory, "..")), ["files"]);
    assert.deepEqual(fingerprint(directory), before);
    await stop();
  });
});

test("it listens on the loopback address and on no other", async () => {
  const others = Object.values(networkInterfaces()).flat().filter((one) => one?.family === "IPv4" && !one.internal);
  for (const app of [BARE, moduleArgs("../tests/fixtures/fetch-app.ts")]) {
    await withServer(app, async ({ ready, stop }) => {
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
