import { connect, type Socket } from "node:net";
import type { Exchange } from "./exchange.ts";
import { outcomeOf, type ReplyOutcome } from "./outcome.ts";
import { bytesOf } from "./plain-request.ts";
import { readReplies, type Replies } from "./read-replies.ts";

/** Waiting times, in milliseconds. */
interface Patience {
  /** For a first reply, or the rest of one, before the client ends its side of the connection. */
  readonly replyMs: number;
  /** For one more reply than is due. */
  readonly quietMs: number;
  /** For anything once the server knows that no more comes. */
  readonly closeMs: number;
}

const PATIENCE: Patience = { replyMs: 250, quietMs: 20, closeMs: 1_000 };

/** A reply to a sound request over an open connection is missed after this long. */
const KEPT_MS = 10_000;
/** A connection that was closed by FIN is let go after this long. */
const LINGER_MS = 25;

/** Collects the bytes of a connection. */
function received(methods: readonly string[]) {
  let bytes = Buffer.alloc(0);
  return {
    add: (more: Uint8Array): void => void (bytes = Buffer.concat([bytes, more])),
    read: (closed: boolean): Replies => readReplies(bytes, methods, closed),
  };
}

/** Lets a connection go at once and for good: one that is closed in the ordinary way holds its port for a minute. */
function letGo(socket: Socket): void {
  socket.removeAllListeners("data");
  socket.on("error", () => {});
  if (!socket.destroyed && !socket.connecting) socket.resetAndDestroy();
  else socket.destroy();
}

function opened(port: number): Socket {
  const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true });
  socket.setNoDelay(true);
  return socket;
}

/** Sends an exchange over a new connection. Resolves with null where nobody waits for a reply. */
export function talkAlone(port: number, exchange: Exchange): Promise<ReplyOutcome | null> {
  const { manner } = exchange;
  if (manner.kind === "cut") return breakOff(port, exchange, manner.by);
  const { replies: due = 1, end = "open", pieces = 1 } = manner.kind === "own" ? manner : {};
  return new Promise((resolve) => {
    const socket = opened(port);
    const got = received([exchange.method]);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let [over, sent, waited] = [false, false, false];
    const finish = (closed: boolean) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      letGo(socket);
      resolve(outcomeOf(got.read(closed), { waited, closed }));
    };
    const send = () => {
      sent = true;
      socket.end();
      arm(PATIENCE.closeMs);
    };
    const arm = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const { replies, rest } = got.read(false);
        if (sent || replies.length > 0) return finish(false);
        waited = rest === "none";
        send();
      }, ms);
    };
    socket.on("data", (more: Uint8Array) => {
      if (over) return;
      got.add(more);
      const { replies, rest } = got.read(false);
      if (rest === "none" && replies.length >= due) arm(PATIENCE.quietMs);
      else if (!sent) arm(PATIENCE.replyMs);
    });
    socket.on("end", () => finish(true));
    socket.on("close", () => finish(true));
    socket.on("error", () => finish(true));
    socket.on("connect", () => {
      arm(PATIENCE.replyMs);
      sendPieces(socket, bytesOf(exchange.bytes), pieces, () => {
        if (end === "closed" && !over) send();
      });
    });
  });
}

function sendPieces(socket: Socket, bytes: Uint8Array, pieces: number, done: () => void): void {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  const next = (from: number) => {
    if (from >= bytes.length) return done();
    socket.write(bytes.subarray(from, from + size), () => {
      if (from + size >= bytes.length) done();
      else setTimeout(next, 1, from + size);
    });
  };
  next(0);
}

function breakOff(port: number, exchange: Exchange, by: "fin" | "reset"): Promise<null> {
  return new Promise((resolve) => {
    const socket = opened(port);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const finish = () => {
      clearTimeout(timer);
      letGo(socket);
      resolve(null);
    };
    socket.on("data", () => {});
    socket.on("end", finish);
    socket.on("close", finish);
    socket.on("error", finish);
    socket.on("connect", () => {
      socket.write(bytesOf(exchange.bytes), () => {
        if (by === "reset") return finish();
        socket.end();
        timer = setTimeout(finish, LINGER_MS);
      });
    });
  });
}

/** Sends exchanges one after the other over a connection that stays open for as long as the server leaves it so. */
export function keptConnection(port: number) {
  let socket: Socket | undefined;
  let notify: ((what: "data" | "closed") => void) | undefined;
  let got = received(["GET"]);

  const open = () => {
    const opening = opened(port);
    const closed = () => {
      if (socket !== opening) return;
      socket = undefined;
      // Half open it would hold a descriptor here for good.
      letGo(opening);
      notify?.("closed");
    };
    opening.on("data", (more: Uint8Array) => {
      if (socket !== opening) return;
      got.add(more);
      notify?.("data");
    });
    opening.on("end", closed);
    opening.on("close", closed);
    opening.on("error", closed);
    socket = opening;
  };

  const close = () => {
    const current = socket;
    socket = undefined;
    if (current !== undefined) letGo(current);
  };

  async function once(exchange: Exchange): Promise<ReplyOutcome> {
    if (socket === undefined) open();
    got = received([exchange.method]);
    const ended = await new Promise<{ closed: boolean; late: boolean }>((resolve) => {
      const timer = setTimeout(() => resolve({ closed: false, late: true }), KEPT_MS);
      notify = (what) => {
        const { replies, rest } = got.read(false);
        if (what === "data" && rest !== "broken" && (replies.length === 0 || rest === "begun")) return;
        clearTimeout(timer);
        resolve({ closed: what === "closed", late: false });
      };
      socket!.write(bytesOf(exchange.bytes));
    });
    notify = undefined;
    const read = got.read(ended.closed);
    const [reply] = read.replies;
    // A late rest of one request must not be taken for the reply to the next.
    if (
      ended.late || read.rest !== "none" || read.replies.length > 1 || /close/i.test(reply?.headers["connection"] ?? "")
    ) {
      close();
    }
    return outcomeOf(read, { waited: ended.late, closed: ended.closed });
  }

  return {
    /** Sends one. Where the server has closed the connection meanwhile, as it may, it is sent again over another. */
    async send(exchange: Exchange): Promise<ReplyOutcome> {
      const used = socket !== undefined;
      const outcome = await once(exchange);
      return outcome === "closed" && used ? await once(exchange) : outcome;
    },
    close,
  };
}
