/** Runs whose servers are behind ssh: a real sshd on loopback, with keys made here; and what ssh adds to an observation. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bench, descendant, runsIn, type Site, startBench, until } from "../run-bench.ts";
import { until as untilFound } from "../testing.ts";
import { linesIn } from "../whole-run.ts";
import { freePort, must, run, testUnless } from "./command.ts";
import { onPath } from "./stub-nixpkgs.ts";

const SSHD = ["/usr/sbin/sshd", "/usr/local/sbin/sshd"].find(existsSync) ?? onPath("sshd");
const needed = ["ssh", "ssh-keygen", "wrk"].filter((program) => onPath(program) === undefined);
const missing = SSHD === undefined
  ? "sshd is not installed"
  : needed.length > 0
  ? `not installed: ${needed.join(", ")}`
  : undefined;
const sshTest = testUnless(missing, test);

const SMALL = ["--runtime", "bun", "--store", "map", "--size", "1k", "--alone", "--rounds", "1", "--duration", "1s"];

const listening = (port: number) =>
  untilFound(() =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port });
      socket.once("connect", () => (socket.destroy(), resolve(true)));
      socket.once("error", () => resolve(false));
    })
  );

/** Starts an sshd of this user's own; gives the command that leads to it. */
async function withSshd(folder: string, work: (command: string) => Promise<void>): Promise<void> {
  const [hostKey, key] = [join(folder, "host_key"), join(folder, "key")];
  for (const file of [hostKey, key]) await must("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", file]);
  const authorized = join(folder, "authorized_keys");
  writeFileSync(authorized, readFileSync(`${key}.pub`));
  chmodSync(authorized, 0o600);
  const port = await freePort();
  const config = join(folder, "sshd_config");
  writeFileSync(
    config,
    [
      `Port ${port}`,
      "ListenAddress 127.0.0.1",
      `HostKey ${hostKey}`,
      `AuthorizedKeysFile ${authorized}`,
      `PidFile ${join(folder, "sshd.pid")}`,
      "PasswordAuthentication no",
      "StrictModes no",
      "UsePAM no",
      "PermitRootLogin prohibit-password",
      "",
    ].join("\n"),
  );
  // What sshd leaves to, where root starts it.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true });
  const sshd = spawn(SSHD!, ["-D", "-e", "-f", config], { stdio: "ignore" });
  try {
    await listening(port);
    const options = ["BatchMode=yes", "StrictHostKeyChecking=no", `UserKnownHostsFile=${join(folder, "known")}`];
    const words = ["ssh", "-q", "-p", String(port), "-i", key, ...options.flatMap((one) => ["-o", one])];
    await work([...words, `${userInfo().username}@127.0.0.1`].join(" "));
  } finally {
    sshd.kill("SIGTERM");
  }
}

/** Does something with a site whose server's host is behind ssh; nothing of it is left when that has ended. */
async function behindSsh(work: (command: string, site: Site) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-ssh-"));
  const site: Site = { folder, results: join(folder, "results"), data: join(folder, "data-here") };
  try {
    await withSshd(folder, async (ssh) => {
      await work(
        `${ssh} env PATH=${process.env["PATH"]} LEVELFIELD_DATA=${join(folder, "data")} TMPDIR=${folder}`,
        site,
      );
      const left = await run("pgrep", ["-f", folder]);
      // sshd's own command line names the folder.
      assert.equal(left.stdout.trim().split("\n").length, 1, left.stdout);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

sshTest("servers behind ssh are measured as here, and end with the run", async () => {
  await behindSsh(async (command, site) => {
    const made = await bench(site, ["run", ...SMALL, "--server-host", command, "--json"]);
    assert.ok(made.code === 0 || made.code === 3, `exit ${made.code}: ${made.stderr.slice(-2000)}`);
    const { run: record } = JSON.parse(made.stdout);
    assert.equal(record.state, "finished");
    assert.deepEqual([record.hosts.server, record.hosts.load], [command, null]);
    assert.ok(existsSync(join(site.folder, "data")), "files are built on the servers' host");
    const verified = await bench(site, ["verify", record.run]);
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  });
});

sshTest("an ensemble stops with a clear line when its ssh is killed, and goes on through another one", async () => {
  await behindSsh(async (command, site) => {
    const cells = ["bun/map/1k", "deno/map/1k", "--rounds", "2", "--duration", "1s", "--warmup", "1s"];
    const running = startBench(site, ["run", "--pair", ...cells, "--server-host", command]);
    await until("its first line", () => linesIn(site).length > 0, running);
    process.kill(descendant(running.pid, `ssh -q`)!.pid, "SIGKILL");
    const ended = await running.ended;
    assert.equal(ended.code, 1, ended.stderr);
    assert.match(ended.stderr, /error: host "ssh -q .*" is gone: /);
    const [name] = runsIn(site);
    assert.match(ended.stderr, new RegExp(`try: bench run --resume ${name}`));
    const resumed = await bench(site, ["run", "--resume", name!]);
    assert.ok(resumed.code === 0 || resumed.code === 3, resumed.stderr);
    assert.deepEqual(linesIn(site).map(({ kind }) => kind), ["ensemble", "ensemble"]);
    const verified = await bench(site, ["verify", name!]);
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  });
});
