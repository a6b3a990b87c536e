import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PATIENCE_MS } from "../../tests/patience.ts";
import { inTemporaryFolder, runtime, until } from "../../tests/testing.ts";
import { BenchError } from "../basics/errors.ts";
import { findProgram } from "../machine/programs.ts";
import type { Host } from "./host.ts";
import { localHost } from "./local-host.ts";
import { inspectRuntime, SCRIPT_ARGS } from "../runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { listeningPorts } from "../machine/listening-ports.ts";
import { findRevision } from "../sources/revision.ts";
import { ourHello } from "./greet-agent.ts";
import { lineOf, PROTOCOL } from "./protocol.ts";
import { remoteHost } from "./remote-host.ts";

const linuxTest = existsSync("/proc/self/environ") && findProgram("setpriv") !== undefined ? test : test.skip;

const gitTest = findProgram("git") !== undefined && existsSync(join(PROJECT_ROOT, ".git")) ? linuxTest : test.skip;

const ON = [process.execPath, ...SCRIPT_ARGS[runtime.name]];
/** A real agent, on the runtime the tests run on. */
const AGENT = [...ON, join(PROJECT_ROOT, "bench", "main.ts"), "agent", "--no-config"];

async function withAgent(work: (host: Host) => Promise<void>): Promise<void> {
  const host = await remoteHost(AGENT, "agent", ourHello());
  try {
    await work(host);
  } finally {
    await host.close();
  }
}

const isThere = (pid: number) => existsSync(`/proc/${pid}/exe`);

const gone = (pids: readonly number[]) => until(() => !pids.some(isThere));

/** The process of an agent. */
async function agentOf(host: Host): Promise<number[]> {
  const child = await host.start({ file: "sh", args: ["-c", "echo $PPID"], cpus: null, env: {} });
  await child.ended;
  return [Number(child.stdout())];
}

const sleeping = { file: "sleep", args: ["600"], cpus: null, env: {} };

linuxTest("an agent starts, samples, stops and continues a program, tells its lines and how it ended", async () => {
  await withAgent(async (host) => {
    const lines: string[] = [];
    const script = 'echo "$NAME"; cat "{levelfield-folder}/in"; echo made >{levelfield-folder}/out; exec sleep 600';
    const process = await host.start({
      file: "sh",
      args: ["-c", script],
      cpus: null,
      env: { NAME: "ä name" },
      files: { in: "what it reads\n" },
      output: ["out", "none"],
    }, { onLine: (line) => lines.push(line) });
    await until(() => lines.length >= 2);
    assert.deepEqual(lines, ["ä name", "what it reads"]);
    const pids = [process.pid, 2 ** 22 + 1, null];
    const { processes: [alive, none, unknown], cpus, sizes } = await host.sample({ pids, what: "cpus", sizes: true });
    assert.ok("value" in alive! && alive.value.threads.has(process.pid), JSON.stringify(alive));
    assert.ok("unreadable" in none! && "unreadable" in unknown!);
    assert.ok(sizes[0]!.bytes > 0);
    assert.ok("value" in cpus!.cpus && cpus!.cpus.value.size > 0);
    const { processes: [counted], counts } = await host.sample({ pids: [process.pid], what: "counts" });
    assert.ok("value" in counted! && counted.value.involuntarySwitches !== null && counts !== null);
    const lists = await host.threadCpus(process.pid);
    assert.ok("value" in lists && lists.value.length === 1);
    assert.deepEqual(listeningPorts(await agentOf(host)), [], "an agent listens on no port");
    await process.kill("SIGSTOP");
    await process.kill("SIGCONT");
    await process.kill("SIGTERM");
    const ending = await process.ended;
    assert.ok(!("failed" in ending));
    assert.equal(ending.signal, "SIGTERM");
    assert.deepEqual(ending.files, { out: "made\n" });
    assert.equal(process.stdout(), "ä name\nwhat it reads\n");
  });
});

