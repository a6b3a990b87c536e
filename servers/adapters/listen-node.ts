import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Listening, ListenOptions } from "../adapter.ts";

/** Makes a node:http server listen, and close without waiting for idle keep-alive connections. */
export function listenNode(server: Server, options: ListenOptions): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.hostname, () => {
      server.off("error", reject);
      const { port } = server.address() as AddressInfo;
      resolve({
        url: `http://${options.hostname}:${port}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}
