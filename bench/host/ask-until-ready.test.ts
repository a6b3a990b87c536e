import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer as createPlain, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { type AskedUntilReady, askUntilReady } from "./ask-until-ready.ts";
import { findProgram } from "./child.ts";

/** Asks a server until something is so. */
async function asked(
  server: Server,
  until: (asked: AskedUntilReady, ready: boolean) => boolean,
): Promise<string | null> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const asking = askUntilReady("/");
  while (!until(asking, await asking.ready(url, 25))) await new Promise((resolve) => setTimeout(resolve, 5));
  const why = asking.why();
  asking.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((closed) => server.close(closed));
  return why;
}

const told = (asking: AskedUntilReady, ready: boolean) => ready || asking.why() !== null;

test("a reply that takes longer than asks are apart is waited for", async () => {
  let asks = 0;
  // It answers its first ask, when it is asked a second time.
  const waiting: (() => void)[] = [];
  const server = createHttp((_, reply) => {
    waiting.push(() => reply.end("a"));
    if (++asks === 2) waiting[0]!();
  });
  await asked(server, (_, ready) => ready);
  assert.equal(asks, 2);
});

test("one that never answers, answers an error or speaks no HTTP is told so", async () => {
  assert.match(
    (await asked(createHttp(() => {}), told))!,
    /^"\/" was asked \d+ s ago and is not answered yet: .* --ready$/,
  );
  const failing = createHttp((_, reply) => {
    reply.statusCode = 503;
    reply.end("no table");
  });
  assert.equal(
    await asked(failing, told),
    '"/" is answered with status 503 ("no table"): name another path with --ready',
  );
  const other = createPlain((socket) => void socket.on("error", () => {}).end("hello\r\n\r\n"));
  assert.match((await asked(other, told))!, /^it answers "hello\S*", which is no HTTP\/1\.1$/);
});

(findProgram("openssl") === undefined ? test.skip : test)("one that speaks TLS is known by its greeting", async () => {
  await inTemporaryFolder(async (folder) => {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const words = `req -x509 -newkey rsa:2048 -nodes -subj /CN=a -days 2 -keyout ${key} -out ${cert}`;
    execFileSync("openssl", words.split(" "), { stdio: "ignore" });
    const server = createHttps({ key: readFileSync(key), cert: readFileSync(cert) });
    assert.match((await asked(server, (asking) => asking.speaksTls()))!, /^it speaks TLS: have it speak plain HTTP/);
  });
});
