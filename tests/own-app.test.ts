/** A person's own apps and servers through everything a run goes through, and nothing of their folder is written to. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { thresholds } from "../bench/statistics/thresholds.ts";
import { findProgram } from "../bench/host/child.ts";
import { locateRuntime } from "../bench/host/runtimes.ts";
import { processesWith } from "../lab/faults/marked-processes.ts";
import { exitOf, undisturbed } from "./contended.ts";
import { makeProject } from "./own-project.ts";
import { bench, benchTest, type Ended, onSite, shortened } from "./run-bench.ts";
import { sha256 } from "./testing.ts";

const SHORT = ["--rounds", "1", "--duration", "1s", "--warmup", "1s", "--alone"];

/** Name, time of change and hash of everything in a folder, without what its packages are links to. */
function everything(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).sort()
      .map((file) => [file, `${statSync(file).mtimeMs} ${sha256(readFileSync(file))}`]),
  );
}

/** Command lines that have a text, of processes that run. */
const commandsWith = (text: string) =>
  processesWith(text).flatMap(({ command }) => command.includes(text) ? [command] : []);

interface Card {
  readonly name: string;
  readonly status: string;
  readonly bound: string;
  readonly server_share: number | null;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
}

const cardsOf = ({ stdout, stderr, code }: Ended): Record<string, Card> => {
  assert.ok(stdout.startsWith("{"), `exit ${code}: ${stderr}`);
  return Object.fromEntries(JSON.parse(stdout).cells.map((card: Card) => [card.name, card]));
};

benchTest(
  "two variants of an app are measured in one run, judged, verified, and measured again by their plan",
  async () => {
    await onSite(async (site) => {
      const folder = makeProject(site);
      const before = everything(folder);
      const given = [
        ...["--app", "fast=./project/app.ts,slow=./project/slow.ts", "--runtime", "bun"],
        ...["--request", "GET /hello/you", "--request", "POST /sum", "--body", "@project/numbers.json"],
        ...["--rounds", String(thresholds.leastRounds.value), "--duration", "1s", "--warmup", "1s"],
      ];
      const planned = await bench(site, ["run", ...given, "--dry-run", "--json"]);
      assert.equal(planned.code, 0, planned.stderr);
      assert.match(planned.stderr, /fast on bun: answers\nslow on bun: answers as fast on bun does\n/);
      const printed = JSON.parse(planned.stdout);
      const { plan } = printed;
      assert.deepEqual(plan.suite.own.samples.map(({ reply }: { reply: { body: string } }) => reply.body), [
        "Hello you",
        '{"sum":6}',
      ]);
      const file = shortened(site, printed);

      const ended = await bench(site, ["run", "--plan", file, "--json"]);
      const { run, summary } = JSON.parse(ended.stdout);
      const cards = Object.values(cardsOf(ended));
      assert.equal(cards.length, 3);
      undisturbed(cards);
      assert.equal(ended.code, exitOf(cards), ended.stderr);
      const [one] = summary.families.flatMap(({ comparisons }: { comparisons: readonly unknown[] }) => comparisons);
      // Where others had the machine, which their marks in the journal say, the site asks again. So short a warm-up may not be
      // enough, which is told. Nothing else excuses it.
      const told = [one.basis, one.verdict, one.over];
      const cold = one.marks?.every(({ code, text }: { code: string; text: string }) =>
        code === "marked-cell" && /^\S+ still grew cheaper against \S+ by /.test(text)
      );
      if (!cold) assert.deepEqual(told, ["together", "faster", "fast/bun"], JSON.stringify(one));
      const verified = await bench(site, ["verify", run.run]);
      assert.equal(verified.code, 0, verified.stdout + verified.stderr);
      assert.deepEqual(everything(folder), before, "something in the project's folder has changed");

      writeFileSync(join(folder, "greeting.ts"), 'export const greeting = (): string => "Hello";\n');
      const changed = await bench(site, ["run", "--plan", file]);
      assert.equal(changed.code, 2);
      assert.match(changed.stderr, /app "fast" is not the planned one any more: its source has changed/);
    });
  },
);

benchTest(
  "programs with children, a server that runs, and an app that differs between runtimes stand side by side",
  async () => {
    await onSite(async (site) => {
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
          ...[
            "run",
            "--app",
            "app=project/app.ts",
            "--runtime",
            "bun,deno",
            "--request",
            "GET /where",
            ...SHORT,
            "--json",
          ],
        ]);
        assert.equal(differing.code, 3, differing.stderr);
        const difference = /GET \/where: json:runtime is "another", "deno" was recorded/;
        assert.match(differing.stderr, difference);
        const { "app/deno": deno, "app/bun": bun } = cardsOf(differing);
        undisturbed([deno!]);
        assert.equal(bun!.status, "invalid");
        assert.match(bun!.reasons[0]!.message, difference);
      } finally {
        running.close();
        running.closeAllConnections();
      }
      assert.deepEqual(everything(folder), before, "something in the project's folder has changed");
      assert.deepEqual(commandsWith(folder), []);
      assert.deepEqual(commandsWith("project/"), []);
    });
  },
);
