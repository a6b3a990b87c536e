/**
 * A server that answers messages over a WebSocket, on Node with the package `ws`:
 *
 * bench run --program ./examples/own-websocket/server.js --websocket /chat --message '{"text":"hi"}'
 */
import { createServer } from "node:http";
import { WebSocketServer } from "ws";

const server = createServer((_, response) => response.end("ready\n"));
const sockets = new WebSocketServer({ server, path: "/chat" });
sockets.on("connection", (socket) => {
  socket.on("message", (data) => {
    const { text } = JSON.parse(String(data));
    socket.send(JSON.stringify({ text: text.toUpperCase(), length: text.length }));
  });
});
server.listen(Number(process.env.PORT ?? 8080), process.env.HOST ?? "127.0.0.1");
