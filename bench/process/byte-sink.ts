/** The room of a sink at its first byte. */
const FIRST_BYTES = 256;

/**
 * Gathers the bytes of a stream. A part costs its bytes and no object, however small it is: memory and time grow with the
 * number of bytes, whatever a server cuts them into.
 */
export function byteSink() {
  let room: Buffer = Buffer.alloc(0);
  let length = 0, copied = 0;
  return {
    /** The number of bytes added since the last `take`. */
    get length() {
      return length;
    },
    /** The number of bytes copied so far. It is at most four for each byte added. */
    get copied() {
      return copied;
    },
    add(part: Uint8Array): void {
      const needed = length + part.length;
      if (needed > room.length) {
        const wider = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, needed, 2 * room.length));
        wider.set(room.subarray(0, length));
        copied += length;
        room = wider;
      }
      room.set(part, length);
      copied += part.length;
      length = needed;
    },
    /** Returns the added bytes and empties the sink. */
    take(): Buffer {
      const taken = room.subarray(0, length);
      room = Buffer.alloc(0);
      length = 0;
      return taken;
    },
  };
}