linuxTest("operations answer behind the pipe as they do here, what is not there too", async () => {
  const here = localHost();
  const file = join(PROJECT_ROOT, "package.json"), none = join(PROJECT_ROOT, "no such file");
  const binary = await inspectRuntime(runtime.name);
  const questions: readonly ((host: Host) => Promise<unknown>)[] = [
    (host) => host.runtimes([binary]),
    (host) => host.findProgram({ program: "sh", module: undefined, versionArgs: ["-c", "echo 1"] }),
    (host) => host.findProgram({ program: "levelfield-no-such-program", versionArgs: [] }),
    (host) => host.hashes([file]),
    (host) => host.sources([{ file, home: null }, { file: none, home: null }]),
    (host) => host.threadCpus(process.pid),
    (host) => host.threadCpus(2 ** 22 + 1),
    (host) => host.sizeOf(2 ** 22 + 1),
    (host) => host.roundTripUs("http://127.0.0.1:1"),
    (host) => host.countsAt(1),
    (host) => host.connectionsAt(1),
    (host) => host.holdingsOf(2 ** 22 + 1, undefined),
    (host) => host.workersAt({ control: 1, pid: 1 }),
    (host) => host.workersUse([{ pid: 2 ** 22 + 1, tid: 2 ** 22 + 1, requests: null }]),
    async (host) => (await host.facts()).machineId,
  ];
  await withAgent(async (host) => {
    for (const ask of questions) assert.deepEqual(await ask(host), await ask(here));
    await assert.rejects(host.hashes([none]), /host "agent": ENOENT.*no such file/);
    const { cpus, agentCpuNs } = await host.sample({ pids: [], what: "cpus" });
    assert.ok(cpus !== null && "value" in cpus.cpus && Number.isFinite(cpus.cpus.value.get(0)?.busyNs));
    assert.ok(agentCpuNs > 0);
    assert.ok("value" in await host.freeMemoryShare() && "value" in await host.peakRssBytes(process.pid));
    assert.ok((await host.holdingsOf(process.pid, undefined)) !== null);
    assert.equal((await here.sample({ pids: [], what: "processes" })).agentCpuNs, 0);
  });
});

linuxTest("a server is started behind the pipe, asked from there and stopped with what it started", async () => {
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, "server.mjs");
    writeFileSync(
      file,
      `import { createServer } from "node:http"; import { spawn } from "node:child_process";
       spawn("sleep", ["601"], { detached: true });
       createServer((request, reply) => reply.writeHead(request.url === "/none" ? 404 : 200).end(request.url))
         .listen(process.env.PORT, "127.0.0.1");`,
    );
    await withAgent(async (host) => {
      const spec = { kind: "command", command: [...ON, file], ready: "/", stop: "SIGTERM" } as const;
      const server = await host.serve({ spec, runtime: null, cpus: null, readyMs: PATIENCE_MS });
      assert.ok("url" in server, JSON.stringify(server));
      const client = host.client(server.url, PATIENCE_MS);
      assert.equal((await client.send("GET", "/a")).body, "/a");
      assert.equal((await client.send("GET", "/none")).status, 404);
      assert.ok((await host.roundTripUs(server.url))! > 0);
      await host.stop(server);
      await assert.rejects(client.send("GET", "/b"), Error);
      assert.equal(host.lost(), null, "a server that is gone is no host that is gone");
      await gone([server.pid!]);
      const failed = await host.serve({ spec: { ...spec, command: ["false"] }, runtime: null, cpus: null });
      assert.ok("failed" in failed && failed.failed.code === "server-failed-to-start", JSON.stringify(failed));
    });
  });
});

linuxTest("closing the pipe ends everything, with what it has started itself", async () => {
  const host = await remoteHost(AGENT, "agent", ourHello());
  const script = "sleep 602 & echo $!; exec sleep 602";
  let told = "";
  const process = await host.start(
    { file: "sh", args: ["-c", script], cpus: null, env: {}, ownSession: true },
    { onLine: (line) => told = line },
  );
  const other = await host.start(sleeping);
  await until(() => told !== "");
  await host.close();
  assert.notEqual(told, "");
  await gone([process.pid, other.pid, Number(told)]);
  await assert.rejects(host.sizeOf(other.pid), /host "agent" is gone/);
});

linuxTest("killing the driver with SIGKILL leaves nothing running", async () => {
  const [program, ...args] = [...ON, join(PROJECT_ROOT, "tests", "drive-until-killed.ts"), ...AGENT];
  const driver = spawn(program!, args, { stdio: ["ignore", "pipe", "inherit"], cwd: PROJECT_ROOT });
  const line = await new Promise<string>((resolve) => driver.stdout.once("data", (text) => resolve(String(text))));
  const pids: number[] = JSON.parse(line);
  assert.equal(pids.length, 3);
  assert.deepEqual(pids.filter((pid) => !isThere(pid)), []);
  driver.kill("SIGKILL");
  await gone(pids);
});

linuxTest("an agent killed with SIGKILL is a lost host, and takes what it started with it", async () => {
  const host = await remoteHost(["sh", "-c", 'echo $$ >&2; exec "$@"', "sh", ...AGENT], "box1", ourHello());
  const process = await host.start(sleeping);
  const [agent] = await agentOf(host);
  globalThis.process.kill(agent!, "SIGKILL");
  const ending = await process.ended;
  assert.ok("failed" in ending && /host "box1" is gone/.test(ending.failed), JSON.stringify(ending));
  assert.notEqual(host.lost(), null);
  await assert.rejects(host.start(sleeping), (error: BenchError) => {
    assert.match(error.message, /^host "box1" is gone: /);
    assert.match(error.hint!, /--resume/);
    return error instanceof BenchError;
  });
  await gone([process.pid]);
  await host.close();
});

