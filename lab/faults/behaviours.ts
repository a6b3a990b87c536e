import { spawn, spawnSync } from "node:child_process";
import { openSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** The one reply of a sound server, 32 characters. */
export const BODY = "levelfield answers this request.";

/** The requests so far, when another arrives. */
interface Request {
  readonly count: number;
  /** Milliseconds since the first request of a load. */
  readonly ms: number;
  /** Milliseconds since the request before. */
  readonly restMs: number;
  readonly open: number;
}

/** The misbehaviour of a server; in all else it is sound. */
interface Behaviour {
  readonly atStart?: () => unknown;
  readonly before?: (request: Request) => void;
  /** The bytes that are written; null writes nothing. */
  readonly reply?: (request: Request, socket: Socket) => string | null;
  /** Milliseconds a reply is held back. */
  readonly delayMs?: (request: Request) => number;
  /** Each new connection, with the number of those open; false turns it away. */
  readonly accepts?: (open: number) => boolean;
  /** At the signal to end. */
  readonly atEnd?: () => unknown;
  readonly tells?: (port: number) => number;
}

/** Not before the load: the oracle asks fewer than 100 times. */
const LOADED = 200;
/** Well inside the measured window, after the two loads before it of half a second each. */
const IN_WINDOW_MS = 1_700;
/** Requests between two faults under load. */
const SOMETIMES = 50;

const loaded = ({ count }: Request) => count > LOADED;
const sometimes = (request: Request) => loaded(request) && request.count % SOMETIMES === 0;
const inWindow = ({ ms }: Request) => ms > IN_WINDOW_MS;

const head = (status: string, length: number | null, more = "") =>
  `HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\n${
    length === null ? "" : `content-length: ${length}\r\n`
  }${more}\r\n`;
const SOUND = head("200 OK", BODY.length) + BODY;

/** A reply that is wrong now and then, sound else. */
const now = (when: (request: Request) => boolean, make: (socket: Socket) => string | null) => ({
  reply: (request: Request, socket: Socket) => when(request) ? make(socket) : SOUND,
});
const once = (when: (request: Request) => boolean, act: () => void) => {
  let done = false;
  return {
    before(request: Request) {
      if (done || !when(request)) return;
      done = true;
      act();
    },
  };
};
const forever = () => new Promise(() => setInterval(() => {}, 60_000));
const spin = () => {
  for (;;);
};
const other = BODY.replace("answers", "forgets");

/** Works about half of the time. */
const BUSY = "while :; do n=0; while [ $n -lt 20000 ]; do n=$((n + 1)); done; sleep 0.02; done";

const kept: unknown[] = [];

/** Every way in which a server may misbehave, by name; `sound` and `sound-too` do not. */
export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  "sound": {},
  "sound-too": {},
  "sound-with-files": {},
  "start-throws": {
    atStart() {
      throw new Error("no licence");
    },
  },
  "start-exits-0": { atStart: () => process.exit(0) },
  "start-exits-7": { atStart: () => process.exit(7) },
  "start-killed": { atStart: () => process.kill(process.pid, "SIGKILL") && forever() },
  "start-hangs": { atStart: forever },
  "start-babbles": { atStart: () => process.stdout.write("hello, here I am\n") },
  "start-babbles-ours": { atStart: () => process.stdout.write("hello, here I am\n") },
  "start-floods": { atStart: () => process.stdout.write(`${"x".repeat(1 << 20)}\n`) },
  "start-slow": { atStart: () => sleep(1_500) },
  "port-taken": {
    atStart: () =>
      new Promise((_, reject) => {
        const first = createServer().listen(0, "127.0.0.1", () => {
          createServer().once("error", reject).listen((first.address() as AddressInfo).port, "127.0.0.1");
        });
      }),
  },
  "listens-elsewhere": { tells: (port) => port === 65_535 ? 65_534 : port + 1 },
  "load-exits-9": once(loaded, () => process.exit(9)),
  "load-exits-0": once(loaded, () => process.exit(0)),
  "window-exits-0": once(inWindow, () => process.exit(0)),
  "window-killed": once(inWindow, () => process.kill(process.pid, "SIGKILL")),
  "load-throws": once(loaded, () => {
    setTimeout(() => {
      throw new Error("nobody caught this");
    });
  }),
  "load-spins": once(loaded, spin),
  "load-stops": once(loaded, () => process.kill(process.pid, "SIGSTOP")),
  "load-silent": now(loaded, () => null),
  "answers-late": { delayMs: (request) => loaded(request) ? 100 : 0 },
  "wrong-body": now(() => true, () => head("200 OK", other.length) + other),
  "wrong-body-later": now(inWindow, () => head("200 OK", other.length) + other),
  "wrong-byte-sometimes": now(({ count }) => count % 7 === 0, () => SOUND.replace("this", "that")),
  "wrong-when-busy": now(({ open }) => open > 4, () => head("200 OK", 4) + "busy"),
  "empty-body-later": now(inWindow, () => head("200 OK", 0)),
  "status-500-always": now(() => true, () => head("500 Internal Server Error", 0)),
  "status-500-sometimes": now(sometimes, () => head("500 Internal Server Error", 0)),
  "status-404-later": now(inWindow, () => head("404 Not Found", 0)),
  "redirects-sometimes": now(({ count }) => count % SOMETIMES === 0, () => head("302 Found", 0, "location: /\r\n")),
  "length-too-long": now(sometimes, () => head("200 OK", BODY.length + 100) + BODY),
  "length-too-short": now(sometimes, () => head("200 OK", 10) + BODY),
  "chunk-cut-off": now(sometimes, (socket) => {
    socket.end(head("200 OK", null, "transfer-encoding: chunked\r\n") + `20\r\n${BODY.slice(0, 9)}`);
    return null;
  }),
  "closes-before-reply": now(sometimes, (socket) => {
    socket.destroy();
    return null;
  }),
  "closes-in-head": now(sometimes, (socket) => {
    socket.end("HTTP/1.1 200 OK\r\ncontent-le");
    return null;
  }),
  "closes-unsaid": now(sometimes, (socket) => {
    socket.end(SOUND);
    return null;
  }),
  "no-http": now(sometimes, () => "SSH-2.0-OpenSSH_9.9\r\n"),
  "head-too-large": now(sometimes, () => head("200 OK", BODY.length, `x-a: ${"a".repeat(200_000)}\r\n`) + BODY),
  "answers-twice": now(loaded, () => SOUND + SOUND),
  "early-hints": now(() => true, () => `HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n${SOUND}`),
  "changes-protocol": now(() => true, () => "HTTP/1.1 101 Switching Protocols\r\nupgrade: a\r\n\r\n"),
  "ends-by-close": now(() => true, (socket) => {
    socket.end(head("200 OK", null, "connection: close\r\n") + BODY);
    return null;
  }),
  "turns-away": { accepts: (open) => open <= 20 },
  "floods-stderr": { before: (request) => void (loaded(request) && process.stderr.write(`${"?".repeat(2_000)}\n`)) },
  "floods-stdout": { before: (request) => void (loaded(request) && process.stdout.write(`${"!".repeat(2_000)}\n`)) },
  "leaks-memory": {
    before: (request) => void (loaded(request) && kept.length < 300 && kept.push(Buffer.alloc(1 << 20, 1))),
  },
  "leaks-descriptors": {
    before: (request) => void (loaded(request) && kept.length < 2_000 && kept.push(openSync("/dev/null", "r"))),
  },
  "forks": { atStart: () => spawn("sleep", ["1000"], { stdio: "ignore" }).unref() },
  "forks-with-output": { atStart: () => spawn("sleep", ["1000"], { stdio: "inherit" }).unref() },
  "forks-and-exits": {
    atStart: () => spawn("sleep", ["1000"], { stdio: "ignore" }).unref(),
    ...once(loaded, () => process.exit(4)),
  },
  "forks-a-neighbour": {
    ...once(loaded, () => spawn("sh", ["-c", BUSY], { stdio: "ignore" }).unref()),
  },
  "changes-cpus": once(loaded, () => void spawnSync("taskset", ["-apc", "0-1023", String(process.pid)])),
  "end-ignored": { atEnd: forever },
  "end-spins": { atEnd: spin },
  "end-fails": { atEnd: () => process.exit(11) },
};

