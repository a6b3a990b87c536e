import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { counted } from "../../bench/basics/units.ts";
import { locateRuntime } from "../../bench/runtimes/runtimes.ts";
import type { Baits } from "./baits.ts";
import type { CommandOutcome } from "./show-hostile.ts";

/** The outcome of a process that was watched. */
export interface Watched {
  /** Everything it noted: see watch-process.ts; also that a bait ran, and connections to it. */
  readonly done: readonly string[];
  /** Its output: a line of JSON for each command. */
  readonly shown: readonly CommandOutcome[];
  /** Its end, with its last words. */
  readonly end: string;
}

const HEAP_MIB = 512;
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Listens where baits may lead, and counts who comes. */
export async function listenForBaits() {
  let count = 0;
  const listener = createServer((socket) => (count++, socket.destroy()));
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  const { port } = listener.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/`,
    connected: () => count,
    close: () => new Promise((done) => listener.close(done)),
  };
}

/** Runs a script of this folder on Node in a process that is watched, in the folder of its files. */
export async function startWatched(
  script: string,
  args: readonly string[],
  folder: string,
  baits: Baits,
  env: Readonly<Record<string, string>>,
): Promise<Watched> {
  const watched = join(folder, "watched");
  writeFileSync(watched, "");
  const flags = [`--max-old-space-size=${HEAP_MIB}`, "--import", here("watch-process.ts")];
  const child = spawn(locateRuntime("node").file, [...flags, here(script), ...args], {
    cwd: folder,
    env: { ...process.env, LEVELFIELD_WATCHED: watched, LEVELFIELD_BAIT: baits.folder, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | string>((done) =>
    child.once("close", (code, signal) => done(code ?? signal ?? ""))
  );
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const end = `exit ${await ended}: ${err.split("\n").slice(0, 8).join("\n")}`;
  const lines = (text: string) => text.split("\n").filter((line) => line !== "");
  return {
    done: [...lines(readFileSync(watched, "utf8")), ...(existsSync(baits.marker) ? ["a bait ran"] : [])],
    shown: lines(out).map((line): CommandOutcome => JSON.parse(line)),
    end,
  };
}

/** Connections to baits, a line of them; none as it must be. */
export const connections = (count: number): readonly string[] => count > 0 ? [counted(count, "connection")] : [];
