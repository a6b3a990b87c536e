/** What the client sends, and what it makes of replies of all kinds, over plain sockets. */
import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { test } from "node:test";
import { listening } from "../../tests/listening.ts";
import { PATIENCE_MS } from "../../tests/patience.ts";
import { httpClient, requestBytes } from "./http-client.ts";

/** Asks a server that writes what is told to each request, a byte at a time or all at once. */
async function answered(reply: string, { method = "GET", ends = false, atOnce = false, waitMs = PATIENCE_MS } = {}) {
  const server = createServer((socket: Socket) => {
    socket.on("error", () => {});
    socket.on("data", () => {
      const bytes = Buffer.from(reply, "latin1");
      for (const part of atOnce ? [bytes] : bytes) socket.write(typeof part === "number" ? Buffer.of(part) : part);
      if (ends) socket.end();
    });
  });
  return await listening(server, async (url) => {
    const client = httpClient(url, waitMs);
    return await client.send(method, "/").finally(client.close);
  });
}

const head = (...lines: readonly string[]) => `HTTP/1.1 200 OK\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`;

test("a reply is read whole however its body ends", async () => {
  assert.equal((await answered(`${head("content-length: 2")}ok`)).body, "ok");
  const chunks = `${head("transfer-encoding: chunked")}3\r\nabc\r\n2;x=1\r\nde\r\n0\r\nt: a\r\n\r\n`;
  assert.equal((await answered(chunks)).body, "abcde");
  const closed = await answered(`${head()}until the end`, { ends: true });
  assert.deepEqual([closed.body, closed.endedByClose], ["until the end", true]);
  assert.equal((await answered(head("content-length: 9"), { method: "HEAD" })).body, "");
  for (const status of ["204 No Content", "304 Not Modified"]) {
    assert.equal((await answered(`HTTP/1.1 ${status}\r\n\r\n`)).status, Number(status.slice(0, 3)));
  }
});

test("an interim reply is none: it is told beside the one that follows it", async () => {
  const hints = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
  const reply = await answered(`${hints}${hints}${head("content-length: 2")}ok`);
  assert.deepEqual([reply.status, reply.body, reply.interim], [200, "ok", [103, 103]]);
});

test("every byte of a reply is counted, and those of its body apart", async () => {
  const chunks = `${head("transfer-encoding: chunked")}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`;
  const hints = `HTTP/1.1 103 Early Hints\r\n\r\n${head("content-length: 2")}\xff\x00`;
  for (const [reply, body] of [[chunks, 5], [hints, 2], [`${head()}until the end`, 13]] as const) {
    assert.deepEqual((await answered(reply, { ends: true })).bytes, { whole: reply.length, body });
  }
});

test("a body that is no text is told in base64 as well", async () => {
  const reply = await answered(`${head("content-length: 2")}\xff\x00`);
  assert.equal(reply.base64, Buffer.of(0xff, 0).toString("base64"));
  assert.ok(!("base64" in await answered(`${head("content-length: 2")}ok`)));
});

test("what is no reply is refused in a line that says why", async () => {
  const wrong: readonly (readonly [RegExp, string])[] = [
    [/followed by 4 bytes of no reply/, `HTTP/1.1 204 No Content\r\n\r\nbody`],
    [/followed by 1 byte of/, `${head("content-length: 2")}oks`],
    [/changes the protocol \(101\)/, "HTTP/1.1 101 Switching Protocols\r\n\r\n"],
    [/does not end in CRLF/, "HTTP/1.1 200 OK\ncontent-length: 0\n\n"],
    [/is no HTTP\/1\.1/, "SSH-2.0-x\r\n"],
    [/both Content-Length and Transfer-Encoding/, head("content-length: 2", "transfer-encoding: chunked")],
    [/Content-Length "2, 3"/, head("content-length: 2", "content-length: 3")],
    [/chunk without a size/, `${head("transfer-encoding: chunked")}x\r\n`],
  ];
  // Sent at once: what follows a reply is then there with its end.
  for (const [message, reply] of wrong) await assert.rejects(answered(reply, { atOnce: true }), { message });
  await assert.rejects(answered(`${head("content-length: 9")}ok`, { ends: true }), /closed within its reply/);
  await assert.rejects(answered("", { ends: true }), /closed without a reply/);
  await assert.rejects(
    answered(`${head("content-length: 9")}ok`, { waitMs: 50 }),
    /^BenchError: no reply within 50 ms/,
  );
  await assert.rejects(answered("", { waitMs: 50 }), /no reply within 50 ms/);
});

test("a server that answers one request of a connection and no more is told so", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {}).once("data", () => socket.write(`${head("content-length: 2")}ok`));
  });
  await listening(server, async (url) => {
    const client = httpClient(url, 50.4);
    await client.send("GET", "/");
    await assert.rejects(client.send("GET", "/"), /no reply within 50 ms: 1 reply came on its connection before$/);
    client.close();
  });
});

test("what a server closes because it was quiet is asked once more, and what it closes at once is not", async () => {
  let asked = 0;
  // Each connection is answered once.
  const server = createServer((socket) => {
    const reply = () => (asked++, socket.write(`${head("content-length: 2")}ok`));
    socket.on("error", () => {}).once("data", () => (reply(), socket.on("data", () => socket.destroy())));
  });
  await listening(server, async (url) => {
    const askedTwice = async (method: string, idleMs: number) => {
      const client = httpClient(url, PATIENCE_MS, { protocol: "http" }, idleMs);
      await client.send(method, "/");
      return await client.send(method, "/").finally(client.close);
    };
    assert.equal((await askedTwice("GET", 0)).body, "ok");
    assert.equal(asked, 2);
    await assert.rejects(askedTwice("POST", 0), /closed without a reply|ECONNRESET/);
    await assert.rejects(askedTwice("GET", Infinity), /closed without a reply|ECONNRESET/);
  });
});

test("a request is its bytes: names as they are, values in Latin-1, a body of any bytes", () => {
  const body = { base64: Buffer.of(0, 0xff, 0x7b).toString("base64") };
  const bytes = requestBytes({ method: "POST", path: "/%C3%BC?a={b}", host: "h:1", headers: { "X-A": "é" }, body });
  assert.equal(
    bytes.toString("latin1"),
    "POST /%C3%BC?a={b} HTTP/1.1\r\nHost: h:1\r\nX-A: é\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n\0\xff{",
  );
  for (const headers of [{ a: "b\r\nc: d" }, { "a\n": "b" }]) {
    assert.throws(() => requestBytes({ method: "GET", path: "/", host: "h", headers }), /cannot be sent/);
  }
});
