/** Scripts of wrk's LuaJIT with a guard around each of their arrays: see guarded.lua. */
import { createConnection } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Child, startChild } from "../../../bench/machine/child.ts";
import { freePort } from "../../../bench/machine/listening-ports.ts";
import { findProgram } from "../../../bench/machine/programs.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const GUARDED = fileURLToPath(new URL("./guarded.lua", import.meta.url));
const RETRY_MS = 10;

/** A script to run, and what wrk gives it. */
export interface Script {
  /** Its path from the project's folder. */
  readonly script: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The most files it may have open at once; the system's limit by default. */
  readonly files?: number;
  /** Open files it is given; see `ChildCommand`. */
  readonly handles?: readonly number[];
}

/** Starts a script under guards, with a port on 127.0.0.1 as wrk's URL. Throws without wrk. */
export function startGuarded({ script, headers = {}, files, handles }: Script, port: number): Child {
  const wrk = findProgram("wrk");
  if (wrk === undefined) throw new Error("wrk is not installed");
  const given = Object.entries({ script: `${ROOT}${script}`, ...headers });
  const args = ["-t1", "-c1", "-d1", "-s", GUARDED, ...given.flatMap(([name, value]) => ["-H", `${name}: ${value}`])];
  const command = [wrk, ...args, `http://127.0.0.1:${port}`];
  const limited = files === undefined ? command : ["sh", "-c", `ulimit -n ${files}; exec "$@"`, "sh", ...command];
  const env = { PATH: process.env["PATH"]! };
  return startChild({ file: limited[0]!, args: limited.slice(1), cpus: null, env, ...(handles && { handles }) });
}

/**
 * Returns why an ended script is at fault, or null: it was killed by a signal, a guard has changed, or Lua has failed. wrk goes
 * on after an error of Lua, so its line is looked for.
 */
export async function faultOf(child: Child): Promise<string | null> {
  const ended = await child.ended, said = child.stderrTail();
  if ("failed" in ended) return ended.failed;
  if (ended.signal !== null) return `it was ended by ${ended.signal}`;
  if (ended.code !== 0 && ended.code !== 1) return `it ended with code ${ended.code}: ${said}`;
  return luaErrorIn(said);
}

const luaErrorIn = (said: string) => /\.lua:\d+:/.test(said) ? said : null;

/** Runs a server's script while a function uses it. Throws if it ends before that, or Lua has failed. */
export async function withGuarded<T>(script: Script, use: (port: number, child: Child) => Promise<T>): Promise<T> {
  const port = await freePort("127.0.0.1"), child = startGuarded(script, port);
  let isOver = false;
  const over = child.ended.then(async () => {
    isOver = true;
    throw new Error(`${script.script}: ${await faultOf(child) ?? `it has ended: ${child.stderrTail()}`}`);
  });
  try {
    return await Promise.race([
      over,
      (async () => {
        while (!isOver && !await answers(port)) await sleep(RETRY_MS);
        const used = await use(port, child), error = luaErrorIn(child.stderrTail());
        if (error !== null) throw new Error(`${script.script}: ${error}`);
        return used;
      })(),
    ]);
  } finally {
    over.catch(() => {});
    child.kill("SIGKILL");
    await child.ended;
  }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    socket.once("connect", () => socket.destroy()).once("error", () => {}).once("close", (hadError) =>
      resolve(!hadError));
  });
