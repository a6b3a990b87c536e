/**
 * A server that answers messages over a WebSocket, on Node with the package `ws`:
 *
 * bench run --program ./examples/own-websocket/server.js --websocket /chat --message '{"text":"hi"}'
 *
 * Who asks for /members has to say first who he is, once a connection:
 *
 * bench run --program ./examples/own-websocket/server.js --websocket /members --first '{"name":"me"}' --message '{"text":"hi"}'
 */
import { createServer } from "node:http";
import { WebSocketServer } from "ws";

const server = createServer((_, response) => response.end("ready\n"));
const sockets = new WebSocketServer({ server });
sockets.on("connection", (socket, { url }) => {
  let isKnown = url !== "/members";
  socket.on("message", (data) => {
    const { text, name } = JSON.parse(String(data));
    if (!isKnown && name === undefined) return socket.close(4401, "who are you?");
    if (!isKnown) return isKnown = true, socket.send(JSON.stringify({ welcome: name }));
    socket.send(JSON.stringify({ text: text.toUpperCase(), length: text.length }));
  });
});
server.listen(Number(process.env.PORT ?? 8080), process.env.HOST ?? "127.0.0.1");
