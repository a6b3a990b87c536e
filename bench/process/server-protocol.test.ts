import assert from "node:assert/strict";
import { createServer as createHttp, type Server as HttpServer } from "node:http";
import { createServer as createHttps } from "node:https";
import { createServer as createPlain, type Server } from "node:net";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { listening } from "../../tests/listening.ts";
import { runtime } from "../../tests/testing.ts";
import type { Adapter } from "../../servers/adapter.ts";
import { isTls, type Protocol } from "../../servers/protocol.ts";
import { findProgram } from "../machine/programs.ts";
import { freePort } from "../machine/listening-ports.ts";
import { PROTOCOLS } from "../record/cell.ts";
import { openClient } from "./open-client.ts";
import { runCertificate } from "./run-certificate.ts";
import { handshakeFault, negotiate, type ServerProtocol } from "./server-protocol.ts";

const tlsTest = findProgram("openssl") === undefined ? test.skip : test;
const HERE = { hostname: "127.0.0.1", port: 0 };
const { serve }: { serve: Adapter } = await import(`../../servers/adapters/${runtime.name}.ts`);

/** Key and certificate of a run, and how a server that has them is spoken to. */
async function spokenBy(protocol: Protocol) {
  const { key, cert, pem } = await runCertificate(HERE.hostname);
  const tls = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  const spoken: ServerProtocol = { protocol, ...(isTls(protocol) ? { certificate: pem } : {}) };
  return { spoken, listen: { ...HERE, protocol, ...(isTls(protocol) ? { tls } : {}) } };
}

for (const protocol of PROTOCOLS) {
  tlsTest(`the adapter and clients speak ${protocol}, with bodies, statuses and bytes that are no text`, async () => {
    const { spoken, listen } = await spokenBy(protocol);
    const server = await serve({
      ...listen,
      async fetch(request) {
        const body = await request.arrayBuffer();
        const told = {
          "x-path": new URL(request.url).pathname,
          "x-type": request.headers.get("content-type") ?? "none",
        };
        return new Response(body, { status: request.method === "POST" ? 201 : 200, headers: told });
      },
    });
    const client = openClient(server.url, 60_000, spoken);
    try {
      const got = await client.send("GET", "/a", undefined, { "x-own": "1" });
      assert.deepEqual([got.status, got.body, got.headers["x-path"], got.headers["x-type"]], [200, "", "/a", "none"]);
      const large = "x".repeat(300_000);
      const posted = await client.send("POST", "/b", large);
      assert.deepEqual([posted.status, posted.body.length], [201, large.length]);
      assert.equal(posted.bytes!.body, large.length);
      assert.equal(posted.headers["x-type"], "application/json");
      const bytes = { base64: Buffer.from([0xff, 0, 0xfe]).toString("base64") };
      assert.equal((await client.send("POST", "/b", bytes)).base64, bytes.base64);
      const said = await negotiate(server.url, spoken);
      if (!isTls(protocol)) assert.deepEqual(said, {});
      else {
        assert.match(said["tls_version"]!, /^TLSv1\.[23]$/);
        assert.match(said["tls_cipher"]!, /^TLS_/);
        if (protocol === "h2") assert.equal(said["alpn"], "h2");
      }
    } finally {
      client.close();
      await server.close();
    }
  });
}

/** What a handshake with a server comes to, in words. */
async function said(server: Server | HttpServer, spoken: ServerProtocol): Promise<string> {
  const told = (port: number) => negotiate(`https://${HERE.hostname}:${port}`, spoken);
  return await listening(server, (_, port) => told(port).then(() => "agreed", ({ message }) => message));
}

tlsTest("a handshake that comes to nothing says why in one line", async () => {
  const { spoken } = await spokenBy("https");
  const other = await runCertificate("127.0.0.2");
  const tls = { key: readFileSync(other.key), cert: readFileSync(other.cert) };
  assert.match(
    await said(createHttps(tls), spoken),
    /^its certificate is another one \(\S+\): have it serve the files TLS_KEY and/,
  );
  assert.match(await said(createHttp(), spoken), /^it does not answer in TLS: have it do so where PROTOCOL says it$/);
  const closing = () => createPlain((socket) => void socket.on("error", () => {}).once("data", () => socket.destroy()));
  assert.match(
    await said(closing(), spoken),
    /^it closes connections within the handshake of TLS$|^its handshake of TLS broke off: /,
  );
  const files = await runCertificate(HERE.hostname);
  const plain = createHttps({ key: readFileSync(files.key), cert: readFileSync(files.cert) });
  assert.match(
    await said(plain, { ...spoken, protocol: "h2" }),
    /^it speaks TLS, and no(t the version of HTTP|  ?HTTP\/2)/,
  );
});

tlsTest("a client of HTTP/2 rejects what it is not answered, and goes on with a new connection", async () => {
  const { spoken, listen } = await spokenBy("h2c");
  const silent = createPlain((socket) => void socket.on("error", () => {}));
  await listening(silent, async (url) => {
    const client = openClient(url, 300, spoken);
    await assert.rejects(client.send("GET", "/"), /^BenchError: no reply within 300 ms$/);
    client.close();
  });
  const first = await serve({ ...listen, fetch: () => new Response("a") });
  const again = openClient(first.url, 60_000, spoken);
  assert.equal((await again.send("GET", "/")).body, "a");
  await first.close();
  await assert.rejects(again.send("GET", "/"));
  const second = await serve({ ...listen, port: Number(new URL(first.url).port), fetch: () => new Response("b") });
  assert.equal((await again.send("GET", "/")).body, "b");
  again.close();
  await second.close();
});

tlsTest("what a client of HTTP/2 is not answered by says why, as a handshake does", async () => {
  const { spoken } = await spokenBy("h2");
  const asked = async (_: string, port: number) => {
    const client = openClient(`https://${HERE.hostname}:${port}`, 60_000, spoken);
    const error: NodeJS.ErrnoException = await client.send("GET", "/").then(
      () => assert.fail("answered"),
      (why) => why,
    );
    client.close();
    return handshakeFault(error) ?? error.message;
  };
  assert.match(await listening(createHttp(), asked), /^it does not answer in TLS/);
  assert.match(await asked("", await freePort(HERE.hostname)), /ECONNREFUSED|refused|connect/i);
  const closing = createPlain((socket) => void socket.on("error", () => {}).once("data", () => socket.destroy()));
  assert.match(await listening(closing, asked), /disconnected|closed|ECONNRESET|cancel/i);
});
