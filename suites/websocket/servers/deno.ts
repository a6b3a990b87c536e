import { serve } from "../../../servers/adapters/deno.ts";
import type { OpenApp } from "../../../servers/app.ts";
import { headersOf, openRooms, placeOf, plainStatus } from "./rooms.ts";

/** The part of Deno that is used here. */
interface DenoUpgrade {
  upgradeWebSocket(request: Request): { readonly socket: WebSocket; readonly response: Response };
}

/** Deno without a framework: `Deno.upgradeWebSocket` in a handler of `Deno.serve`, with its defaults. A room is a loop of sends. */
export const open: OpenApp = () => {
  const { Deno } = globalThis as unknown as { Deno: DenoUpgrade };
  const rooms = openRooms<WebSocket>();
  const fetch = (request: Request): Response => {
    const path = new URL(request.url).pathname;
    const place = placeOf(path);
    if (place === null || request.headers.get("upgrade")?.toLowerCase() !== "websocket") {
      const status = plainStatus(path);
      return new Response(`${status}`, { status, headers: headersOf(status) });
    }
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.binaryType = "arraybuffer";
    if (place.kind === "echo") socket.onmessage = ({ data }) => socket.send(data);
    else {
      const { room } = place;
      socket.onopen = () => {
        const members = rooms.join(room, socket);
        socket.onmessage = ({ data }) => {
          for (const member of members) member.send(data);
        };
      };
      socket.onclose = () => rooms.leave(room, socket);
    }
    return response;
  };
  return { listen: (options) => serve({ ...options, fetch }) };
};
