/** Programs that stand before a real PostgreSQL or Redis on PATH, as pieces of shell: `$real` is the true one, `$node` Node. */
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../../bench/machine/programs.ts";
import { locateRuntime } from "../../bench/runtimes/runtimes.ts";
import type { Stage } from "./stage.ts";

/** Where Debian has the programs of PostgreSQL, besides PATH. */
const DEBIAN = "/usr/lib/postgresql";

/** The file of a program that is installed; undefined where it is not. */
export function realOf(name: string): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a)) : [];
  const there = versions.map((version) => join(DEBIAN, version, "bin", name)).find((file) => existsSync(file));
  return there ?? findProgram(name);
}

/** Why a program cannot be broken here; null where it can. */
export const whyAbsent = (program: string) => () =>
  process.platform !== "linux"
    ? "processes are read from /proc"
    : realOf(program)
    ? null
    : `${program} is not installed`;

/** Variables with which programs here go before those installed: `$real` is the true one. */
export function withProgram(stage: Stage, name: string, shell: string): Record<string, string> {
  const folder = join(stage.folder, "bin");
  // PostgreSQL runs as a separate user, who has to come here.
  for (const path of [stage.folder, stage.tmp]) chmodSync(path, 0o755);
  mkdirSync(folder);
  for (const each of name === "postgres" ? ["initdb", "psql", "postgres"] : [name]) {
    const body = each === name ? shell : 'exec "$real" "$@"';
    writeFileSync(
      join(folder, each),
      `#!/bin/sh\nreal='${realOf(each)}'\nnode='${locateRuntime("node").file}'\n${body}\n`,
    );
    chmodSync(join(folder, each), 0o755);
  }
  return { PATH: `${folder}:${stage.settings.programs}:${process.env["PATH"]}` };
}

/** Stands between clients and the real one, which listens on a socket alone, and hands each reply on 20 ms late. */
export const SLOW_RELAY = `exec "$node" -e '
const { connect, createServer } = require("node:net");
const [real, ...args] = process.argv.slice(1), port = args[args.indexOf("-p") + 1];
const child = require("node:child_process").spawn(real, [...args, "-c", "listen_addresses="], { stdio: "inherit" });
child.once("exit", (code) => listener.close() && (process.exitCode = code ?? 1));
process.on("SIGINT", () => child.kill("SIGINT"));
const listener = createServer({ noDelay: true }, (client) => {
  const server = connect(process.cwd() + "/.s.PGSQL." + port);
  client.on("error", () => server.destroy()).pipe(server);
  server.on("error", () => client.destroy()).on("close", () => client.destroy())
    .on("data", (bytes) => setTimeout(() => client.write(bytes), 20));
}).listen(Number(port), "127.0.0.1");' "$real" "$@"`;

/** Listens on the port it is about to take. */
export const PORT_TAKER = `exec "$node" -e 'const taken = require("node:net").createServer();
taken.listen(Number(process.argv[5]), "127.0.0.1", () => {
  const { spawnSync } = require("node:child_process");
  process.exitCode = spawnSync(process.argv[1], process.argv.slice(2), { stdio: "inherit" }).status;
  taken.close();
});' "$real" "$@"`;
