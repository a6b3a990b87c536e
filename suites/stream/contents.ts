/** The content of replies, made from numbers alone, so that expected replies are known. */

const PIECE_BYTES = 1024;

/** The number of pieces in replies of each kind. */
export const PIECES = { "chunks-10": 10, "chunks-1000": 1000, events: 100 } as const;

/** Replies that come in pieces. */
export type PiecedReply = keyof typeof PIECES;

/** True if a reply comes in pieces. */
export const isPieced = (reply: string): reply is PiecedReply => Object.hasOwn(PIECES, reply);

/** Returns the beginning of the k-th piece of a reply, counted from 1; it occurs nowhere else in the reply. */
export const markOf = (k: number, of: number) => `piece ${k} of ${of}, `;

/** The k-th piece of a reply to request `n`: a line of 1 kB, or an event of about 100 bytes. */
export function pieceOf(reply: PiecedReply, k: number, n: string): string {
  const text = `${markOf(k, PIECES[reply])}asked for by ${n}`;
  return reply === "events" ? `id: ${k}\ndata: ${text.padEnd(80, ".")}\n\n` : `${text.padEnd(PIECE_BYTES - 1, ".")}\n`;
}

/** All pieces of a reply. */
export const piecesOf = (reply: PiecedReply, n: string): string =>
  Array.from({ length: PIECES[reply] }, (_, k) => pieceOf(reply, k + 1, n)).join("");

const TREES = ["ash", "birch", "cedar", "fir", "larch", "maple", "oak", "pine", "rowan"];

/** Lines of words and numbers, of so many bytes. */
export function linesOf(bytes: number): string {
  const lines: string[] = [];
  for (let k = 0, length = 0; length < bytes; k++) {
    const line = `${k}: ${TREES[k % 9]} ${(k * 7919) % 10_007} ${TREES[(k * 31) % 7]} ${(k * 104_729) % 99_991}\n`;
    lines.push(line);
    length += line.length;
  }
  return lines.join("").slice(0, bytes);
}

/** Bytes of the text that is compressed. */
const TEXT_BYTES = 100_000;
const LINES = linesOf(TEXT_BYTES);

/** The text that is compressed for request `n`. */
export const textFor = (n: string): string => `asked for by ${n}\n${LINES}`;

/** Bytes of the files, as paths have them. */
export const FILES = { "10k": 10_240, "1m": 1_048_576 } as const;

/** A body of rows, as whoever sends it writes it: a little over 1 MB. */
export const rowsBody = (): { readonly rows: readonly object[] } => ({
  rows: Array.from({ length: 12_000 }, (_, id) => ({
    id,
    name: `${TREES[id % 9]} ${(id * 7919) % 10_007}`,
    price: (id * 37) % 1000 / 8,
    sold: id % 3 === 1,
    tags: [TREES[id % 7], TREES[id % 5]],
  })),
});
