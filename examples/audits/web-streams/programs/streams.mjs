// Chunks of 1 KB through a transform that does nothing, and through a byte stream that is filled before it is read.
// After vercel-labs/fast-webstreams at 40fbf0f, bench/scenarios/passthrough.js and byte-stream.js.
import { Buffer } from "node:buffer";
import { FastReadableStream, FastTransformStream, FastWritableStream } from "experimental-fast-webstreams";

const SIZE = 1024, HIGH_WATER_MARK = 16 * SIZE;
const chunk = Buffer.alloc(SIZE, 0x41);

const NATIVE = [ReadableStream, TransformStream, WritableStream];
const FAST = [FastReadableStream, FastTransformStream, FastWritableStream];

/** Pipes bytes through a transform into a sink that counts them. */
async function piped([Readable, Transform, Writable], bytes, strategy) {
  let left = bytes, written = 0;
  const readable = new Readable({
    pull(controller) {
      if (left <= 0) return controller.close();
      left -= SIZE;
      controller.enqueue(chunk);
    },
  }, strategy());
  const sink = new Writable({ write: (one) => void (written += one.length) }, strategy());
  await readable.pipeThrough(new Transform({}, strategy(), strategy())).pipeTo(sink);
  return written;
}

/** Fills a byte stream by its saved controller, then reads it. */
async function filled([Readable], bytes) {
  let controller;
  const readable = new Readable({ type: "bytes", start: (one) => void (controller = one) });
  for (let n = 0; n < bytes / SIZE; n++) controller.enqueue(new Uint8Array(chunk));
  controller.close();
  const reader = readable.getReader();
  let read = 0;
  for (let each = await reader.read(); !each.done; each = await reader.read()) read += each.value.length;
  return read;
}

// The published benchmark has each kind's own strategy: bytes for the native ones, chunks for the fast ones.
const byBytes = () => new ByteLengthQueuingStrategy({ highWaterMark: HIGH_WATER_MARK });
const byChunks = () => ({ highWaterMark: HIGH_WATER_MARK / SIZE });

/** @param megabytes how much one call moves */
export function callsOf(megabytes) {
  const bytes = megabytes * 1024 * SIZE;
  return {
    calls: {
      "pipe-native": () => piped(NATIVE, bytes, byBytes),
      "pipe-fast": () => piped(FAST, bytes, byChunks),
      "bytes-native": () => filled(NATIVE, bytes),
      "bytes-fast": () => filled(FAST, bytes),
    },
  };
}
