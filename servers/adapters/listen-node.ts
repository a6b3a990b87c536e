import type { Server } from "node:http";
import { createSecureServer, createServer as createHttp2 } from "node:http2";
import { createServer as createHttps } from "node:https";
import type { AddressInfo, Server as SocketServer, Socket } from "node:net";
import type { Listening, ListenOptions } from "../adapter.ts";
import { urlOf } from "../protocol.ts";

/** The port a server listens on. */
export function portOf(server: SocketServer): number {
  return (server.address() as AddressInfo).port;
}

/** Returns the server of the requested protocol that hands requests and handshakes of WebSockets to a node:http server. */
function speaking(server: Server, { protocol = "http", tls = { key: "", cert: "" } }: ListenOptions): SocketServer {
  if (protocol === "http") return server;
  const other: SocketServer = protocol === "https"
    ? createHttps(tls)
    : protocol === "h2"
    ? createSecureServer(tls)
    : createHttp2();
  for (const event of ["request", "upgrade"]) {
    for (const listener of server.listeners(event)) other.on(event, listener as () => void);
  }
  return other;
}

/** Makes a node:http server listen, and close without waiting for connections that clients keep open. */
export function listenNode(plain: Server, options: ListenOptions): Promise<Listening> {
  const server = speaking(plain, options);
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.hostname, () => {
      server.off("error", reject);
      resolve({
        url: urlOf(options, portOf(server)),
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            if ("closeAllConnections" in server) (server as Server).closeAllConnections();
            for (const socket of open) socket.destroy();
          }),
      });
    });
  });
}
