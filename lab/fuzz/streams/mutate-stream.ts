import type { Random } from "../../../bench/basics/random.ts";

/** Bytes to send, each piece after a pause. */
export type Delivery = readonly { readonly bytes: Buffer; readonly pauseMs: number }[];

/** The most bytes of a stream that repeats itself; one in {@link SELDOM} is that long. */
const MOST_BYTES = 8 << 20, USUAL_BYTES = 1 << 16, SELDOM = 500;
const MOST_CHANGES = 4, MOST_PIECES = 6, MOST_PAUSE_MS = 3;

const below = (random: Random, most: number) => Math.floor(random() * most);
const oneOf = <T>(random: Random, items: readonly T[]): T => items[below(random, items.length)]!;

/** Two places of a stream, in order. */
function slice(bytes: Buffer, random: Random): [from: number, to: number] {
  const [a, b] = [below(random, bytes.length + 1), below(random, bytes.length + 1)];
  return [Math.min(a, b), Math.max(a, b)];
}

/** A number of one to eight bytes as lengths are written: 0, 1, all bits, the highest bit, or about what is left. */
function lengthBytes(random: Random, left: number): Buffer {
  const width = oneOf(random, [1, 2, 4, 8]), bits = BigInt(8 * width);
  const near = BigInt(left + below(random, 3) - 1);
  const value = oneOf(random, [
    0n,
    1n,
    -1n,
    1n << (bits - 1n),
    (1n << (bits - 1n)) - 1n,
    near,
    126n,
    65_536n,
    1n << 26n,
  ]);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(Number(bits), value));
  const big = bytes.subarray(8 - width);
  return random() < 0.2 ? Buffer.from(big).reverse() : big;
}

type Change = (bytes: Buffer, random: Random) => Buffer;

const at = (bytes: Buffer, place: number, put: Buffer, instead = put.length) =>
  Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + instead)]);

/** Changes of a stream: each is one fault of a peer. */
const CHANGES: readonly Change[] = [
  (bytes, random) => {
    const place = below(random, bytes.length);
    return at(bytes, place, lengthBytes(random, bytes.length - place));
  },
  (bytes, random) => {
    const place = below(random, bytes.length);
    return at(bytes, place, Buffer.of(bytes[place]! ^ (1 << below(random, 8))), 1);
  },
  (bytes, random) => at(bytes, below(random, bytes.length), Buffer.of(below(random, 256)), 1),
  (bytes, random) => bytes.subarray(0, below(random, bytes.length)),
  (bytes, random) => {
    const [from, to] = slice(bytes, random);
    return at(bytes, from, Buffer.alloc(0), to - from);
  },
  (bytes, random) => {
    const [from, to] = slice(bytes, random);
    return at(bytes, to, bytes.subarray(from, to), 0);
  },
  (bytes, random) => {
    const [from, to] = slice(bytes, random), middle = from + below(random, to - from + 1);
    return at(bytes, from, Buffer.concat([bytes.subarray(middle, to), bytes.subarray(from, middle)]));
  },
  (bytes, random) => {
    const [from, to] = slice(bytes, random);
    const most = below(random, below(random, SELDOM) === 0 ? MOST_BYTES : USUAL_BYTES);
    const some = from === to ? bytes : bytes.subarray(from, to);
    return at(bytes, to, Buffer.alloc(most, some), 0);
  },
  (bytes, random) => {
    const some = Buffer.from(Array.from({ length: 1 + below(random, 16) }, () => below(random, 256)));
    return at(bytes, below(random, bytes.length + 1), some, 0);
  },
];

/** Returns a recorded stream with some changes, and how it is delivered: at once, in pieces, or slowly. */
export function mutateStream(stream: Buffer, random: Random): Delivery {
  let bytes = stream;
  for (let left = below(random, MOST_CHANGES + 1); left > 0 && bytes.length > 0; left--) {
    bytes = oneOf(random, CHANGES)(bytes, random);
  }
  const cuts = Array.from({ length: below(random, MOST_PIECES) }, () => below(random, bytes.length + 1));
  const ends = [...cuts.sort((a, b) => a - b), bytes.length],
    pauseMs = random() < 0.5 ? 0 : below(random, MOST_PAUSE_MS + 1);
  return ends.map((end, n) => ({ bytes: bytes.subarray(n === 0 ? 0 : ends[n - 1], end), pauseMs }));
}
