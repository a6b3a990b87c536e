/** Servers of all kinds, started for real: longer than most, as each case needs the servers that misbehave in it. */
import assert from "node:assert/strict";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import type { CommandServer } from "../../suites/suite.ts";
import { findProgram } from "../machine/programs.ts";
import { processesOf } from "../machine/server-processes.ts";
import { inspectRuntime, SCRIPT_ARGS } from "../runtimes/runtimes.ts";
import { freePort } from "../machine/listening-ports.ts";
import { listening } from "../../tests/listening.ts";
import { PATIENCE_MS } from "../../tests/patience.ts";
import { folderTest, inTemporaryFolder, runtime, until } from "../../tests/testing.ts";
import { startServer, stopServer } from "./start-server.ts";
import type { ServerRequest } from "./server-request.ts";

const linuxTest = existsSync("/proc/self/environ") && findProgram("setsid") !== undefined ? test : test.skip;

const HTTP = 'import { createServer } from "node:http"; import { spawn } from "node:child_process"; ' +
  'import { writeFileSync } from "node:fs";';
const answering = (port: string) => `${HTTP} createServer((_, reply) => reply.end("a")).listen(${port}, "127.0.0.1");`;

/** A program of a few words of JavaScript, on the runtime the tests run on. */
function program(folder: string, code: string, change: Partial<CommandServer> = {}): CommandServer {
  const file = join(folder, "program.mjs");
  writeFileSync(file, code);
  const command = [process.execPath, ...SCRIPT_ARGS[runtime.name], file];
  return { kind: "command", command, ready: "/", stop: "SIGTERM", ...change };
}

const start = (spec: CommandServer, more: Partial<ServerRequest> = {}) =>
  startServer({ spec, runtime: null, cpus: null, readyMs: PATIENCE_MS, ...more });

async function whyNot(spec: CommandServer, more?: Partial<ServerRequest>): Promise<string> {
  const server = await start(spec, more);
  if ("url" in server) await stopServer(server);
  assert.ok("failed" in server, JSON.stringify(server));
  assert.equal(server.failed.code, "server-failed-to-start");
  return server.failed.text;
}

const isThere = (pid: number) => existsSync(`/proc/${pid}/exe`);

const linuxFolderTest = (name: string, run: (folder: string) => Promise<void>) =>
  linuxTest(name, () => inTemporaryFolder(run));

linuxFolderTest("a program gets a port, and what it has started ends with it", async (folder) => {
  const server = await start(
    program(folder, `${answering("process.env.PORT")} spawn("sleep", ["600"], { detached: true });`),
  );
  assert.ok("url" in server, JSON.stringify(server));
  assert.equal(await (await fetch(server.url)).text(), "a");
  const pids = processesOf(server.pid!, server.mark!);
  assert.ok(pids.length > 1, `${pids}`);
  await stopServer(server);
  await until(() => !pids.some(isThere));
});

linuxFolderTest("a program is told where to listen, and one that others may reach says where", async (folder) => {
  const openOf = async (at: string) => {
    const code = `${HTTP} createServer((_, reply) => reply.end(process.env.HOST)).listen(process.env.PORT, ${at});`;
    const server = await start(program(folder, code));
    assert.ok("url" in server, JSON.stringify(server));
    assert.equal(await (await fetch(server.url)).text(), "127.0.0.1");
    await stopServer(server);
    return server.open;
  };
  assert.equal(await openOf("process.env.HOST"), undefined);
  assert.deepEqual(await openOf('"0.0.0.0"'), ["0.0.0.0"]);
});

linuxFolderTest(
  "one that listens elsewhere, nowhere or in the background is named with what it does",
  async (folder) => {
    const listens = join(folder, "listens");
    const elsewhere = `${HTTP} createServer().listen(0, "127.0.0.1", () => writeFileSync(${
      JSON.stringify(listens)
    }, ""));`;
    assert.match(
      // Its time is over once it listens.
      await whyNot(program(folder, elsewhere), { readyMs: 1_500, now: () => existsSync(listens) ? 1_500 : 0 }),
      /^"\/" was not answered within 1\.5 s; it listens on port \d+ instead of \d+: --port \d+ if it always does$/,
    );
    assert.match(
      await whyNot(program(folder, "setInterval(() => {}, 1000);"), { readyMs: 50 }),
      /^"\/" was not answered within 0\.05 s: name the path that is answered once it is ready with --ready$/,
    );
    assert.match(
      await whyNot(program(folder, `${HTTP} spawn("sleep", ["600"], { detached: true, stdio: "ignore" }).unref();`)),
      /^it went to the background and left 1 process/,
    );
    assert.match(await whyNot(program(folder, "process.exit(3);")), /^ended with exit 3/);
  },
);

const inspected = await inspectRuntime(runtime.name);