linuxTest("another source is refused with both named, and so is another protocol", async () => {
  const here = ourHello();
  const other = { ...here, version: "9.9.9", source_sha256: "f".repeat(64) };
  await assert.rejects(
    remoteHost(AGENT, "box1", other),
    new RegExp(
      `host "box1": .*9\\.9\\.9, source ffffffffffff.*${here.version}, source ${here.source_sha256.slice(0, 12)}`,
    ),
  );
  const says = (line: string) => ["sh", "-c", 'printf "%s" "$1"; cat >/dev/null', "sh", line];
  await assert.rejects(
    remoteHost(says(lineOf(here).replace(PROTOCOL, "levelfield.agent/9")), "box1", here),
    /its agent speaks "levelfield\.agent\/9", and the driver "levelfield\.agent\/1"/,
  );
});

linuxTest("what is no agent is told as such, and lines before its first one are passed over", async () => {
  await assert.rejects(remoteHost(["sh", "-c", "echo no such host >&2; exit 255"], "box1", ourHello()), /no such host/);
  await assert.rejects(remoteHost(["levelfield-no-such-program"], "box1", ourHello()), /there is no agent/);
  const host = await remoteHost(["sh", "-c", 'echo "Welcome to box1"; exec "$@"', "sh", ...AGENT], "box1", ourHello());
  assert.equal(host.lost(), null);
  await host.close();
});

linuxTest("garbage on the pipe ends the agent and all it started, with what it could not read", async () => {
  const [program, ...args] = AGENT;
  const agent = spawn(program!, args, { stdio: ["pipe", "pipe", "inherit"], cwd: PROJECT_ROOT });
  let said = "";
  agent.stdout.setEncoding("utf8").on("data", (text: string) => said += text);
  const untilSaid = async (what: RegExp) => {
    await until(() => what.test(said));
    assert.match(said, what);
  };
  agent.stdin.write(lineOf(ourHello()));
  agent.stdin.write(`${JSON.stringify({ id: 1, ask: "start", asked: [sleeping, false] })}\n`);
  await untilSaid(/"re":1,"value":\d+\}/);
  const pid = Number(/"value":(\d+)/.exec(said)![1]);
  agent.stdin.write(`{"id":2,"ask":"no such thing","asked":[]}\n`);
  await untilSaid(/"refused":"\\".*no such thing.*is no request of a driver/);
  await gone([pid]);
});

linuxTest("on another machine an agent takes it: two runs at once are refused there", async () => {
  await inTemporaryFolder(async (folder) => {
    const there = ["env", `TMPDIR=${folder}`, ...AGENT];
    const identityHere = { ...ourHello(), machine: "another one" };
    const first = await remoteHost(there, "box1", identityHere);
    await assert.rejects(
      remoteHost(there, "box1", identityHere),
      /host "box1": another run is measuring on this machine/,
    );
    await first.close();
    await (await remoteHost(there, "box1", identityHere)).close();
  });
});

linuxTest("a runtime of another version is refused with both versions", async () => {
  await withAgent(async (host) => {
    const here = await inspectRuntime(runtime.name);
    assert.equal((await host.runtimes([here]))[0]!.file, here.file);
    await assert.rejects(
      host.runtimes([{ ...here, version: "1.2.3" }]),
      new RegExp(`${runtime.name} is ${here.version} on the agent's host and 1\\.2\\.3 on the driver's`),
    );
  });
});

gitTest("another revision is put where its host keeps them, and one that is not there is said in a line", async () => {
  const { ref, commit } = await findRevision("HEAD");
  await inTemporaryFolder(async (folder) => {
    await withAgent(async (host) => {
      const root = await host.checkOut({ ref, commit }, folder);
      assert.ok(root.startsWith(folder) && existsSync(join(root, "node_modules")), root);
      assert.ok(existsSync(join(root, "servers", "main.ts")));
      assert.equal(await host.checkOut({ ref, commit }, folder), root);
      await assert.rejects(host.checkOut({ ref: "gone", commit: "f".repeat(40) }, folder), (error: BenchError) => {
        assert.match(error.message, /^host "agent": cannot check out "gone": /);
        assert.match(error.hint!, /git fetch/);
        return error instanceof BenchError;
      });
      assert.equal(host.lost(), null);
    });
  });
});
