/** Benches killed at twelve moments: the next start leaves no file and no process of theirs, and no header ever lay in a file. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { orElse } from "../../bench/basics/errors.ts";
import { OWNER_VARIABLE, tagOf } from "../../bench/machine/owner.ts";
import { locateRuntime } from "../../bench/runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { APP, makeRepository } from "../gate-repository.ts";
import { bench, descendant, type Running, type Site, siteTest, startBench, until } from "../run-bench.ts";
import { isServiceHere } from "../service-here.ts";
import { BUILDER, LOAD } from "../whole-run.ts";

const SECRET = "Bearer-of-nobody";
const SHORT = ["--rounds", "1", "--duration", "30s", "--alone"];
const OWN = ["run", "--app", "./app.mjs", "--runtime", "node", "--request", "GET /", "--header"];
const HEADED = [...OWN, `authorization: ${SECRET}`, ...SHORT];

/** A program that starts another one, which leaves its session. */
const LEAVES = `require("child_process").spawn("setsid", ["sleep", "600"], { detached: true, stdio: "ignore" });
require("http").createServer((_, reply) => reply.end("hi")).listen(process.env.PORT, "127.0.0.1");`;

const isGit = orElse(() => execFileSync("git", ["rev-parse", "HEAD"], { cwd: PROJECT_ROOT, stdio: "pipe" }), null);

/** Paths below a folder that have a text in their names. */
const below = (folder: string, text: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).filter((path) => path.includes(text)) : [];

/** A bench, and how it is seen from outside that it came to a moment. */
interface Moment {
  readonly name: string;
  readonly args: readonly string[];
  readonly is: (running: Running, site: Site) => unknown;
  readonly here?: unknown;
}

const loading = ({ pid }: Running) => descendant(pid, LOAD);
const run = (...words: readonly string[]) => ["run", ...words, ...SHORT];

const MOMENTS: readonly Moment[] = [
  {
    name: "a builder at work",
    args: run("--runtime", "deno", "--store", "sqlite", "--size", "1m"),
    is: ({ pid }) => descendant(pid, BUILDER),
  },
  {
    name: "a server with a copy of its files",
    args: run("--runtime", "deno", "--store", "sqlite", "--size", "1k", "--workload", "write"),
    is: (_, { folder }) => below(join(folder, "data"), ".scratch-").length > 0,
  },
  {
    name: "a key for TLS",
    args: [...HEADED, "--protocol", "https"],
    is: (_, { folder }) => below(folder, "key.pem").length > 0,
  },
  { name: "a load with a secret header", args: HEADED, is: loading },
  {
    name: "calls in process",
    args: run("--generator", "in-process", "--runtime", "bun", "--store", "map", "--size", "1k"),
    is: ({ pid }) => descendant(pid, "in-process-main"),
  },
  { name: "a service that does nothing", args: run("drivers", "--driver", "pg", "--runtime", "node"), is: loading },
  {
    name: "a PostgreSQL at its start",
    args: run("drivers", "--driver", "pg", "--runtime", "node", "--service", "real"),
    is: ({ pid }) => descendant(pid, "unix_socket_directories"),
    here: isServiceHere("postgres"),
  },
  {
    name: "a Redis under load",
    args: run("redis", "--driver", "ioredis", "--runtime", "node", "--service", "real"),
    is: loading,
    here: isServiceHere("redis"),
  },
  {
    name: "profiles being written",
    args: ["explain", "--app", "./app.mjs", "node"],
    is: ({ stderr }) => stderr().includes("pass 1"),
  },
  {
    name: "the base of a gate",
    args: ["gate", "--app", "./repository/app.mjs", "--base", "HEAD~1", "--quick"],
    is: (running, { folder }) => below(folder, "levelfield-gate-").length > 0 && loading(running),
  },
  {
    name: "another revision being put together",
    args: [...run("--runtime", "bun", "--store", "map", "--size", "1k"), "--against", "HEAD"],
    is: (_, { folder }) => below(join(folder, "data"), ".part-").length > 0,
    here: isGit,
  },
  {
    name: "a program that left its session",
    args: ["run", "--command", `left='${locateRuntime("node").file}' leaves.cjs`, "--expect", "200", ...SHORT],
    is: loading,
  },
];

/** What is left of a process: files whose name says it is theirs, and processes that carry it. */
function leftOf(tag: string, { folder }: Site): string[] {
  const files = ["/tmp", folder].flatMap((root) => readdirSync(root).map((name) => join(root, name)));
  const made = [join(folder, "data"), join(folder, "results", "explanations")].flatMap((root) => below(root, tag));
  const processes = readdirSync("/proc").filter((pid) =>
    orElse(() => readFileSync(`/proc/${pid}/environ`, "utf8").includes(`${OWNER_VARIABLE}=${tag}`), false)
  );
  return [...files.filter((file) => file.includes(tag)), ...made, ...processes.map((pid) => `process ${pid}`)];
}

/** Temporary files that hold the secret header. */
const tellingIn = ({ folder }: Site) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && relative(folder, entry.parentPath).startsWith("levelfield-"))
    .map(({ parentPath, name }) => join(parentPath, name)).filter((file) =>
      readFileSync(file, "utf8").includes(SECRET)
    );

siteTest("what a killed bench leaves is gone after the next start, and no file had its secrets", async (site) => {
  writeFileSync(join(site.folder, "app.mjs"), APP("hi", 10));
  writeFileSync(join(site.folder, "leaves.cjs"), LEAVES);
  await makeRepository(join(site.folder, "repository"), [{ "app.mjs": APP("a", 10) }, { "app.mjs": APP("a", 20) }]);
  const env = { LEVELFIELD_DATA: join(site.folder, "data") };
  let before: { readonly name: string; readonly tag: string } | undefined;
  const isClear = () => {
    if (before !== undefined) assert.deepEqual(leftOf(before.tag, site), [], before.name);
  };
  const moments = MOMENTS.filter(({ here = true }) => here);
  for (const { name, args, is } of moments) {
    const running = startBench(site, args, env);
    const tag = tagOf(running.pid);
    await until(name, () => is(running, site), running);
    running.child.kill("SIGKILL");
    await running.ended;
    assert.deepEqual(tellingIn(site), [], name);
    isClear();
    before = { name, tag };
  }
  assert.ok(moments.length >= (isGit === null ? 9 : 10), `${moments.length} moments`);
  const last = await bench(site, [
    "run",
    "--runtime",
    "deno",
    "--store",
    "sqlite",
    "--size",
    "1k",
    "--quick",
    "--rounds",
    "1",
    "--workload",
    "write",
  ], env);
  assert.ok(last.code === 0 || last.code === 3, last.stderr);
  isClear();
  assert.deepEqual(readdirSync(site.folder).filter((name) => name.startsWith("levelfield")), []);
  for (const text of [".scratch-", ".building-", ".part-"]) assert.deepEqual(below(env.LEVELFIELD_DATA, text), []);
});