/** Starts a program on the runtime the tests run on, as `--program` does. */
async function startOnRuntime(
  folder: string,
  code: string,
  change?: Partial<CommandServer>,
  now?: ServerRequest["now"],
) {
  const spec = {
    ...program(folder, code),
    command: [join(folder, "program.mjs")],
    runtime: inspected.label,
    ...change,
  };
  return await startServer({
    spec,
    runtime: inspected,
    cpus: null,
    ...(now === undefined ? {} : { now, readyMs: Infinity }),
  });
}

/** Code that listens at several places, and a clock that goes on by a minute a look once it does. */
function listeningAt(folder: string, ...places: readonly string[]): { code: string; now: () => number } {
  const flags = places.map((_, n) => join(folder, `listens-${n}`));
  for (const flag of flags) rmSync(flag, { force: true });
  const server = (at: string, n: number) =>
    `createServer((_, reply) => reply.end("a")).listen(${at}, () => writeFileSync(${JSON.stringify(flags[n])}, ""));`;
  let ms = 0;
  return { code: `${HTTP} ${places.map(server).join(" ")}`, now: () => flags.every(existsSync) ? ms += 60_000 : ms };
}

linuxFolderTest(
  "a program on a runtime is found where it listens, and says which ports it was not told",
  async (folder) => {
    const where = async (places: readonly (string | number)[], change?: Partial<CommandServer>) => {
      const { code, now } = listeningAt(folder, ...places.map(String));
      const server = await startOnRuntime(folder, code, change, now);
      assert.ok("url" in server, JSON.stringify(server));
      assert.equal(await (await fetch(server.url)).text(), "a");
      await stopServer(server);
      return { port: Number(new URL(server.url).port), untold: server.untold };
    };
    const [fixed, further] = [await freePort("127.0.0.1"), await freePort("127.0.0.1")];
    const told = "process.env.PORT, process.env.HOST";
    assert.equal((await where([told])).untold, undefined);
    assert.deepEqual(await where([fixed]), { port: fixed, untold: [fixed] });
    assert.deepEqual((await where([further, told])).untold, [further]);
    assert.deepEqual(await where([further, fixed], { port: fixed }), { port: fixed, untold: [further] });
  },
);

linuxFolderTest("a program whose requests another program answers is not its runtime's", async (folder) => {
  const other = runtime.name === "bun" ? "node" : "bun";
  const file = join(folder, "server.mjs");
  writeFileSync(file, answering("process.env.PORT"));
  const words = [(await inspectRuntime(other)).file, file];
  const code = `${HTTP} spawn(...${JSON.stringify([words[0], words.slice(1)])}, { stdio: "inherit" });`;
  const server = await startOnRuntime(folder, code);
  assert.ok("failed" in server, JSON.stringify(server));
  assert.equal(server.failed.code, "wrong-runtime");
  assert.equal(server.failed.text, `what listens is "${words[0]}", not "${inspected.file}"`);
});

