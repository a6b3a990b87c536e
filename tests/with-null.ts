/** Null services and real ones for tests. */
import { test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { findProgram } from "../bench/machine/programs.ts";
import {
  askNullService,
  type NullCounts,
  nullServiceCommand,
  type NullServiceOptions,
} from "../servers/null/null-service.ts";
import type { ReadyService } from "../servers/service-line.ts";
import { keptService } from "./kept-service.ts";
import { patiently, printedBy } from "./patience.ts";
import { until } from "./testing.ts";

const wrk = findProgram("wrk");

/** Whether there is wrk, which runs null services. */
export const hasWrk = wrk !== undefined;

/** A test of null services, a visible skip where wrk is not. */
export const nullTest = hasWrk ? test : test.skip;

/** Works with a null service, which ends with its stdin; sees that it ended well and had no complaint. */
export async function withNull<T>(
  options: Omit<NullServiceOptions, "wrk">,
  work: (ready: ReadyService) => Promise<T>,
): Promise<T> {
  const [program, ...args] = nullServiceCommand({ wrk: wrk!, endsWithStdin: true, ...options });
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  let stdout = "", stderr = "", over = false;
  child.stdout.setEncoding("utf8").on("data", (text) => stdout += text);
  child.stderr.setEncoding("utf8").on("data", (text) => stderr += text);
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => (over = true, resolve(code))));
  const there = () => printedBy(stdout, stderr);
  const giveUp = () => void child.kill("SIGKILL");
  const end = () => patiently(ended, { what: `"${program}" to end`, there, giveUp });
  try {
    const line = await until(() => {
      if (over) throw new Error(stderr);
      return stdout.includes("\n") && stdout.split("\n")[0];
    }, { what: `"${program}" to say that it is ready`, there });
    const result = await work(JSON.parse(line));
    child.stdin.end();
    assert.deepEqual([await end(), stderr], [0, ""]);
    return result;
  } finally {
    child.kill();
    await end();
  }
}

/** Works with a real service, which is kept for other tests; null where there is none here. */
export async function withReal<T>(
  name: "postgres" | "redis",
  tables: Readonly<Record<string, string>>,
  work: (ready: ReadyService) => Promise<T>,
): Promise<T | null> {
  const script = fileURLToPath(new URL(`../servers/services/${name}.ts`, import.meta.url));
  const args = Object.entries(tables).flatMap(([table, file]) => ["--table", `${table}=${file}`]);
  const service = await keptService({ command: ["{node}", script, ...args] });
  return service === null ? null : await work(service);
}

/** What a null service has counted of one database. */
export const countsOf = async ({ counts }: ReadyService, group: string): Promise<NullCounts> =>
  (await askNullService(counts!)).groups[group]!;

/** A connection that sends bytes and keeps what comes. */
export interface RawClient {
  send(bytes: Uint8Array | string): void;
  /** Resolves with all that has come once it passes, or is so many bytes, or the connection is over. */
  received(passes: number | ((bytes: Buffer) => boolean)): Promise<Buffer>;
  /** Resolves with all that came when the other side has closed. */
  readonly closed: Promise<Buffer>;
  /** Stops reading, or goes on. */
  pause(): void;
  resume(): void;
  end(): void;
}

/** Connects to a port of this machine. */
export function rawClient(port: number): Promise<RawClient> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const parts: Buffer[] = [];
    let length = 0;
    let over = false;
    let wake = () => {};
    socket.on("data", (data: Buffer) => {
      parts.push(data);
      length += data.length;
      wake();
    });
    socket.once("error", reject);
    const closing = new Promise<Buffer>((done) =>
      socket.once("close", () => {
        over = true;
        wake();
        done(Buffer.concat(parts));
      })
    );
    socket.once("connect", () =>
      resolve({
        get closed() {
          return patiently(closing, { what: `port ${port} to close a connection`, there: () => `${length} bytes` });
        },
        send: (bytes) => socket.write(bytes),
        async received(passes) {
          const isEnough = typeof passes === "number" ? () => length >= passes : () => passes(Buffer.concat(parts));
          const there = () => `${length} bytes: ${Buffer.concat(parts.slice(-4)).toString("latin1").slice(-500)}`;
          while (!over && !isEnough()) {
            await patiently(new Promise<void>((done) => wake = done), { what: `bytes from port ${port}`, there });
          }
          return Buffer.concat(parts);
        },
        pause: () => socket.pause(),
        resume: () => socket.resume(),
        end: () => socket.end(),
      }));
  });
}
