import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import { createServer as createPlain, type Server } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { failureText } from "../basics/failures.ts";
import { findProgram } from "../machine/programs.ts";
import { askUntilReady, type ReadyRequests } from "./ask-until-ready.ts";
import { listening } from "../../tests/listening.ts";
import { inTemporaryFolder, until as found } from "../../tests/testing.ts";

/** Nothing is waited for here that comes later. */
const SOON = { againMs: 20, tlsMs: 40 };

/** What comes late is waited for. */
const PATIENT = { againMs: 60_000, tlsMs: 60_000 };

/** Asks a server until something is so. */
async function asked(
  server: Server,
  until: (asked: ReadyRequests, ready: boolean) => boolean,
  pace = SOON,
): Promise<string | null> {
  return await listening(server, async (url) => {
    const asking = askUntilReady("/", { protocol: "http" }, pace);
    const ready = async () => until(asking, await asking.ready(url, 25));
    await found(ready, { there: () => String(wordsOf(asking)) });
    const why = wordsOf(asking);
    asking.close();
    return why;
  });
}

function wordsOf(asking: ReadyRequests): string | null {
  const why = asking.why();
  return why && failureText(why);
}

const told = (asking: ReadyRequests, ready: boolean) => ready || asking.why() !== null;

test("a reply that takes longer than asks are apart is waited for", async () => {
  let asks = 0;
  // It answers its first ask, when it is asked a second time.
  const waiting: (() => void)[] = [];
  const server = createHttp((_, reply) => {
    waiting.push(() => reply.end("a"));
    if (++asks === 2) waiting[0]!();
  });
  await asked(server, (_, ready) => ready);
  // On a busy machine a third one may leave before the reply is read.
  assert.ok(asks >= 2);
});

test("one that never answers, answers an error or speaks no HTTP is told so", async () => {
  assert.match(
    (await asked(createHttp(() => {}), told))!,
    /^"\/" was asked \d+ s ago and is not answered yet: .* --ready$/,
  );
  const failing = createHttp((_, reply) => {
    reply.statusCode = 503;
    reply.end("no table");
  });
  assert.equal(
    await asked(failing, told, PATIENT),
    '"/" is answered with status 503 ("no table"): name another path with --ready',
  );
});

/** What a server answers whose reply is none, or does not end; its connections stay open, so that a greeting of TLS waits. */
const ODD: readonly (readonly [reply: string, says: RegExp])[] = [
  ["hello\r\n\r\n", /^it answers "hello\S*", which is no HTTP\/1\.1$/],
  ["HTTP/1.1 101 Switching\r\n\r\n", /^it changes the protocol \(101\): only HTTP is measured$/],
  ["HTTP/1.1 204 No Content\r\n\r\nhi", /^its reply is followed by 2 bytes of no reply$/],
  ["HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", /^its reply has a line that does not end in CRLF$/],
  ["HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhi", /not answered yet, of its body 2 of 20 bytes came: .* --ready$/],
  ["HTTP/1.1 200 OK\r\n\r\nhi", /yet, its 2 bytes have no length, and the connection stays open: /],
  [
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n",
    /yet, it streams events and does not end by itself: /,
  ],
];

test("what it answers that is no reply, or none that ends, is named, however its connections are left", async () => {
  for (const [reply, says] of ODD) {
    const server = createPlain((socket) => void socket.on("error", () => {}).once("data", () => socket.write(reply)));
    let asks = 0;
    server.on("connection", () => asks++);
    // Several asks: what an earlier one was answered with is kept with the next.
    assert.match((await asked(server, (asking) => asks > 3 && says.test(wordsOf(asking) ?? "")))!, says);
  }
});

(findProgram("openssl") === undefined ? test.skip : test)("one that speaks TLS is known by its greeting", async () => {
  await inTemporaryFolder(async (folder) => {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const words = `req -x509 -newkey rsa:2048 -nodes -subj /CN=a -days 2 -keyout ${key} -out ${cert}`;
    execFileSync("openssl", words.split(" "), { stdio: "ignore" });
    const server = createHttps({ key: readFileSync(key), cert: readFileSync(cert) });
    assert.match(
      (await asked(server, (asking) => asking.hopeless() !== null, PATIENT))!,
      /^it speaks TLS: have it speak plain HTTP/,
    );
  });
});
