/** Checks of a stream that a load generator cannot make, on an idle server. */
import { type Audit, type Check, expectReply, type Target, WrongAnswer } from "../suite.ts";
import { markOf, type PiecedReply, PIECES } from "./contents.ts";
import { FLOOD_BYTES, type Flooded, MOST_GROWN, MOST_MADE } from "./flood.ts";
import { type RawReader, readRaw } from "./raw-reader.ts";

/** Replies to others after which what has not come is not on its way: for each the server goes through its event loop. */
const PATIENCE = 100;
/** Asks whose median is reported. */
const ASKS = 21;
/** Ends a reply in chunks. */
const END = "\r\n0\r\n\r\n";

const flooded = async (target: Target): Promise<Flooded> =>
  JSON.parse((await expectReply(target, { path: "/made/0" }, { status: 200 })).body);

/**
 * True if something happens while other requests are answered. It counts replies, not time, so that a busy machine
 * changes nothing.
 */
async function happens(target: Target, happened: () => boolean): Promise<boolean> {
  for (let n = 0; n < PATIENCE && !happened(); n++) await flooded(target);
  return happened();
}

async function reading<T>({ url }: Target, path: string, work: (reader: RawReader) => Promise<T>): Promise<T> {
  const reader = readRaw(url!, path);
  try {
    return await work(reader);
  } finally {
    reader.close();
  }
}

/** The first piece arrives while the last is not made yet: the server waits with it until it is told that the first is here. */
export const comesInPieces = (reply: PiecedReply, seed: number): Check => ({
  name: "the first piece comes before the last is made",
  async run(target) {
    // Of a server on another host nobody knows here what has arrived.
    if (!target.isNear) return 1;
    const path = `/held/${seed}`;
    await reading(target, path, async (reader) => {
      const first = markOf(1, PIECES[reply]);
      const early = await happens(target, () => reader.text().includes(first));
      await expectReply(target, { method: "POST", path }, { status: 200 });
      const whole = await happens(target, () => reader.text().endsWith(END) || reader.over());
      if (!early && whole) throw new WrongAnswer(`GET ${path}: nothing came until the last piece was made`);
      if (!early || !whole) throw new WrongAnswer(`GET ${path}: ${early ? "its end" : "its first piece"} did not come`);
    });
    return 3;
  },
});

/** Bytes made, and memory grown by, for somebody who asks for a long stream and does not read it. */
async function madeForNobody(target: Target): Promise<{ readonly made: number; readonly grown: number }> {
  const before = await flooded(target);
  return await reading(target, "/flood/0", async (reader) => {
    await reader.sees("aaaa");
    reader.pause();
    let { made } = await flooded(target), after = before;
    const moved = async () => {
      after = await flooded(target);
      const more = after.made > made;
      made = after.made;
      return more;
    };
    for (let same = 0; same < PATIENCE && made < FLOOD_BYTES;) same = await moved() ? 0 : same + 1;
    return { made, grown: Math.max(0, after.resident - before.resident) };
  });
}

/** A server stops making what nobody reads. */
export const waitsForReaders: Check = {
  name: "what nobody reads is not made",
  async run(target) {
    if (!target.isNear) return 1;
    const { made, grown } = await madeForNobody(target);
    const wrong = (what: string) => new WrongAnswer(`GET /flood/0: for a reader who reads nothing ${what}`);
    if (made > MOST_MADE) throw wrong(`it made ${made} of ${FLOOD_BYTES} bytes, at most ${MOST_MADE} expected`);
    if (grown > MOST_GROWN) throw wrong(`its memory grew by ${grown} bytes, at most ${MOST_GROWN} expected`);
    return 2;
  },
};

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** When the first piece and the last arrive, medians in microseconds, and what is made for nobody: reported after the load. */
export const idleFacts = (reply: PiecedReply): Audit => ({
  name: "pieces at rest",
  async run(target) {
    if (!target.isNear) return { replies: 0 };
    const asks: { readonly first: number; readonly last: number }[] = [];
    while (asks.length < ASKS) {
      asks.push(
        await reading(target, `/${reply}/${asks.length}`, async (reader) => {
          const began = performance.now();
          const first = await reader.sees(markOf(1, PIECES[reply]));
          return { first: first - began, last: await reader.sees(END) - began };
        }),
      );
    }
    const us = (of: "first" | "last") => Math.round(1_000 * median(asks.map((ask) => ask[of])));
    const { made, grown } = await madeForNobody(target);
    return {
      replies: asks.length + 1,
      facts: {
        first_piece_us: us("first"),
        last_piece_us: us("last"),
        made_for_no_reader_bytes: made,
        grown_for_no_reader_bytes: grown,
      },
    };
  },
});
