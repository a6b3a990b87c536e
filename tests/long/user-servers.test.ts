/** Programs and servers of a person's own through a whole run, and nothing of their folder is written to. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { findProgram } from "../../bench/machine/programs.ts";
import { locateRuntime } from "../../bench/runtimes/runtimes.ts";
import { processesWith } from "../../lab/faults/marked-processes.ts";
import { undisturbed } from "../contended.ts";
import { cardsOf, everything, makeProject } from "../user-project.ts";
import { bench, siteTest } from "../run-bench.ts";

const SHORT = ["--rounds", "1", "--duration", "1s", "--warmup", "1s", "--alone"];

/** Command lines that have a text, of processes that run. */
const commandsWith = (text: string) =>
  processesWith(text).flatMap(({ command }) => command.includes(text) ? [command] : []);

siteTest("programs with children, a running server, and an app that differs stand side by side", async (site) => {
  const folder = makeProject(site);
  const before = everything(folder);
  const running = createServer((_, response) => response.setHeader("content-type", "application/json").end("{}"));
  await new Promise<void>((listening) => running.listen(0, "127.0.0.1", listening));
  const { port } = running.address() as AddressInfo;
  const python = findProgram("python3");
  if (python === undefined) process.stderr.write("python3 is not here: no server in Python is measured\n");
  try {
    const servers = await bench(site, [
      "run",
      ...["--command", `cluster='${locateRuntime("node").file}' project/cluster.mjs`],
      ...(python === undefined ? [] : ["--command", `python='${python}' project/python-server.py {port}`]),
      ...["--target", `there=http://127.0.0.1:${port}`, "--expect", "200", ...SHORT, "--json"],
    ]);
    const cards = cardsOf(servers);
    assert.deepEqual(Object.keys(cards).filter((name) => !name.includes("@")).sort(), [
      "cluster",
      ...(python === undefined ? [] : ["python"]),
      "there",
    ]);
    const sound = undisturbed(Object.values(cards));
    const cluster = cards["cluster"]!;
    if (sound.includes(cluster)) assert.ok(cluster.server_share! > 0.5, "its workers' CPU time counts as its own");
    assert.equal(cards["there"]!.server_share, null);
    assert.equal(cards["there"]!.bound, "unknown");
    assert.equal((await fetch(`http://127.0.0.1:${port}/`)).status, 200, "nobody stops what somebody else started");

    const differing = await bench(site, [
      ...["run", "--app", "app=project/app.ts", "--runtime", "bun,deno", "--request", "GET /where", ...SHORT, "--json"],
    ]);
    assert.equal(differing.code, 3, differing.stderr);
    const difference = /GET \/where: json:runtime is "another", "deno" was recorded/;
    assert.match(differing.stderr, difference);
    const { "app/deno": deno, "app/bun": bun } = cardsOf(differing);
    undisturbed([deno!]);
    assert.equal(bun!.status, "invalid");
    assert.match(bun!.marks[0]!.text, difference);
  } finally {
    running.close();
    running.closeAllConnections();
  }
  assert.deepEqual(everything(folder), before, "something in the project's folder has changed");
  assert.deepEqual(commandsWith(folder), []);
  assert.deepEqual(commandsWith("project/"), []);
});
