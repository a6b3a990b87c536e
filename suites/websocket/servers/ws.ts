import { createServer } from "node:http";
import { type ServerSocket, WebSocketServer } from "ws";
import { listenNode } from "../../../servers/adapters/listen-node.ts";
import type { OpenApp } from "../../../servers/app.ts";
import { headersOf, openRooms, type Place, placeOf, plainStatus } from "./rooms.ts";

/**
 * The package `ws` on node:http, with its defaults (no compression). A room is a loop of sends, as its README has it under
 * "Server broadcast". On Bun this import is a module that Bun brings.
 */
export const open: OpenApp = () => {
  const rooms = openRooms<ServerSocket>();
  const serve = (socket: ServerSocket, place: Place): void => {
    if (place.kind === "echo") {
      socket.on("message", (data, isBinary) => socket.send(data, { binary: isBinary }));
      return;
    }
    const members = rooms.join(place.room, socket);
    socket.on("message", (data, isBinary) => {
      for (const member of members) member.send(data, { binary: isBinary });
    });
    socket.on("close", () => rooms.leave(place.room, socket));
  };
  const sockets = new WebSocketServer({ noServer: true });
  const server = createServer((request, response) => {
    const status = plainStatus(request.url!);
    response.writeHead(status, headersOf(status));
    response.end(`${status}`);
  });
  server.on("upgrade", (request, socket, head) => {
    const place = placeOf(request.url!);
    if (place === null) socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    else sockets.handleUpgrade(request, socket, head, (opened) => serve(opened, place));
  });
  return { listen: (options) => listenNode(server, options) };
};
