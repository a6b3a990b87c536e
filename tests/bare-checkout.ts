/** A checkout without packages, in which bin/bench installs what it needs by a stand-in for npm. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { inTemporaryFolder, until } from "./testing.ts";

/** The first line of help. */
export const USAGE = /^Usage: bench /m;

/** Runs a program to its end. */
export function run(file: string, args: readonly string[], cwd: string, env: Record<string, string | undefined> = {}) {
  const given = Object.entries({ ...process.env, ...env }).filter((pair): pair is [string, string] =>
    pair[1] !== undefined
  );
  return spawnSync(file, args, { cwd, env: Object.fromEntries(given), encoding: "utf8" });
}

/**
 * In npm's place: installs by links what the package.json of its folder asks for, and says what that was. As older npm does
 * it leaves hidden files; with HELD it waits for the file `go`.
 */
const NPM = `#!/usr/bin/env node
const { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } = require("node:fs");
const { dirname, join } = require("node:path");
const { MODULES, SITE, HELD } = process.env;
const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
appendFileSync(join(SITE, "calls"), [process.argv[2], ...Object.keys(dependencies)].join(" ") + "\\n");
mkdirSync("node_modules", { recursive: true });
for (const name of readdirSync("node_modules")) {
  if (!/^\\.[^b]/.test(name)) rmSync(join("node_modules", name), { recursive: true });
}
while (HELD && !existsSync(join(SITE, "go"))) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
for (const name of [...Object.keys(dependencies), ...process.argv[2] === "ci" ? [".bin"] : []]) {
  mkdirSync(dirname(join("node_modules", name)), { recursive: true });
  symlinkSync(join(MODULES, name), join("node_modules", name));
}
`;

/** A checkout without packages, with the stand-in for npm first on PATH. */
export async function inBareCheckout(work: (site: Site) => void | Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const checkout = join(folder, "checkout"), programs = join(folder, "programs");
    const parts = ["bin", "bench", "servers", "stores", "suites", "deno.json", "package.json", "package-lock.json"];
    for (const part of parts) cpSync(join(PROJECT_ROOT, part), join(checkout, part), { recursive: true });
    mkdirSync(programs);
    writeFileSync(join(programs, "npm"), NPM, { mode: 0o755 });
    symlinkSync(locateRuntime("node").file, join(programs, "node"));
    const env = {
      PATH: `${programs}:${process.env["PATH"]}`,
      SITE: folder,
      MODULES: join(PROJECT_ROOT, "node_modules"),
      LEVELFIELD_DRIVER: undefined,
      LEVELFIELD_TOOLS: undefined,
    };
    const calls = join(folder, "calls");
    await work({
      folder,
      checkout,
      env,
      bench: (...args) => run(join(checkout, "bin", "bench"), args, folder, env),
      calls: () => existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [],
    });
  });
}

interface Site {
  readonly folder: string;
  readonly checkout: string;
  readonly env: Record<string, string | undefined>;
  readonly bench: (...args: string[]) => ReturnType<typeof run>;
  /** What npm was called for, a line each. */
  readonly calls: () => string[];
}

/** Starts the driver: for what reads runs, or with all packages. */
export function starting({ checkout, folder, env }: Site, what: "reading" | "whole") {
  const given = { ...process.env, ...env, HELD: "yes", ...(what === "whole" ? { LEVELFIELD_DRIVER: "node" } : {}) };
  const child = spawn(join(checkout, "bin", "bench"), ["--help"], { cwd: folder, env: given });
  let stdout = "", stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => stdout += text);
  child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text);
  return { stderr: () => stderr, ended: once(child, "close").then(([code]) => ({ code, stdout, stderr })) };
}

/** Two starts, the second while the first installs, and what npm is called for. */
export const WAITING = [
  ["whole", "reading", ["ci"]],
  ["reading", "whole", ["install", "ci"]],
  ["reading", "reading", ["install"]],
  ["whole", "whole", ["ci"]],
] as const;

/** The second waits for the first, and installs only what that one has not. */
export async function waitsForAnother([one, other, called]: typeof WAITING[number]): Promise<void> {
  await inBareCheckout(async (site) => {
    const first = starting(site, one);
    await until(() => site.calls().length === 1);
    const second = starting(site, other);
    await until(() => second.stderr().includes("Waiting for another start"));
    writeFileSync(join(site.folder, "go"), "");
    for (const { code, stdout, stderr } of await Promise.all([first.ended, second.ended])) {
      assert.equal(code, 0, stderr);
      assert.match(stdout, USAGE);
    }
    assert.deepEqual(site.calls().map((line) => line.split(" ")[0]), called);
    assert.deepEqual(readdirSync(join(site.checkout, ".data")), []);
  });
}
