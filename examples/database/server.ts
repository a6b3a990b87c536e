import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How long PostgreSQL may take to start. */
const START_MS = 20_000;
/** Ticks of a second in /proc: the same on every Linux. */
const TICKS = 100;

/** A PostgreSQL with a data folder of its own. */
export interface Database {
  readonly port: number;
  /** Seconds of CPU time of its processes so far, those that have ended included. */
  cpuSeconds(): number;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** Debian keeps the programs of each version in a folder of their own, off PATH. */
function programs(): string {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root)
    ? readdirSync(root).filter((name) => existsSync(join(root, name, "bin/initdb")))
    : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined) throw new Error("PostgreSQL is not installed; try: apt-get install -y postgresql");
  return join(root, newest, "bin");
}

/** PostgreSQL refuses to run as root: then it runs as the user Debian made for it. */
function owner(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject).listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Starts PostgreSQL on loopback, pinned to a CPU; the kernel ends it with this process. */
export async function startDatabase(cpu: number): Promise<Database> {
  const bin = programs();
  const user = owner();
  const folder = mkdtempSync(join(tmpdir(), "levelfield-postgres-"));
  const data = join(folder, "data");
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!);
  let child: ChildProcess | undefined;
  const stop = async () => {
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child!.once("exit", resolve));
      // Its word for: roll back, close and end.
      child.kill("SIGINT");
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const initdb = ["-D", data, "-U", "levelfield", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    execFileSync(join(bin, "initdb"), initdb, { ...user, cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    const port = await freePort();
    const settings = ["listen_addresses=127.0.0.1", `port=${port}`, "unix_socket_directories=", "shared_buffers=512MB"];
    const command = [
      ...["setpriv", "--pdeathsig", "KILL", "--", "taskset", "-c", String(cpu), join(bin, "postgres"), "-D", data],
      ...settings.flatMap((setting) => ["-c", setting]),
    ];
    let log = "";
    child = spawn(command[0]!, command.slice(1), { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    child.stderr!.setEncoding("utf8").on("data", (text: string) => log = (log + text).slice(-4_000));
    for (const started = performance.now(); !log.includes("ready to accept connections");) {
      if (child.exitCode !== null || performance.now() - started > START_MS) {
        throw new Error(`PostgreSQL does not start: ${log.trim().split("\n").at(-1)}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return { port, cpuSeconds: () => cpuSeconds(child!.pid!), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Its own CPU time, that of children it has waited for, and that of children still there. */
function cpuSeconds(postmaster: number): number {
  const times = (pid: number | string) => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number];
    return { own: user + system, waited: childUser + childSystem };
  };
  const { own, waited } = times(postmaster);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").split(" ").filter(Boolean);
  const living = children.reduce((sum, pid) => {
    try {
      return sum + times(pid).own;
    } catch {
      // It ended meanwhile; its parent counts it from now on.
      return sum;
    }
  }, 0);
  return (own + waited + living) / TICKS;
}
