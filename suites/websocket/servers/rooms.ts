/** The members of rooms, in the order in which they joined. */
export interface Rooms<Member> {
  /** Returns the members of a room after somebody joined it. */
  join(room: string, member: Member): ReadonlySet<Member>;
  leave(room: string, member: Member): void;
}

/** Opens rooms that are there while they have members. */
export function openRooms<Member>(): Rooms<Member> {
  const rooms = new Map<string, Set<Member>>();
  return {
    join(room, member) {
      const members = rooms.get(room) ?? new Set();
      rooms.set(room, members);
      return members.add(member);
    },
    leave(room, member) {
      const members = rooms.get(room);
      members?.delete(member);
      if (members?.size === 0) rooms.delete(room);
    },
  };
}

/** A place of a server: `/echo`, or a room by its name: `/room/NAME`. */
export type Place = { readonly kind: "echo" } | { readonly kind: "room"; readonly room: string };

/** Returns the place that a path names; null for any other path. */
export function placeOf(path: string): Place | null {
  if (path === "/echo") return { kind: "echo" };
  const room = /^\/room\/([^/?]+)$/.exec(path)?.[1];
  return room === undefined ? null : { kind: "room", room };
}

/** The status of a request that is no handshake: a place wants one, `/health` answers, and nothing else is here. */
export const plainStatus = (path: string): 200 | 404 | 426 =>
  path === "/health" ? 200 : placeOf(path) === null ? 404 : 426;

/** Headers of a reply with a status: 426 names the protocol to upgrade to (RFC 9110, 15.5.22). */
export const headersOf = (status: number): Record<string, string> => status === 426 ? { upgrade: "websocket" } : {};
