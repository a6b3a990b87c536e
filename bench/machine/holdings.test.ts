import assert from "node:assert/strict";
import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { heldOnDarwin, holdingsOf } from "./holdings.ts";
import { findProgram } from "./programs.ts";

/** Holds a port, a socket and two files, and looks at what is seen of them. */
const holding = (look: (held: { readonly port: number; readonly folder: string }) => void) =>
  inTemporaryFolder(async (folder) => {
    const listen = (server: Server, at: object) =>
      new Promise<void>((done) => server.listen(at, done)).then(() => server);
    const [tcp, local] = [
      await listen(createServer(), { port: 0, host: "127.0.0.1" }),
      await listen(createServer(), { path: join(folder, "a.sock") }),
    ];
    writeFileSync(join(folder, "read"), "1");
    const open = [["written", "w"], ["log", "a"], ["read", "r"]].map(([name, flags]) =>
      openSync(join(folder, name!), flags!)
    );
    try {
      look({ port: (tcp.address() as { port: number }).port, folder });
    } finally {
      open.forEach((each) => closeSync(each));
      await Promise.all([tcp, local].map((server) => new Promise((closed) => server.close(closed))));
    }
  });

/** Reads what this process holds by each way that is here. */
const WAYS = [
  ...(existsSync("/proc/net/tcp") ? [() => holdingsOf(process.pid, undefined)] : []),
  ...(findProgram("lsof") === undefined ? [] : [() => heldOnDarwin(process.pid)]),
];

(WAYS.length > 0 ? test : test.skip)("ports, sockets and files open for writing are what a process holds", async () => {
  await holding(({ port, folder }) => {
    for (const way of WAYS) {
      const held = way()!;
      assert.ok(held.ports.includes(port), `${port} is not among ${held.ports}`);
      assert.ok(held.sockets.some((path) => path.startsWith(join(folder, "a.sock"))), held.sockets.join());
      const names = held.files.flatMap(({ path }) => path.startsWith(folder) ? [path.slice(folder.length + 1)] : []);
      assert.deepEqual(names.sort(), ["log", "written"]);
    }
  });
});

test("a log is told from other files, and a process that is not shown holds nothing that is known", async () => {
  if (!existsSync("/proc/net/tcp")) return assert.equal(process.platform, "darwin");
  await holding(({ folder }) => {
    const { files } = holdingsOf(process.pid, undefined)!;
    const appends = files.flatMap((file) => file.path.startsWith(folder) ? [[file.path.slice(-3), file.appends]] : []);
    assert.deepEqual(appends.sort(), [["log", true], ["ten", false]]);
  });
  assert.equal(holdingsOf(2 ** 22 + 1, undefined), null);
});

test("lsof's words are read as macOS prints them", () => {
  const says = (text: string) => heldOnDarwin(7, (file) => file === "pgrep" ? "8\n" : text);
  const text = [
    ...["p7", "fcwd", "a ", "l ", "tDIR", "n/Users/a"],
    ...["f3", "au", "lW", "tREG", "n/tmp/one.db", "f4", "ar", "l ", "tREG", "n/tmp/read", "f5", "au", "l ", "tREG"],
    ...["n/Users/a/deno/dep_analysis_cache_v2-wal", "p8", "f4", "au", "l ", "tIPv4", "n127.0.0.1:9464", "TST=LISTEN"],
    ...["TQR=0", "f5", "au", "l ", "tIPv6", "n[::1]:9464", "TST=LISTEN", "f6", "au", "l ", "tIPv4"],
    ...["n127.0.0.1:50000->127.0.0.1:5432", "TST=ESTABLISHED", "f7", "au", "l ", "tunix", "n/tmp/a.sock"],
    ...["f8", "au", "l ", "tunix", "n->0x1b2c", ""],
  ].join("\n");
  assert.deepEqual(says(text), {
    ports: [9464],
    sockets: ["/tmp/a.sock"],
    files: [{ path: "/tmp/one.db", locked: true, appends: false, change: null }],
  });
  assert.equal(says(""), null);
});
