import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { prepareDataset, prepareStore } from "../stores/prepared/prepare.ts";
import { serveApp } from "../tests/suite-testing.ts";
import { inTemporaryFolder, runtime } from "../tests/testing.ts";
import { kv } from "./kv/suite.ts";
import { routes } from "./routes/suite.ts";
import type { AppServer, At, Suite } from "./suite.ts";
import { users } from "./users/suite.ts";

/** Bodies that end before their end, and one whose chunk has no size. */
const BROKEN = [
  "Content-Length: 100\r\n\r\n{}",
  "Transfer-Encoding: chunked\r\n\r\n5\r\n{}",
  "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}",
  "Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n",
  `Transfer-Encoding: chunked\r\n\r\n2;${"e".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
];

/** What a server says to a request behind which the client sends no more. */
function saidTo(url: string, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port), allowHalfOpen: true });
    let said = "";
    const done = () => {
      socket.destroy();
      resolve(said);
    };
    socket.on("data", (more: Uint8Array) => said += String.fromCharCode(...more));
    socket.on("end", done).on("close", done).on("error", done);
    socket.write(request);
    socket.end();
  });
}

/** Apps that read bodies, as their suites serve them, and a path to write to. */
const APPS: readonly (readonly [suite: Suite, at: At, path: string])[] = [
  [users, { store: "map", size: 100 }, "/users"],
  [routes, { route: "echo" }, "/echo"],
  [kv, { server: "hono" }, "/some-key"],
  [kv, { server: "bare" }, "/some-key"],
];

for (const [suite, at, path] of APPS) {
  test(`a body that breaks off is no fault of ${suite.name} ${Object.values(at).join(" ")}, and nothing is kept of it`, async () => {
    const first = Object.fromEntries(suite.axes.map(({ name, values }) => [name, values[0]!]));
    const point = { suite: suite.name, at: { ...first, runtime: runtime.name, ...at } };
    await inTemporaryFolder(async (dataDirectory) => {
      const request = { dataDirectory, seed: 42, size: 100 };
      const directory = suite.files === undefined
        ? null
        : (await prepareStore(request, await prepareDataset(request), String(at["store"]))).directory;
      await serveApp(suite.server(point, directory) as AppServer, async ({ url, target }) => {
        for (const body of BROKEN) {
          const said = await saidTo(url, `POST ${path} HTTP/1.1\r\nHost: a\r\n${body}`);
          assert.match(said, /^(HTTP\/1\.1 4\d\d |$)/, `${JSON.stringify(body.slice(0, 80))}: ${said}`);
        }
        assert.equal((await target.send("GET", path)).status, 404);
        await suite.oracle(point).alive.run(target);
      });
    });
  });
}
