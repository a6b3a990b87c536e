import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { linuxTest, until } from "../../tests/testing.ts";
import {
  connectionsAt,
  freePort,
  isFree,
  type Listener,
  listeningPart,
  listeningPorts,
  openAddresses,
  strangerAmong,
  strangerOn,
} from "./listening-ports.ts";

async function listenOn(
  port: number,
  address = "127.0.0.1",
): Promise<{ server: Server; port: number; close: () => Promise<unknown> }> {
  const server = createServer();
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(port, address, listening);
  });
  const close = () => new Promise((closed) => server.close(closed));
  return { server, port: (server.address() as AddressInfo).port, close };
}

linuxTest("the ports a process listens on are read from the system, and who is a stranger there", async () => {
  const { port, close } = await listenOn(0);
  assert.ok(listeningPorts([process.pid]).includes(port));
  assert.equal(strangerOn(port, () => [process.pid]), undefined);
  assert.equal(strangerOn(port, () => []), `process ${process.pid}`);
  await close();
  assert.ok(!listeningPorts([process.pid]).includes(port));
  assert.equal(strangerOn(port, () => assert.fail("nobody listens there")), undefined);
});

test("a port where none of ours listens is a stranger's, whether its process is seen or not", () => {
  const listening = [{ uid: 33, inode: "7" }];
  const shown = (pid: number, ...sockets: string[]) => ({ pid, uids: [1000, 1000], sockets });
  const hidden = (uids: readonly number[]) => ({ pid: 2, uids, sockets: null });
  const who = (ours: readonly Listener[], ...others: readonly Listener[]) => strangerAmong(listening, ours, others);
  assert.equal(who([shown(1, "6"), shown(2, "7", "8")], shown(3, "7")), undefined);
  assert.equal(who([shown(1, "6")], shown(3), shown(4, "7")), "process 4");
  assert.equal(who([shown(1, "6")], hidden([33])), "a process of user 33");
  assert.equal(who([]), "a process of user 33");
  // One of ours with capabilities, or that became another user, hides its sockets.
  assert.equal(who([shown(1), hidden([1000, 33])]), undefined);
  assert.equal(who([shown(1), hidden([1000, 34])]), "a process of user 33");
  assert.equal(strangerAmong([], [], []), undefined);
});

test("a table is read as far as sockets listen, and on for a while, however many connections follow", () => {
  const line = (state: string, n: number) =>
    `${
      String(n).padStart(4)
    }: 0100007F:1F90 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000     0        0 ${n}`
      .padEnd(149) + "\n";
  const read = (states: readonly string[]) => {
    let pages = 0;
    const lines = states.map(line);
    const text = listeningPart(() => lines.slice(27 * pages, 27 * ++pages).join(""));
    return { pages, ends: text.split("\n").slice(0, -1).map((row) => /\S+$/.exec(row.trim())![0]) };
  };
  const many = read(["0A", "0A", ...Array.from({ length: 30_000 }, () => "06")]);
  assert.ok(many.pages < 20, `${many.pages} of 1112 pages were read`);
  assert.deepEqual(many.ends.slice(0, 2), ["0", "1"]);
  const mixed = [...Array.from({ length: 200 }, () => "01"), "0A", ...Array.from({ length: 200 }, () => "01"), "0A"];
  assert.ok(["200", "401"].every((end) => read(mixed).ends.includes(end)), "those that listen stand among others");
  assert.equal(read(["0A"]).ends.length, 1);
});

linuxTest("connections are counted where they end, until this side has closed them", async () => {
  const { server, port, close } = await listenOn(0);
  const accepted: Socket[] = [];
  server.on("connection", (socket) => accepted.push(socket.on("error", () => {})));
  assert.equal(connectionsAt(port), 0);
  const clients = [connect(port, "127.0.0.1"), connect(port, "127.0.0.1")];
  await until(() => accepted.length === 2);
  assert.equal(connectionsAt(port), 2);
  for (const client of clients) client.destroy();
  for (const socket of accepted) socket.destroy();
  await until(() => connectionsAt(port) === 0);
  await close();
});

linuxTest("addresses that others may reach are told apart from those that lead here alone", async () => {
  const opened = () => openAddresses([process.pid]);
  const before = opened();
  const hasIpv6 = existsSync("/proc/net/if_inet6") && readFileSync("/proc/net/if_inet6", "utf8") !== "";
  for (const address of ["127.0.0.1", "127.0.0.9", ...(hasIpv6 ? ["::1"] : [])]) {
    const { close } = await listenOn(0, address);
    assert.deepEqual(opened(), before, address);
    await close();
  }
  for (const address of ["0.0.0.0", ...(hasIpv6 ? ["::"] : [])]) {
    const { close } = await listenOn(0, address);
    assert.deepEqual(opened().filter((each) => !before.includes(each)), [address]);
    await close();
  }
});

test("a free port is none that is in use, and none that the system gives out by itself", async () => {
  const port = await freePort("127.0.0.1");
  const { close } = await listenOn(port);
  assert.equal(await isFree(port, "127.0.0.1"), false);
  for (let n = 0; n < 50; n++) {
    const other = await freePort("127.0.0.1");
    assert.notEqual(other, port);
    assert.ok(other < 32_768, `${other}`);
  }
  await close();
  assert.equal(await isFree(port, "127.0.0.1"), true);
});
