/** The generator under servers that answer before they are asked, twice, late or with other numbers, and that end early. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, echo, frame, loaded, loadOf, type Peer, TEXT } from "../../tests/message-server.ts";
import { createRandom } from "../basics/random.ts";
import { findProgram } from "../machine/programs.ts";

const luaTest = findProgram("wrk") === undefined ? test.skip : test;

const LAST = 2 ** 22 - 1;
const numbered = (number: number) => Buffer.from(`{"n":"${number.toString(16).padStart(8, "0")}"}`);
const numberIn = (message: Buffer) => parseInt(String(message).slice(6, 14), 16);

/** What the generator has to count, and what it has not been told yet of each connection. */
interface Model {
  readonly counts: { received: number; doubled: number; reordered: number; changed: number };
  /** Messages whose replies are held back until the next one has been answered. */
  readonly held: WeakMap<Peer, Buffer>;
}

/** Answers each message, by turns as drawn with frames that are wrong before it. */
function drawnServer(seed: number, inFlight: number, { counts, held }: Model): Answer {
  const random = createRandom(seed), below = (most: number) => Math.floor(random() * most);
  const wrongs: readonly ((number: number) => { frames: Buffer[]; as: "changed" | "doubled" })[] = [
    // As many are in flight at most: none of these can have been sent.
    (number) => ({ frames: [numbered(number + inFlight + below(40))], as: "changed" }),
    (number) => ({ frames: Array.from({ length: 40 }, (_, n) => numbered(number + inFlight + n)), as: "changed" }),
    (number) => ({ frames: [numbered((number + 2 ** 22 * (1 + below(1_000))) % 2 ** 32)], as: "changed" }),
    (number) => ({ frames: [numbered(number - (number % 2 ** 22) + LAST)], as: "doubled" }),
    () => ({ frames: [Buffer.from('{"n":"0000-000"}'), Buffer.from('{"m":"00000000"}')], as: "changed" }),
    () => ({ frames: [Buffer.from("{}")], as: "changed" }),
  ];
  return (message, peer) => {
    const number = numberIn(message), place = number % 2 ** 22, frames: Buffer[] = [];
    const add = (payload: Buffer, as: keyof Model["counts"]) => (counts[as]++, frames.push(frame(TEXT, payload)));
    if (place === LAST) {
      // Before the window nothing has been sent: what comes with the first reply is named, what comes before it is not kept.
      frames.push(frame(TEXT, numbered(number - LAST)), frame(TEXT, message));
      for (let n = 0; n < 40; n++) if (random() < 0.5) add(numbered(number - LAST + inFlight + n), "changed");
      return void peer.socket.write(Buffer.concat(frames));
    }
    const before = held.get(peer);
    if (random() < 0.3 && before === undefined) {
      const { frames, as } = wrongs[below(wrongs.length)]!(number);
      for (const payload of frames) add(payload, as);
    }
    if (inFlight > 1 && place < 90 && before === undefined && random() < 0.1) {
      held.set(peer, message);
    } else {
      add(message, "received");
      if (random() < 0.1) add(message, "doubled");
      if (before !== undefined) {
        held.delete(peer);
        add(before, "received");
        counts.reordered++;
      }
    }
    if (frames.length > 0) peer.socket.write(Buffer.concat(frames));
  };
}

luaTest("replies that are early, doubled, late or of others are each named, and never counted as right", async () => {
  for (const [seed, inFlight] of [[1, 1], [2, 2], [3, 8], [4, 100]] as const) {
    const model: Model = { counts: { received: 0, doubled: 0, reordered: 0, changed: 0 }, held: new WeakMap() };
    const { result } = await loaded(drawnServer(seed, inFlight, model), { inFlight, seed });
    const { received, doubled, reordered, changed, expected, fault } = result.messages!;
    assert.deepEqual({ received, doubled, reordered, changed }, model.counts, `seed ${seed}`);
    assert.deepEqual([result.requests, expected], [received, received], `seed ${seed}`);
    assert.ok(changed > 0 && doubled > 0 && fault !== null, `seed ${seed}`);
  }
});

luaTest("a server that counts for itself and sends 40 numbers ahead at once is not taken for right", async () => {
  const ahead: Answer = (message, { socket, nth }) => {
    if (nth > 1) return;
    const first = numberIn(message),
      frames = nth === 0 ? [message] : Array.from({ length: 40 }, (_, n) => numbered(first + n));
    socket.write(Buffer.concat(frames.map((payload) => frame(TEXT, payload))));
  };
  const { result: { messages, requests } } = await loaded(ahead, { inFlight: 2, timeoutMs: 1_000 });
  assert.deepEqual([requests, messages!.received, messages!.changed], [4 * 2, 4 * 2, 4 * 38]);
  assert.match(messages!.fault!, /never sent/);
});

luaTest("messages without numbers are right as often as they were sent", async () => {
  const ahead: Answer = (message, peer) => {
    if (peer.nth === 0) peer.socket.write(Buffer.concat(Array.from({ length: 41 }, () => frame(TEXT, message))));
    else echo(message, peer, TEXT);
  };
  const { result: { messages } } = await loaded(ahead, { message: "hello" });
  assert.deepEqual([messages!.received, messages!.doubled], [400, 4 * 40]);
});

luaTest("a connection that ends between first message and window is counted, and never written to", async () => {
  for (const protocol of [undefined, "https"] as const) {
    for (const rate of [{}, { perSecond: 2_000 }]) {
      for (const end of ["end", "destroy"] as const) {
        const waiting: (() => void)[] = [], joined: Peer[] = [];
        let isFirstOver = false;
        const server: Answer = (message, peer, kind) => {
          if (peer.nth > 0) return echo(message, peer, kind);
          if (joined.push(peer) > 1) {
            if (isFirstOver) echo(message, peer, kind);
            else waiting.push(() => echo(message, peer, kind));
            return;
          }
          // The others' first messages come back once the client has seen the end of this one.
          peer.socket.once("close", () => {
            isFirstOver = true;
            for (const each of waiting) setTimeout(each, 50);
          });
          if (end === "end") peer.socket.end(frame(kind, message));
          else peer.socket.write(frame(kind, message), () => peer.socket.destroy());
        };
        const { result } = await loaded(server, { ...rate, ...(protocol && { protocol }), inFlight: 4 });
        const name = `${protocol} ${end} ${JSON.stringify(rate)}`, { messages, errors, requests } = result;
        assert.deepEqual([messages!.closes, errors.read, errors.write], [{ 1006: 1 }, 1, 0], name);
        assert.deepEqual([messages!.received, requests], [messages!.expected, "perSecond" in rate ? 400 : 300], name);
        assert.match(messages!.fault!, /without a close frame/, name);
      }
    }
  }
});

luaTest(
  "a client that may open no more files says so in its own name",
  () =>
    assert.rejects(loadOf(["http://127.0.0.1:9"], { connections: 50, files: 24 }), {
      message: /^websocket: socketpair failed with error 24$/,
    }),
);
