import { Hono } from "hono";
import type { UpgradeWebSocket, WSContext } from "hono/ws";
import type { Listening, ListenOptions } from "../../../servers/adapter.ts";
import type { App, OpenApp } from "../../../servers/app.ts";
import type { RuntimeName } from "../../../servers/runtime.ts";
import { headersOf, openRooms } from "./rooms.ts";

/** A runtime's helper of Hono, and how an app with it is served. */
interface Helper {
  readonly upgradeWebSocket: UpgradeWebSocket;
  listen(app: Hono, options: ListenOptions): Promise<Listening>;
}

/** Returns the helper as Hono's documentation has it for each runtime (https://hono.dev/docs/helpers/websocket). */
async function helperOf(runtime: RuntimeName): Promise<Helper> {
  switch (runtime) {
    case "bun": {
      const { upgradeWebSocket, websocket } = await import("hono/bun");
      const { serveOptions } = await import("../../../servers/adapters/bun.ts");
      return { upgradeWebSocket, listen: ({ fetch }, options) => serveOptions({ fetch, websocket }, options) };
    }
    case "deno": {
      const { upgradeWebSocket } = await import("hono/deno");
      const { serve } = await import("../../../servers/adapters/deno.ts");
      return { upgradeWebSocket, listen: ({ fetch }, options) => serve({ ...options, fetch }) };
    }
    case "node": {
      const { createAdaptorServer, upgradeWebSocket } = await import("@hono/node-server");
      const { WebSocketServer } = await import("ws");
      const { listenNode } = await import("../../../servers/adapters/listen-node.ts");
      return {
        upgradeWebSocket: upgradeWebSocket as UpgradeWebSocket,
        listen({ fetch }, options) {
          const websocket = { server: new WebSocketServer({ noServer: true }) };
          return listenNode(createAdaptorServer({ fetch, websocket }) as Parameters<typeof listenNode>[0], options);
        },
      };
    }
  }
}

/** One app of Hono for all runtimes, by its `upgradeWebSocket`. A room is a loop of sends. */
export const open: OpenApp = async ({ runtime }): Promise<App> => {
  const { upgradeWebSocket, listen } = await helperOf(runtime);
  const rooms = openRooms<WSContext>();
  const app = new Hono();
  app.get("/health", (c) => c.text("200"));
  app.get("/echo", upgradeWebSocket(() => ({ onMessage: ({ data }, socket) => send(socket, data) })));
  app.get(
    "/room/:room",
    upgradeWebSocket((c) => {
      const room = c.req.param("room")!;
      let leave = () => {};
      let members: ReadonlySet<WSContext> = new Set();
      return {
        onOpen(_, socket) {
          members = rooms.join(room, socket);
          leave = () => rooms.leave(room, socket);
        },
        onMessage({ data }) {
          for (const member of members) send(member, data);
        },
        onClose: () => leave(),
      };
    }),
  );
  for (const path of ["/echo", "/room/:room"]) app.get(path, (c) => c.text("426", 426, headersOf(426)));
  app.notFound((c) => c.text("404", 404));
  return { listen: (options) => listen(app, options) };
};

/** Sends a message as it came: no adapter of Hono gives a Blob. */
const send = (socket: WSContext, data: string | Blob | ArrayBufferLike) => socket.send(data as string | ArrayBuffer);
