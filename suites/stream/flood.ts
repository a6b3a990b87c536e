/** Bytes of a stream that a reader may leave unread. */
export const FLOOD_BYTES = 64 * 1_048_576;
/** The most of it that may be made for one who reads nothing: buffers of both systems take some megabytes. */
export const MOST_MADE = FLOOD_BYTES / 4;
/** The most its memory may grow by meanwhile: that is read from the system, and moves by itself. */
export const MOST_GROWN = FLOOD_BYTES / 2;
const PIECE_BYTES = 65_536;

/** A server's report on the flood: bytes that were requested of its body, and its resident memory in bytes. */
export interface Flooded {
  readonly made: number;
  readonly resident: number;
}

/** A long stream that is made as it is requested, and what was made of it so far. */
export function openFlood(): Record<string, () => Response> {
  let made = 0;
  return {
    "GET flood"() {
      made = 0;
      return new Response(
        new ReadableStream<Uint8Array>({
          pull(controller) {
            if (made >= FLOOD_BYTES) return controller.close();
            made += PIECE_BYTES;
            controller.enqueue(new Uint8Array(PIECE_BYTES).fill(0x61));
          },
        }),
      );
    },
    "GET made": () => Response.json({ made, resident: process.memoryUsage().rss } satisfies Flooded),
  };
}
