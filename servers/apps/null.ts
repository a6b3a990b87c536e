import { createServer, type Socket } from "node:net";
import { ListenError, type Listening, type ListenOptions } from "../adapter.ts";
import type { OpenApp } from "../app.ts";
import { portOf } from "../adapters/listen-node.ts";

const BODY = "{}";
const REPLY = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
);

/**
 * A server that does nothing: one fixed reply for each piece of data that arrives, unread. What a load generator reaches
 * against it is the generator's ceiling. Right only for clients that send one whole small request and wait.
 */
export const open: OpenApp = () => ({ listen });

const listen = (options: ListenOptions) =>
  new Promise<Listening>((resolve, reject) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("data", () => socket.write(REPLY));
      socket.on("error", () => socket.destroy());
      socket.on("close", () => sockets.delete(socket));
    });
    server.once("error", (cause) => reject(new ListenError(options, cause)));
    server.listen(options.port, options.hostname, () =>
      resolve({
        url: `http://${options.hostname}:${portOf(server)}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            for (const socket of sockets) socket.destroy();
          }),
      }));
  });
