/**
 * Runs the gate next to two endless loops and halts processes of its tree (SIGSTOP) at seeded moments. A test whose outcome
 * depends on how fast or idle the machine is fails here.
 *
 *     node lab/halted-gate.ts [--runs 3] [--seed N] [-- FILE… or COMMAND…]
 *
 * Files are given to bin/test; any other words are the command itself. Linux only.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "@std/cli/cli/parse_args.js";
import { orElse } from "../bench/basics/errors.ts";
import { present } from "../bench/basics/present.ts";
import { createRandom, type Random } from "../bench/basics/random.ts";
import { counted } from "../bench/basics/units.ts";
import { type Child, startChild } from "../bench/machine/child.ts";
import { type Interrupts, listenForInterrupts } from "../bench/machine/interrupts.ts";
import { processesOf } from "../bench/machine/server-processes.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";

/** Milliseconds between two halts, and of one. */
const PAUSE_MS = [500, 3_000] as const, HALT_MS = [1_000, 5_000] as const;
const LOOPS = 2, LAST_LINES = 12;

/** The settings of a halted gate. */
interface HaltedGate {
  readonly runs: number;
  readonly seed: number;
  readonly command: readonly string[];
}

/**
 * Reads the words of the command line.
 *
 * @throws RangeError for a number that is none, TypeError for an option nobody knows
 */
export function readWords(words: readonly string[], newSeed: number): HaltedGate {
  const values = parseArgs([...words], {
    string: ["runs", "seed", "_"],
    unknown(arg, key) {
      if (key !== undefined) throw new TypeError(`unknown option "${arg}"; try: --runs 3 --seed 1 -- FILE`);
      return true;
    },
  });
  const positionals = values._.map(String);
  const [runs, seed] = [Number(values.runs ?? 3), Number(values.seed ?? newSeed)];
  if (!(Number.isInteger(runs) && runs > 0)) throw new RangeError(`--runs "${values.runs}" is no count; try: --runs 3`);
  if (!(Number.isInteger(seed) && seed >= 0)) throw new RangeError(`--seed "${values.seed}" is no seed; try: --seed 1`);
  const isCommand = positionals.length > 0 && !positionals.every((word) => word.endsWith(".ts"));
  return { runs, seed, command: isCommand ? positionals : [join(PROJECT_ROOT, "bin", "test"), ...positionals] };
}

/** One halt: in how many milliseconds it comes, for how many, and of which process, as a share of the list. */
interface Halt {
  readonly afterMs: number;
  readonly forMs: number;
  readonly place: number;
}

/** Draws the next halt. */
export function nextHalt(random: Random): Halt {
  const between = ([least, most]: readonly [number, number]) => least + random() * (most - least);
  return { afterMs: between(PAUSE_MS), forMs: between(HALT_MS), place: random() };
}

/**
 * The process to halt: none that stands still already, whoever stopped it, and none that is alone, which would stand still
 * nearly all the time.
 */
export function victimOf(place: number, pids: readonly number[], standing: ReadonlySet<number>): number | undefined {
  const awake = pids.filter((pid) => !standing.has(pid));
  return pids.length === 1 ? undefined : awake[Math.floor(place * awake.length)];
}

const standsStill = (pid: number): boolean =>
  orElse(() => /\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8")), false);

function signal(pid: number, name: "SIGSTOP" | "SIGCONT"): void {
  orElse(() => process.kill(pid, name), false);
}

/** Halts processes of a tree until its end is requested; then all go on. */
function haltTree(root: number, random: Random): { readonly halts: () => number; end(): void } {
  const halted = new Map<number, ReturnType<typeof setTimeout>>();
  /** A server that takes turns is stopped by the driver: what goes on at another moment would be no halt but a fault. */
  const stoppedByOthers = new Set<number>();
  let count = 0, next: ReturnType<typeof setTimeout>;
  const goOn = (pid: number) => {
    clearTimeout(halted.get(pid));
    halted.delete(pid);
    signal(pid, "SIGCONT");
  };
  const looks = setInterval(() => {
    for (const pid of processesOf(root, undefined)) if (!halted.has(pid) && standsStill(pid)) stoppedByOthers.add(pid);
  }, 20);
  const plan = () => {
    const { afterMs, forMs, place } = nextHalt(random);
    next = setTimeout(() => {
      plan();
      const pid = victimOf(place, processesOf(root, undefined), new Set([...halted.keys(), ...stoppedByOthers]));
      if (pid === undefined || standsStill(pid)) return;
      count++;
      signal(pid, "SIGSTOP");
      halted.set(pid, setTimeout(() => goOn(pid), forMs));
    }, afterMs);
  };
  plan();
  return {
    halts: () => count,
    end() {
      clearTimeout(next);
      clearInterval(looks);
      for (const pid of [...halted.keys()]) goOn(pid);
    },
  };
}

function started([file, ...args]: readonly string[], interrupts: Interrupts): Child {
  const env = present(process.env);
  const child = startChild({ file: file!, args, cpus: null, ownSession: true, env, cwd: PROJECT_ROOT });
  // The gate ends its steps itself.
  interrupts.onStart(() => child.kill("SIGTERM"));
  return child;
}

/** Runs the gate once, and says whether it was green. */
async function runOnce(command: readonly string[], seed: number, interrupts: Interrupts): Promise<boolean> {
  const gate = started(command, interrupts);
  const halting = haltTree(gate.pid, createRandom(seed));
  interrupts.onStart(halting.end);
  const ending = await gate.ended;
  halting.end();
  const green = "code" in ending && ending.code === 0;
  const lines = `${gate.stdout()}${gate.stderrTail()}`.trimEnd().split("\n");
  // A red one says all it said: what failed, and how.
  process.stdout.write(`${lines.slice(green ? -LAST_LINES : 0).join("\n")}\n`);
  process.stdout.write(`seed ${seed}: ${green ? "green" : "red"} after ${halting.halts()} halts\n`);
  return green;
}

async function main(words: readonly string[]): Promise<number> {
  const { runs, seed, command } = readWords(words, Math.floor(Math.random() * 2 ** 31));
  const interrupts = listenForInterrupts();
  const loops = Array.from({ length: LOOPS }, () => started(["sh", "-c", "while :; do :; done"], interrupts));
  let green = 0, run = 0;
  for (; run < runs && !interrupts.stopped(); run++) green += Number(await runOnce(command, seed + run, interrupts));
  for (const loop of loops) loop.killAll();
  interrupts.release();
  process.stdout.write(`green: ${green} of ${counted(run, "run")}\n`);
  return green === runs ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2));
