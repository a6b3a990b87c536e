/** Real databases for tests, found on PATH or in Debian's folders, each with a folder and a port of its own. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, copyFileSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findProgram } from "../bench/host/child.ts";

/** PostgreSQL refuses root: then it runs as the user its package has made, in a folder which that user can reach. */
const isRoot = process.getuid?.() === 0;

function postgresFolder(): string | undefined {
  const onPath = findProgram("initdb");
  if (onPath !== undefined) return dirname(realpathSync(onPath));
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(root, version, "bin")).find((folder) => existsSync(join(folder, "initdb")));
}

function idOf(user: string, which: "-u" | "-g"): number | undefined {
  try {
    return Number(execFileSync("id", [which, user], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
  } catch {
    return undefined;
  }
}

const programs = postgresFolder();
const owner = isRoot ? { uid: idOf("postgres", "-u"), gid: idOf("postgres", "-g") } : {};
const AS_OWNER = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];

/** Whether there is a PostgreSQL that can be run here. */
export const hasPostgres = programs !== undefined &&
  (!isRoot || (owner.uid !== undefined && findProgram("setpriv") !== undefined));

/** Whether there is a Redis. */
export const hasRedis = findProgram("redis-server") !== undefined;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Starts a program and waits until it prints a text; throws with what it printed where it ends without. */
async function startUntil([file, ...args]: readonly string[], text: string, cwd: string): Promise<ChildProcess> {
  const child = spawn(file!, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding("utf8").on("data", (data) => {
        printed += data;
        if (printed.includes(text)) resolve();
      });
    }
    child.once("error", reject);
    child.once("close", () => reject(new Error(printed)));
  });
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGINT");
  await ended;
}

/** Works with a PostgreSQL in which SQL was run that may name files, which stand where it can read them. */
export async function withPostgres<T>(
  setUp: (fileOf: (path: string) => string) => string,
  work: (port: number) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(isRoot ? "/tmp" : tmpdir(), "levelfield-postgres-"));
  try {
    if (isRoot) chownSync(folder, owner.uid!, owner.gid!);
    const command = (name: string, args: readonly string[]) => [...AS_OWNER, join(programs!, name), ...args];
    const run = (name: string, args: readonly string[], input = "") => {
      const [file, ...rest] = command(name, args);
      execFileSync(file!, rest, { cwd: folder, input, stdio: "pipe" });
    };
    const data = join(folder, "data"), port = await freePort();
    run("initdb", ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8"]);
    const args = ["-D", data, "-p", `${port}`, "-F", "-c", "listen_addresses=127.0.0.1", "-k", folder];
    const child = await startUntil(command("postgres", args), "ready to accept connections", folder);
    try {
      let copies = 0;
      const sql = setUp((path) => {
        const copy = join(folder, `${copies++}`);
        copyFileSync(path, copy);
        if (isRoot) chownSync(copy, owner.uid!, owner.gid!);
        return copy;
      });
      run("psql", ["-h", folder, "-p", `${port}`, "-U", "postgres", "-v", "ON_ERROR_STOP=1"], sql);
      return await work(port);
    } finally {
      await stop(child);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Works with an empty Redis that keeps nothing. */
export async function withRedis<T>(work: (port: number) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-redis-"));
  const port = await freePort();
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
  try {
    const child = await startUntil(["redis-server", ...args], "Ready to accept connections", folder);
    try {
      return await work(port);
    } finally {
      await stop(child);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
