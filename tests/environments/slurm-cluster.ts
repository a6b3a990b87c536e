/**
 * Two nodes of Slurm on this machine, for as long as a test runs: Debian's own munged, slurmctld and two slurmd, each on
 * ports and in folders of its own. Both nodes see the whole host, so what runs on them is bound to CPUs by hand.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { environmentWith, freePort, must, run } from "./command.ts";
import { onPath } from "./stub-nixpkgs.ts";

/** A cluster at work. */
export interface SlurmCluster {
  /** The node for servers, and the one for load generators. */
  readonly nodes: readonly ["sut", "gen"];
  /** With which `salloc`, `sbatch` and `srun` find it. */
  readonly env: Readonly<Record<string, string>>;
  /** A folder that goes with it. */
  readonly folder: string;
}

const PROGRAMS = ["munged", "mungekey", "slurmctld", "slurmd", "srun", "salloc", "sbatch", "sinfo"];
const READY_MS = 30_000;

/** Why there can be no cluster here; undefined where there can. */
export function slurmMissing(): string | undefined {
  if (process.getuid?.() !== 0) return "Slurm's daemons need root here";
  const missing = PROGRAMS.filter((name) => onPath(name) === undefined);
  return missing.length === 0 ? undefined : `${missing.join(", ")} of slurm-wlm and munge are not installed`;
}

/** Starts a cluster, does something with it, and ends all of it, whatever became of that. */
export async function withSlurm<T>(work: (cluster: SlurmCluster) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-slurm-"));
  const daemons: ChildProcess[] = [];
  const daemon = (file: string, args: readonly string[], env?: Readonly<Record<string, string>>) => {
    const child = spawn(file, args, { stdio: "ignore", env: env ?? process.env });
    daemons.push(child);
    return child;
  };
  try {
    const socket = join(folder, "munge", "socket");
    mkdirSync(join(folder, "munge"), { mode: 0o755 });
    const key = join(folder, "munge", "key");
    await must("mungekey", ["--create", "--keyfile", key]);
    chownSync(key, 0, 0);
    daemon("munged", [
      ...["--foreground", "--force", "--num-threads", "2", "--key-file", key, "--socket", socket],
      ...["--log-file", join(folder, "munge", "log"), "--pid-file", join(folder, "munge", "pid")],
      ...["--seed-file", join(folder, "munge", "seed")],
    ]);

    const conf = join(folder, "slurm.conf");
    writeFileSync(conf, slurmConf(folder, socket, [await freePort(), await freePort(), await freePort()]));
    const env = environmentWith({ SLURM_CONF: conf });
    daemon("slurmctld", ["-D", "-f", conf], env);
    for (const node of ["sut", "gen"]) daemon("slurmd", ["-D", "-N", node, "-f", conf], env);
    await untilIdle(env);
    return await work({ nodes: ["sut", "gen"], env, folder });
  } finally {
    for (const child of daemons.toReversed()) {
      if (child.exitCode === null) child.kill("SIGTERM");
    }
    await Promise.all(daemons.map(ended));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A daemon that does not heed SIGTERM is killed. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await new Promise((resolve) => child.once("exit", resolve));
  clearTimeout(late);
}

function slurmConf(
  folder: string,
  socket: string,
  [control, first, second]: readonly [number, number, number],
): string {
  const host = hostname();
  const lines = {
    ClusterName: "levelfield",
    AuthType: "auth/munge",
    AuthInfo: `socket=${socket}`,
    CryptoType: "crypto/munge",
    SlurmUser: "root",
    SlurmdUser: "root",
    SlurmctldHost: `${host}(127.0.0.1)`,
    SlurmctldPort: control,
    SlurmctldPidFile: join(folder, "slurmctld.pid"),
    SlurmctldLogFile: join(folder, "slurmctld.log"),
    SlurmdPidFile: join(folder, "slurmd-%n.pid"),
    SlurmdLogFile: join(folder, "slurmd-%n.log"),
    SlurmdSpoolDir: join(folder, "spool-%n"),
    StateSaveLocation: join(folder, "state"),
    SlurmdParameters: "config_overrides",
    SelectType: "select/cons_tres",
    SelectTypeParameters: "CR_CPU",
    TaskPlugin: "task/affinity",
    ProctrackType: "proctrack/linuxproc",
    SchedulerType: "sched/backfill",
    // Jobs of two components start when it looks, which is every 30 s otherwise.
    SchedulerParameters: "bf_interval=1",
    ReturnToService: 2,
  };
  const node = (name: string, port: number) =>
    `NodeName=${name} NodeHostName=${host} NodeAddr=127.0.0.1 Port=${port} CPUs=2 RealMemory=4000`;
  return [
    ...Object.entries(lines).map(([name, value]) => `${name}=${value}`),
    node("sut", first),
    node("gen", second),
    "PartitionName=all Nodes=sut,gen Default=YES State=UP OverSubscribe=EXCLUSIVE",
    "",
  ].join("\n");
}

async function untilIdle(env: Readonly<Record<string, string>>): Promise<void> {
  let said = "";
  for (const started = performance.now(); performance.now() - started < READY_MS;) {
    const { stdout, stderr } = await run("sinfo", ["--noheader", "--Node", "--format", "%N %t"], { env });
    said = `${stdout}${stderr}`;
    if (/^sut idle$/m.test(stdout) && /^gen idle$/m.test(stdout)) return;
    await sleep(200);
  }
  throw new Error(`Slurm's nodes are not idle: ${said}`);
}
