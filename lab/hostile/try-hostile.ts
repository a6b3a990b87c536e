import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { counted } from "../../bench/basics/units.ts";
import { readRun } from "../../bench/host/read-run.ts";
import { locateRuntime, PROJECT_ROOT } from "../../bench/host/runtimes.ts";
import { writeSealedRun } from "../write-run.ts";
import { layBaits, lieBeside, SECRET_LINE } from "./baits.ts";
import { hostileRuns } from "./hostile-kinds.ts";
import type { Shown } from "./show-hostile.ts";

/** What came of showing hostile runs by every command. */
export interface Tried {
  readonly runs: number;
  /** Each process started, module loaded, connection made and bait read, one a line; empty as it must be. */
  readonly done: readonly string[];
  /** Commands that printed a line nobody may see, and pages that hold one. */
  readonly leaks: readonly string[];
  readonly shown: readonly Shown[];
  /** How the process ended, with what it said last. */
  readonly end: string;
}

const SHOWN_RUN = "reference-kv-intel-6-207";
const HEAP_MIB = 512;
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const soundRun = () => readRun(join(PROJECT_ROOT, "results", SHOWN_RUN));

/** Writes hostile runs into a folder, one of so many, and shows them in a process that is watched. */
export async function tryHostile(folder: string, every: number): Promise<Tried> {
  let asked = 0;
  const listener = createServer((socket) => (asked++, socket.destroy()));
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  const { port } = listener.address() as { port: number };
  const [results, sound] = [join(folder, "results"), join(folder, "sound")];
  const baits = layBaits(join(folder, "baits"), `http://127.0.0.1:${port}/`);
  mkdirSync(results);
  for (const each of [folder, results]) lieBeside(each, baits);
  const base = soundRun();
  writeSealedRun(sound, base);
  const runs = hostileRuns(base, baits).filter((_, n) => n % every === 0);
  for (const [n, run] of runs.entries()) {
    run.write(join(results, `hostile-${String(n).padStart(3, "0")}`));
  }
  const watched = join(folder, "watched");
  writeFileSync(watched, "");
  const args = [`--max-old-space-size=${HEAP_MIB}`, "--import", here("watch-process.ts"), here("show-hostile.ts")];
  const child = spawn(locateRuntime("node").file, [...args, results, sound], {
    cwd: folder,
    env: { ...process.env, LEVELFIELD_WATCHED: watched, LEVELFIELD_BAIT: baits.folder, LEVELFIELD_RESULTS: results },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | string>((done) =>
    child.once("close", (code, signal) => done(code ?? signal ?? ""))
  );
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const end = `exit ${await ended}: ${err.split("\n").slice(0, 8).join("\n")}`;
  await new Promise((done) => listener.close(done));
  const shown = out.split("\n").filter((line) => line !== "").map((line): Shown => JSON.parse(line));
  const done = [
    ...readFileSync(watched, "utf8").split("\n").filter((line) => line !== ""),
    ...(existsSync(baits.marker) ? ["a bait ran"] : []),
    ...(asked > 0 ? [counted(asked, "connection")] : []),
  ];
  const leaks = [
    ...shown.filter(({ said }) => said.includes(SECRET_LINE)).map(({ args }) => args.join(" ")),
    ...["track.html", "both.html"].filter((name) =>
      existsSync(join(folder, name)) && readFileSync(join(folder, name), "utf8").includes(SECRET_LINE)
    ),
  ];
  return { runs: runs.length, done, leaks, shown, end };
}