/** When each connection was last served, and those that wait: a place is free once its connection was idle for a while. */
const places = new Map<Socket, number>(), waiting: Socket[] = [];
function serveNext(): void {
  const now = performance.now();
  for (const [held, ms] of places) if (now - ms > 50) places.delete(held);
  while (places.size < 4 && waiting.length > 0) {
    const next = waiting.shift()!;
    if (next.destroyed) continue;
    places.set(next, now);
    next.write(SOUND);
  }
}

const burn = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end;);
};
let madeMs = -Infinity;

/** Behaviour that shows only among other servers or connections, for tests of these. */
const AMONG_OTHERS: Readonly<Record<string, Behaviour>> = {
  "serves-four": {
    atStart: () => void setInterval(serveNext, 10),
    reply(_, socket) {
      if (places.has(socket)) return places.set(socket, performance.now()) && SOUND;
      waiting.push(socket);
      serveNext();
      return null;
    },
  },
  /** Keeps a page for 200 ms, and makes it anew in 20. */
  "remakes-a-page": {
    before() {
      if (performance.now() - madeMs > 200) {
        burn(20);
        madeMs = performance.now();
      }
      burn(0.06);
    },
  },
  /** A reply of 20 000 is lost. */
  "loses-a-reply": now(({ count }) => count % 20_000 === 0, () => null),
  /** So the first of some waits long enough to be kept at work, as the first of sixteen does. */
  "sound-but-slow": { atStart: () => sleep(6_000) },
  /** Ends at the next request after a pause. */
  "exits-after-rest": {
    before: ({ restMs }) => void (restMs > 3_000 && process.exit(9)),
  },
};

