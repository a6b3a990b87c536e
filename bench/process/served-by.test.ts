import assert from "node:assert/strict";
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { CommandServer } from "../../suites/suite.ts";
import { PATIENCE_MS } from "../../tests/patience.ts";
import { inTemporaryFolder, linuxTest, runtime } from "../../tests/testing.ts";
import { fileSha256, inspectRuntime, SCRIPT_ARGS } from "../runtimes/runtimes.ts";
import { startServer, stopServer } from "./start-server.ts";
import { listeningOnDarwin } from "./served-by.ts";

const SERVER =
  'import { createServer } from "node:http"; createServer((_, r) => r.end("a")).listen(process.env.PORT, "127.0.0.1");';

/** What serves a command in a folder with a server. */
async function servedOf(command: (folder: string) => readonly string[], change: Partial<CommandServer> = {}) {
  return await inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "server.mjs"), SERVER);
    const spec: CommandServer = {
      kind: "command",
      command: command(folder),
      cwd: folder,
      ready: "/",
      stop: "SIGTERM",
      ...change,
    };
    const server = await startServer({ spec, runtime: null, cpus: null, readyMs: PATIENCE_MS });
    assert.ok("url" in server, JSON.stringify(server));
    await stopServer(server);
    return server.served;
  });
}

linuxTest("what serves is the executable of the process that listens, with its version and hash", async () => {
  const inspected = await inspectRuntime(runtime.name);
  const pinned = {
    name: inspected.name,
    version: inspected.version,
    sha256: fileSha256(inspected.file),
    from: "pinned",
  };
  assert.deepEqual(await servedOf(() => [inspected.file, ...SCRIPT_ARGS[inspected.name], "server.mjs"]), [pinned]);
  assert.deepEqual(
    await servedOf(() => ["sh", "-c", `${inspected.file} ${SCRIPT_ARGS[inspected.name].join(" ")} server.mjs; true`]),
    [pinned],
  );
});

linuxTest("a script of another runtime's runner is served by what its first line names", async () => {
  const [bun, node] = [await inspectRuntime("bun"), await inspectRuntime("node")];
  const found = await servedOf((folder) => {
    writeFileSync(join(folder, "package.json"), '{"type":"module","scripts":{"start":"./cli.mjs"}}');
    writeFileSync(join(folder, "cli.mjs"), `#!/usr/bin/env node\n${SERVER}`);
    chmodSync(join(folder, "cli.mjs"), 0o755);
    symlinkSync(node.file, join(folder, "node"));
    return ["sh", "-c", `PATH="$PWD:$PATH" ${bun.file} run start`];
  });
  assert.deepEqual(found?.map(({ name, version, from }) => [name, version, from]), [["node", node.version, "pinned"]]);
});

linuxTest("workers that are handed connections count, and a program that may start a server is not asked", async () => {
  const node = await inspectRuntime("node");
  const workers =
    `import cluster from "node:cluster"; if (cluster.isPrimary) { cluster.fork(); cluster.fork(); } else { ${
      SERVER.replace(
        /^import \{ createServer \} from "node:http";/,
        'const { createServer } = await import("node:http");',
      )
    } }`;
  const found = await servedOf((folder) => {
    writeFileSync(join(folder, "cluster.mjs"), workers);
    return [node.file, "cluster.mjs"];
  });
  assert.deepEqual(found?.map(({ name }) => name), ["node"]);
});

test("on macOS lsof names the process and ps its executable; where they do not, nothing is known", () => {
  const ask = (file: string, args: readonly string[]) => {
    if (file === "lsof") {
      assert.deepEqual(args.slice(-4), ["12,13", "-iTCP:80", "-sTCP:LISTEN", "-Fp"]);
      return "p13\nf22\n";
    }
    assert.deepEqual(args, ["-o", "comm=", "-p", "13"]);
    return "/opt/homebrew/bin/node\n";
  };
  assert.deepEqual(listeningOnDarwin([12, 13], 80, ask), ["/opt/homebrew/bin/node"]);
  assert.deepEqual(
    listeningOnDarwin([12], 80, () => {
      throw new Error("lsof is not here");
    }),
    [],
  );
});
