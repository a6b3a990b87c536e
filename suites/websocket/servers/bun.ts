import { serveOptions } from "../../../servers/adapters/bun.ts";
import type { OpenApp } from "../../../servers/app.ts";
import { headersOf, openRooms, placeOf, plainStatus } from "./rooms.ts";

/** The part of a WebSocket of `Bun.serve` that is used here. */
interface BunSocket {
  readonly data: {
    /** Null of an echo. */
    readonly room: string | null;
    members: ReadonlySet<BunSocket>;
  };
  send(message: string | Uint8Array): number;
  subscribe(topic: string): void;
}

/** The part of a server of `Bun.serve` that is used here. */
interface BunServer {
  upgrade(request: Request, options: { data: BunSocket["data"] }): boolean;
  publish(topic: string, message: string | Uint8Array): number;
}

/**
 * Bun without a framework: the WebSockets of `Bun.serve`, with their defaults (no compression).
 * Option `rooms`: `loop` sends to each member, `publish` leaves that to `server.publish`, which sends to all subscribers.
 */
export const open: OpenApp = ({ options }) => {
  const publishes = options["rooms"] === "publish";
  const rooms = openRooms<BunSocket>();
  let server: BunServer;
  const handlers = {
    fetch(request: Request, on: BunServer) {
      server = on;
      const path = new URL(request.url).pathname;
      const place = placeOf(path);
      const room = place?.kind === "room" ? place.room : null;
      if (place !== null && on.upgrade(request, { data: { room, members: new Set() } })) return undefined;
      const status = plainStatus(path);
      return new Response(`${status}`, { status, headers: headersOf(status) });
    },
    websocket: {
      open(socket: BunSocket) {
        const { data } = socket;
        if (data.room === null) return;
        if (publishes) socket.subscribe(data.room);
        else data.members = rooms.join(data.room, socket);
      },
      message(socket: BunSocket, message: string | Uint8Array) {
        const { room, members } = socket.data;
        if (room === null) socket.send(message);
        else if (publishes) server.publish(room, message);
        else for (const member of members) member.send(message);
      },
      close(socket: BunSocket) {
        const { room } = socket.data;
        if (room !== null && !publishes) rooms.leave(room, socket);
      },
    },
  };
  return { listen: (options) => serveOptions(handlers, options) };
};
