import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { test } from "node:test";
import { KEPT } from "./exchange.ts";
import { keptConnection } from "./talk.ts";
import { listening } from "../../tests/listening.ts";
import { until } from "../../tests/testing.ts";

test("a connection that the server closes after each reply is let go of, and none stays half open", async () => {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  });
  await listening(server, async (_, port) => {
    const bytes = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const kept = keptConnection(port);
    for (let n = 0; n < 20; n++) {
      const text = await kept.send({ mutation: "plain", path: "/", method: "GET", bytes, manner: KEPT });
      assert.equal(text, "200");
    }
    kept.close();
    await until(() => open.size === 0);
  });
});
