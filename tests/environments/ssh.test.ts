/** A run whose servers are behind ssh: a real sshd on loopback, with keys made here. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../../bench/host/runtimes.ts";
import { environmentWith, freePort, must, run, testUnless } from "./command.ts";
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

async function listening(port: number): Promise<void> {
  for (let n = 0; n < 400; n++) {
    const there = await new Promise<boolean>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port });
      socket.once("connect", () => (socket.destroy(), resolve(true)));
      socket.once("error", () => resolve(false));
    });
    if (there) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`sshd does not listen on port ${port}`);
}

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

sshTest("servers behind ssh are measured as here, and end with the run", async () => {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-ssh-"));
  const bench = join(PROJECT_ROOT, "bin", "bench");
  try {
    await withSshd(folder, async (ssh) => {
      const data = join(folder, "data");
      const command = `${ssh} env PATH=${process.env["PATH"]} LEVELFIELD_DATA=${data} TMPDIR=${folder}`;
      const env = environmentWith({ LEVELFIELD_RESULTS: join(folder, "results"), TMPDIR: folder });
      const made = await run(bench, ["run", ...SMALL, "--server-host", command, "--json"], { env });
      assert.ok(made.code === 0 || made.code === 3, `exit ${made.code}: ${made.stderr.slice(-2000)}`);
      const { run: record } = JSON.parse(made.stdout);
      assert.equal(record.state, "finished");
      assert.deepEqual([record.hosts.server, record.hosts.load], [command, null]);
      assert.ok(existsSync(data), "files are built on the servers' host");
      await must(bench, ["verify", record.run], { env });
      const left = await run("pgrep", ["-f", folder]);
      // sshd's own command line names the folder.
      assert.equal(left.stdout.trim().split("\n").length, 1, left.stdout);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