linuxTest("a program that dies says its error, and no place of code or footer of its runtime", async () => {
  const cases: readonly [code: string, says: RegExp][] = [
    ["const settings = undefined; settings.port;", /exit 1: TypeError: .*undefined.*port'?\)?$/],
    [
      'console.log("on"); setTimeout(() => { throw new RangeError("no\\n  db"); }, 1);',
      /exit 1: (RangeError: )?no db$/,
    ],
    // No host has this address, and no name is looked up.
    [`${HTTP} createServer().listen(1, "192.0.2.1");`, /exit 1: .*(EADDRNOTAVAIL|192\.0\.2\.1)/],
    ['throw new Error("outer", { cause: new Error("inner") });', /exit 1: outer; (caused by Error: )?inner$/],
    ['import "a-package-nobody-has";', /exit 1: .*a-package-nobody-has/],
    ["const a = ;", /exit 1: (SyntaxError|Unexpected ;|Expression expected)/],
    ['Promise.reject("no key");', /exit 1: "?no key"?$/],
    ['console.error("DATABASE_URL is missing"); process.exit(2);', /exit 2: DATABASE_URL is missing$/],
    ['console.log(JSON.stringify({ level: 60, msg: "no licence" })); process.exit(3);', /exit 3: no licence$/],
  ];
  for (const [code, says] of cases) {
    await inTemporaryFolder(async (folder) => assert.match(await whyNot(program(folder, code)), says, code));
  }
});

linuxFolderTest(
  "a program that dies before its watcher is at work is not taken for one in the background",
  async (folder) => {
    // The watcher begins by this command, and never comes further.
    writeFileSync(join(folder, "env"), "#!/bin/sh\nexec sleep 600\n", { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    assert.match(await whyNot(program(folder, "process.exit(3);", { env })), /^ended with exit 3/);
  },
);

folderTest("a port of its own that somebody has taken is named, and nothing is started", async (folder) => {
  const other = createServer();
  const why = async (_: string, port: number) =>
    assert.equal(await whyNot(program(folder, "", { port })), `port ${port} is taken by another program`);
  await listening(other, why);
});

/** Code that never listens. */
const STANDS_BY = "setInterval(() => {}, 1000);";

/** Starts a program that gets a port which this process listens on from then on, and says how often this one was asked. */
async function startBesideStranger(hostname: string, code: string) {
  return await inTemporaryFolder(async (folder) => {
    const port = await freePort("127.0.0.1");
    let asked = 0;
    const stranger = createServer((_, reply) => {
      asked++;
      reply.end("stranger");
    });
    const spec = program(folder, code, { port });
    const onStart = () => void stranger.listen(port, hostname);
    // The time of one that never listens is over some looks after the stranger does.
    let looks = 0;
    const now = () => code === STANDS_BY && stranger.listening && ++looks > 5 ? 3_000 : 0;
    const server = await start(spec, { readyMs: 3_000, now, onStart });
    const text = "url" in server ? await (await fetch(server.url)).text() : undefined;
    if ("url" in server) await stopServer(server);
    await new Promise((closed) => stranger.close(closed));
    return { server, port, asked, text };
  });
}

linuxTest("somebody else who takes its port meanwhile is not taken for it, and is named", async () => {
  const { server, port, asked } = await startBesideStranger("127.0.0.1", STANDS_BY);
  assert.ok("failed" in server, JSON.stringify(server));
  const held = `port ${port} is held by process ${process.pid}, which it did not start`;
  assert.equal(server.failed.text, `"/" was not answered within 3 s; ${held}`);
  assert.ok(asked <= 1, `asked ${asked} times`);
});

linuxTest("somebody else with its port at another address does not keep it from being ready", async () => {
  const { text, asked } = await startBesideStranger("127.0.0.2", answering("process.env.PORT"));
  assert.equal(text, "a");
  assert.equal(asked, 0);
});

/** Starts an app whose module prints a ready line of its own before it serves, and says why it was refused. */
async function whyRefused(change: Readonly<Record<string, unknown>>): Promise<string> {
  return await inTemporaryFolder(async (folder) => {
    const bun = await inspectRuntime("bun");
    const line = {
      ...{ schema: "levelfield.ready/2", runtime: bun.name, version: bun.version, pid: 1, openMs: 1 },
      ...{ url: "http://127.0.0.1:1", diskBytes: null, facts: {}, ...change },
    };
    const module = join(folder, "app.mjs");
    writeFileSync(
      module,
      `console.log(JSON.stringify({ pid: process.pid, ...${JSON.stringify(line)}, ${
        "pid" in change ? "" : "pid: process.pid"
      } }));
       export const open = () => ({ fetch: () => new Response("own"), close() {} });`,
    );
    const server = await startServer({
      spec: { kind: "app", module, cwd: folder, runtime: "bun" },
      runtime: bun,
      cpus: null,
    });
    if ("url" in server) await stopServer(server);
    assert.ok("failed" in server, JSON.stringify(server));
    return server.failed.text;
  });
}

linuxTest("a ready line an app prints is believed only if the process is its own and listens there", async () => {
  assert.match(await whyRefused({ pid: 1 }), /^the server says it is process 1, which was not started for it/);
  assert.match(
    await whyRefused({ url: "http://127.0.0.2:80" }),
    /listens on http:\/\/127\.0\.0\.2:80, not on 127\.0\.0\.1/,
  );
  const stranger = createServer((_, reply) => reply.end("stranger"));
  await listening(stranger, async (url, port) => {
    // It listens nowhere yet when it prints the line.
    const why = await whyRefused({ url });
    assert.match(why, new RegExp(`listens on http://127\\.0\\.0\\.1:${port}, and process \\d+ does not`));
  });
});

const TLS =
  `import { createServer } from "node:https"; import { createSecureServer } from "node:http2"; import { readFileSync } from "node:fs";
const { TLS_KEY, TLS_CERT, PROTOCOL, PORT } = process.env;
const files = { key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) };
const answer = (_, reply) => reply.end(PROTOCOL);`;

(findProgram("openssl") === undefined ? test.skip : linuxTest)(
  "a program is told what to speak, and what was agreed on is kept",
  async () => {
    await inTemporaryFolder(async (folder) => {
      const startBy = async (code: string, protocol: "https" | "h2") => {
        const request = { spec: program(folder, code), runtime: null, cpus: null, readyMs: 60_000, protocol } as const;
        const server = await startServer(request);
        if ("url" in server) await stopServer(server);
        return server;
      };
      for (const [protocol, make] of [["https", "createServer"], ["h2", "createSecureServer"]] as const) {
        const server = await startBy(`${TLS} ${make}(files, answer).listen(PORT, "127.0.0.1");`, protocol);
        assert.ok("url" in server, JSON.stringify(server));
        assert.match(server.url, /^https:/);
        assert.match(server.negotiated!["tls_version"]!, /^TLSv1/);
        assert.equal(server.spoken!.protocol, protocol);
      }
      const plain = await startBy(answering("process.env.PORT"), "https");
      assert.ok("failed" in plain);
      assert.match(plain.failed.text, /^it does not answer in TLS: /);
    });
  },
);
