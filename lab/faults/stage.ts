import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { orElse } from "../../bench/basics/errors.ts";
import { present } from "../../bench/basics/present.ts";
import { counted } from "../../bench/basics/units.ts";
import { startChild } from "../../bench/machine/child.ts";
import { within } from "../../bench/machine/clock.ts";
import { LAUNCHER } from "../../bench/runtimes/project-folders.ts";
import type { Ended, Running } from "../running.ts";
import { Missed } from "./fault.ts";
import { type MarkedProcess, processesWith } from "./marked-processes.ts";

/** The environment of a bench, where it differs from the usual. */
export interface Wish {
  /** Variables set or, where undefined, unset. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Shell that ends by starting the bench with `exec "$@"`. */
  readonly shell?: string;
  /** Milliseconds it may take. */
  readonly limitMs?: number;
}

/** Longest a command may take unless more is granted: the longest here measures for 15 s. */
const LIMIT_MS = 90_000;
/** The time in which all processes of a bench have to be gone after it, in ms. */
const GONE_MS = 3_000;

/** The settings of stages. */
export interface StageSettings {
  readonly dataDirectory: string;
  /** Folder with a fake wrk in place of the true one. */
  readonly programs: string;
  readonly finished: string;
  readonly onStart: (kill: () => void) => void;
}

/** A folder of one fault, the benches run in it, and what becomes of them. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), "levelfield-fault-"));
  readonly results = join(this.folder, "results");
  readonly tmp = join(this.folder, "tmp");
  readonly settings: StageSettings;
  /** Finished steps of runs that were there and are not any more. */
  lost = 0;

  constructor(settings: StageSettings) {
    this.settings = settings;
    mkdirSync(this.tmp);
  }

  /** Starts bin/bench as a person would, in a separate session, with this folder for all it writes. */
  start(args: readonly string[], { env = {}, cwd, shell, limitMs = LIMIT_MS }: Wish = {}): Running {
    const usual = `${this.settings.programs}:${process.env["PATH"]}`;
    const fixed: Record<string, string | undefined> = {
      PATH: usual,
      HOME: process.env["HOME"],
      XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"],
      LANG: "C.UTF-8",
      TMPDIR: this.tmp,
      NO_COLOR: "1",
      DENO_DIR: process.env["DENO_DIR"],
      LEVELFIELD_TOOLS: process.env["LEVELFIELD_TOOLS"],
      LEVELFIELD_DRIVER: process.env["LEVELFIELD_DRIVER"],
      LEVELFIELD_RESULTS: this.results,
      LEVELFIELD_DATA: this.settings.dataDirectory,
      LEVELFIELD_FAULT: this.folder,
      ...env,
    };
    if (env["PATH"] !== undefined) fixed["PATH"] = usual;
    const bench = [LAUNCHER, ...args];
    // A changed PATH is for the bench, not for the process that starts it.
    const path = env["PATH"] === undefined ? "" : `export PATH='${env["PATH"]}'; `;
    const script = path === "" && shell === undefined ? undefined : `${path}${shell ?? 'exec "$@"'}`;
    const [file, ...rest] = script === undefined ? bench : ["/bin/sh", "-c", script, "sh", ...bench];
    const child = startChild({
      file: file!,
      args: rest,
      cpus: null,
      ownSession: true,
      env: present(fixed),
      cwd: cwd ?? this.folder,
    });
    this.settings.onStart(() => child.killAll());
    const ended = within(limitMs, child.ended).then((ending): Ended => {
      if (ending === "timeout") {
        child.killAll();
        throw new Missed(`bench ${args.join(" ")} did not end within ${limitMs / 1_000} s`);
      }
      if ("failed" in ending) throw new Missed(ending.failed);
      return { ...ending, stdout: child.stdout(), stderr: child.stderrTail() };
    });
    return { pid: child.pid, ended, stdout: child.stdout, stderr: child.stderrTail };
  }

  bench(args: readonly string[], wish: Wish = {}): Promise<Ended> {
    return this.start(args, wish).ended;
  }

  /** Runs bin/bench and asks that it ends so and says this in its last lines. Throws a {@link Missed}. */
  async expect(
    args: readonly string[],
    code: number | readonly number[],
    says: RegExp,
    wish: Wish = {},
  ): Promise<Ended> {
    const ended = await this.bench(args, wish);
    expectEnd(ended, code, says, `bench ${args.join(" ").replaceAll(this.folder, "")}`);
    return ended;
  }

  /** All processes of this stage that still run. */
  processes(): MarkedProcess[] {
    return processesWith(this.folder);
  }

  /** Waits until something is there. Throws a {@link Missed}. */
  async until<T>(what: string, find: () => T | undefined | false): Promise<T> {
    for (const started = performance.now(); performance.now() - started < LIMIT_MS;) {
      const found = find();
      if (found !== undefined && found !== false) return found;
      await sleep(5);
    }
    throw new Missed(`waited in vain for ${what}`);
  }

  /** Ends whatever is left of what was started here; gives what that was. */
  async orphans(): Promise<MarkedProcess[]> {
    let left = this.processes();
    for (const started = performance.now(); left.length > 0 && performance.now() - started < GONE_MS;) {
      await sleep(25);
      left = this.processes();
    }
    // One may have ended meanwhile.
    for (const { pid } of left) orElse(() => process.kill(pid, "SIGKILL"), false);
    return left;
  }

  /** Asks that all that was started here has ended. Throws a {@link Missed}. */
  async nothingLeft(): Promise<void> {
    const left = await this.orphans();
    if (left.length === 0) return;
    throw new Missed(`${counted(left.length, "process", "processes")} stayed: ${left[0]!.command.slice(0, 80)}`);
  }

  leftFiles(): string[] {
    return orElse(() => readdirSync(this.tmp), []);
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Asks that a bench has ended so, and said this without a stack. Throws a {@link Missed}. */
export function expectEnd(ended: Ended, code: number | readonly number[], says: RegExp, what: string): void {
  const { stdout, stderr, signal } = ended;
  const said = (stderr || stdout).trim().split("\n").slice(-2).join(" / ").slice(0, 300);
  const wanted = [code].flat();
  if (!wanted.includes(ended.code ?? -1)) {
    throw new Missed(`${what} ended with ${signal ?? `exit ${ended.code}`}, not ${wanted.join(" or ")}: ${said}`);
  }
  if (/^\s+at .+[:)]\d*/m.test(stderr) || /panicked|Uncaught|Unhandled/i.test(stderr)) {
    throw new Missed(`${what} shows a stack: ${said}`);
  }
  if (!says.test(stderr) && !says.test(stdout)) throw new Missed(`${what} does not say ${says}: ${said}`);
  const errors = stderr.split("\n").filter((line) => /^error\b/.test(line));
  if (ended.code === 1 || ended.code === 2) {
    if (errors.length !== 1) throw new Missed(`${what} says ${counted(errors.length, "line")} of error: ${said}`);
  }
}
