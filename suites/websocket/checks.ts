import {
  type Body,
  type Check,
  expectReply,
  type OpenWebSocket,
  type Oracle,
  type Target,
  WrongAnswer,
} from "../suite.ts";
import { comparedMessages, type Form, inForm } from "./messages.ts";

/** What a server does with a message: back to its sender, or to all members of its room. */
export type Shape = "echo" | "room";

/** Messages that are sent before the first is read. */
const AT_ONCE = 16;

const shown = (body: Body) =>
  typeof body === "string"
    ? `the text ${JSON.stringify(body.length > 60 ? `${body.slice(0, 60)}…` : body)}`
    : `a binary message, ${JSON.stringify(body.base64.length > 60 ? `${body.base64.slice(0, 60)}…` : body.base64)}`;

const isSame = (a: Body, b: Body) => typeof a === "string" || typeof b === "string" ? a === b : a.base64 === b.base64;

/** Reads the next message. Throws a {@link WrongAnswer} unless it is the expected one. */
async function expectNext(socket: OpenWebSocket, name: string, expected: Body): Promise<void> {
  const got = await socket.next();
  if (!isSame(got, expected)) throw new WrongAnswer(`${name}: ${shown(got)} came, expected ${shown(expected)}`);
}

/** Works with WebSockets that it opens, and closes them. */
async function withSockets<T>(
  target: Target,
  work: (open: (path: string) => Promise<OpenWebSocket>) => Promise<T>,
): Promise<T> {
  const sockets: OpenWebSocket[] = [];
  try {
    return await work(async (path) => {
      const socket = await target.webSocket!(path);
      sockets.push(socket);
      return socket;
    });
  } finally {
    for (const socket of sockets) socket.close();
  }
}

const pathOf = (shape: Shape, seed: number) => shape === "echo" ? "/echo" : `/room/check-${seed}`;

/** One handshake and one message, which comes back to its sender as it was sent. */
const comesBack = (shape: Shape, form: Form, seed: number): Check => ({
  name: "a message comes back as it was sent",
  async run(target) {
    const text = `message ${seed}`;
    const path = pathOf(shape, seed);
    const headers = { "x-message": form };
    await expectReply(target, { method: "WEBSOCKET", path, body: inForm(form, text) }, {
      status: 101,
      body: text,
      headers,
    });
    return 1;
  },
});

/** Texts and bytes of all lengths come back in their kind; a connection is kept over all of them. */
const keepsMessages = (shape: Shape, seed: number): Check => ({
  name: "texts come back as texts, and bytes as bytes",
  async run(target) {
    const path = pathOf(shape, seed);
    const messages = comparedMessages(seed);
    return await withSockets(target, async (open) => {
      const socket = await open(path);
      for (const message of messages) {
        socket.send(message);
        await expectNext(socket, path, message);
      }
      return messages.length;
    });
  },
});

const keepsOrder = (shape: Shape, form: Form, seed: number): Check => ({
  name: "messages that are sent at once come back in their order, once each",
  async run(target) {
    const path = pathOf(shape, seed);
    const messages = Array.from({ length: AT_ONCE }, (_, n) => inForm(form, `${seed}-${n}`));
    return await withSockets(target, async (open) => {
      const socket = await open(path);
      for (const message of messages) socket.send(message);
      for (const message of messages) await expectNext(socket, path, message);
      return messages.length;
    });
  },
});

/** Each message reaches every member of its room, once and in order, and nobody of another room or who has left. */
const reachesRoom = (form: Form, seed: number): Check => ({
  name: "a message reaches each member of its room once, and nobody else",
  run: (target) =>
    withSockets(target, async (open) => {
      const [here, there] = [`/room/here-${seed}`, `/room/there-${seed}`];
      const members: OpenWebSocket[] = [];
      const reaches = async (sender: OpenWebSocket, message: Body) => {
        sender.send(message);
        for (const member of members) await expectNext(member, here, message);
      };
      for (const name of ["first", "second", "third"]) {
        const member = await open(here);
        members.push(member);
        await reaches(member, `${name} joined`);
      }
      const stranger = await open(there);
      await reaches(members[0]!, inForm(form, `to three ${seed}`));
      members.pop()!.close();
      for (const member of members) await reaches(member, inForm(form, `to two ${seed}`));
      stranger.send("alone");
      await expectNext(stranger, there, "alone");
      return 14;
    }),
});

const refusesOthers = (shape: Shape): Check => ({
  name: "a request without a handshake is answered with 426, and an unknown path with 404",
  async run(target) {
    await expectReply(target, { path: pathOf(shape, 0) }, { status: 426, headers: { upgrade: "websocket" } });
    await expectReply(target, { method: "WEBSOCKET", path: "/nowhere" }, { status: 404 });
    await expectReply(target, { path: "/nowhere" }, { status: 404 });
    return 3;
  },
});

/** Returns the oracle of a workload. Checks that need several open sockets pass over a server on another host. */
export function oracle(shape: Shape, form: Form): Oracle {
  const near = (check: Check): Check => ({
    name: check.name,
    run: (target) => target.webSocket === undefined ? Promise.resolve(1) : check.run(target),
  });
  return {
    alive: comesBack(shape, form, 0),
    checks: (seed) => [
      refusesOthers(shape),
      near(keepsMessages(shape, seed)),
      near(keepsOrder(shape, form, seed)),
      ...shape === "room" ? [near(reachesRoom(form, seed))] : [],
    ],
    sample: (seed) => comesBack(shape, form, seed),
  };
}