/** The behaviour of a name: a sound server unless it is known. */
export const behaviourOf = (name: string): Behaviour => BEHAVIOURS[name] ?? AMONG_OTHERS[name] ?? {};

/** Serves one behaviour; resolves with the port when it listens. */
export async function listen(behaviour: Behaviour, port: number): Promise<{ readonly port: number; close(): void }> {
  await behaviour.atStart?.();
  let count = 0, firstMs = 0, lastMs = Infinity, open = 0;
  const server: Server = createServer((socket) => {
    open++;
    socket.setNoDelay(true);
    socket.on("close", () => open--);
    socket.on("error", () => {});
    if (behaviour.accepts?.(open) === false) return void socket.destroy();
    let rest = "";
    socket.setEncoding("latin1").on("data", (text: Buffer | string) => {
      rest += String(text);
      for (let end = rest.indexOf("\r\n\r\n"); end >= 0; end = rest.indexOf("\r\n\r\n")) {
        rest = rest.slice(end + 4);
        const nowMs = performance.now();
        if (++count === LOADED) firstMs = nowMs;
        const request = { count, ms: count < LOADED ? 0 : nowMs - firstMs, restMs: nowMs - lastMs, open };
        lastMs = nowMs;
        behaviour.before?.(request);
        const text = behaviour.reply === undefined ? SOUND : behaviour.reply(request, socket);
        const ms = behaviour.delayMs?.(request) ?? 0;
        if (text === null) continue;
        if (ms === 0) socket.write(text);
        else setTimeout(() => socket.destroyed || socket.write(text), ms);
      }
    });
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  const real = (server.address() as AddressInfo).port;
  return { port: behaviour.tells?.(real) ?? real, close: () => void server.close() };
}
