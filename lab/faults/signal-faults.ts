import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type BenchFault, type FaultRow, Missed, ofGroup } from "./fault.ts";
import {
  becomesWhole,
  commandOf,
  type FaultPoint,
  FAULTY_SUITE,
  keptLines,
  linesIn,
  planOf,
  SOUND,
  SOUND_TOO,
  stateOf,
} from "./small-runs.ts";
import type { Running } from "../running.ts";
import { expectEnd, type Stage } from "./stage.ts";
import { runIn, STEPS } from "./steps.ts";

type Signal = "SIGINT" | "SIGTERM" | "SIGHUP" | "SIGKILL";

/** Starts a run of two steps and waits until it is there; gives it with the lines it has by then. */
async function at(
  stage: Stage,
  step: string,
  points: readonly FaultPoint[] = [SOUND, SOUND_TOO],
): Promise<{ running: Running; before: string[] }> {
  const running = stage.start(commandOf(stage, await planOf(points)));
  await stage.until(step, () => STEPS[step]!(stage));
  return { running, before: linesIn(runIn(stage) ?? "") };
}

/** Checks what a stopped bench leaves: its run marked as interrupted, its lines, the machine given back. */
async function assertGivenUp(stage: Stage, before: readonly string[]): Promise<void> {
  if (existsSync(join(stage.tmp, "levelfield.lock"))) throw new Missed("the lock is still there");
  const path = runIn(stage);
  if (path === undefined) return;
  const after = keptLines(stage, path, before);
  const state = stateOf(path);
  if (state !== (after.length === 2 ? "finished" : "interrupted")) throw new Missed(`the run is "${state}"`);
  await stage.expect(["verify", path], 0, /all published figures follow/);
}

const QUICK = ["sigint-window"];

/** A stopped bench keeps its results and leaves no process. */
const stopped = (signal: Signal, step: string): FaultRow => ({
  name: `${signal.toLowerCase()}-${step}`,
  injected: `${signal} at ${step}`,
  expected: "exit 130, lines kept",
  quick: QUICK.includes(`${signal.toLowerCase()}-${step}`),
  async inject(stage) {
    const { running, before } = await at(stage, step);
    process.kill(running.pid, signal);
    const ended = await running.ended;
    // Before it listens for them a signal ends it as it ends any program, and after its last step it has finished.
    const early = ended.signal === signal && !existsSync(stage.results);
    const late = step === "publishing" && ended.signal === signal;
    if (!early && !late) expectEnd(ended, step === "publishing" ? [0, 3, 130] : 130, /^/, `a run that got ${signal}`);
    if (!early) await assertGivenUp(stage, before);
  },
});

/** One that is killed leaves nothing running, and can be gone on with. */
const killed = (step: string): FaultRow => ({
  name: `sigkill-${step}`,
  injected: `SIGKILL at ${step}`,
  expected: "nothing left running; the run goes on and becomes whole",
  leavesFiles: true,
  async inject(stage) {
    const { running, before } = await at(stage, step);
    process.kill(running.pid, "SIGKILL");
    await running.ended;
    await stage.nothingLeft();
    const path = runIn(stage);
    if (path === undefined) return void await stage.expect(["show", "--list"], 0, /no run yet/);
    if (stateOf(path) === "finished") {
      // It was killed after its last step: what is left to do is to publish, which reading does too.
      await stage.expect(["show", path], 0, /sound/);
      stage.lost += 2 - linesIn(path).length;
      return;
    }
    await becomesWhole(stage, path, before, 2);
  },
});

/** Stops a run in its window, and asks that it keeps what it has. */
const stops = (stop: (running: Running, stage: Stage) => void) => async (stage: Stage) => {
  const { running, before } = await at(stage, "window");
  stop(running, stage);
  expectEnd(await running.ended, 130, /^/, "a run");
  await assertGivenUp(stage, before);
};

/** Sends a signal to `bench serve` once its server is there. */
const serving = (signal: Signal) => async (stage: Stage) => {
  const running = stage.start(["serve", FAULTY_SUITE, "--port", "0"]);
  await stage.until("the server", () => stage.processes().some(({ command }) => command.includes("servers/main.ts")));
  process.kill(running.pid, signal);
  const ended = await running.ended;
  if (signal !== "SIGKILL") expectEnd(ended, [0, 130], /^/, "bench serve");
};

const ODD: readonly FaultRow[] = [
  {
    name: "sigint-twice",
    injected: "Ctrl-C twice in a row",
    expected: "exit 130, lines kept",
    inject: stops(({ pid }) => {
      process.kill(pid, "SIGINT");
      process.kill(pid, "SIGINT");
    }),
  },
  {
    name: "sigint-to-all",
    injected: "Ctrl-C in a terminal: to the bench and all it started",
    expected: "exit 130, lines kept",
    inject: stops((_, stage) => {
      for (const { pid } of stage.processes()) {
        try {
          process.kill(pid, "SIGINT");
        } catch (error) {
          // One that the others' end has ended meanwhile needs none.
          if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
        }
      }
    }),
  },
  {
    name: "sigstop-window",
    injected: "the bench stopped for two seconds in a window (Ctrl-Z, fg)",
    expected: "the run ends; what it measured is sound or marked",
    async inject(stage) {
      const { running } = await at(stage, "window");
      process.kill(running.pid, "SIGSTOP");
      await sleep(2_000);
      process.kill(running.pid, "SIGCONT");
      expectEnd(await running.ended, [0, 3], /results in/, "a run");
      await stage.expect(["verify"], 0, /all published figures follow/);
    },
  },
  {
    name: "sigpipe",
    injected: "SIGPIPE, which nobody asked for",
    expected: "the run ends as if nothing had been",
    async inject(stage) {
      const { running } = await at(stage, "warm-up");
      process.kill(running.pid, "SIGPIPE");
      expectEnd(await running.ended, [0, 3], /results in/, "a run");
    },
  },
  {
    name: "sigkill-forked",
    injected: "SIGKILL while a server runs that has started another process",
    expected: "nothing left running",
    leavesFiles: true,
    async inject(stage) {
      const { running } = await at(stage, "window", [{ behaviour: "forks-with-output", runtime: "bun", as: "own" }]);
      process.kill(running.pid, "SIGKILL");
      await running.ended;
      await stage.nothingLeft();
    },
  },
  {
    name: "sigterm-serve",
    injected: "SIGTERM to bench serve",
    expected: "it ends, its server with it",
    inject: serving("SIGTERM"),
  },
  {
    name: "sigkill-serve",
    injected: "SIGKILL to bench serve",
    expected: "its server ends with it",
    leavesFiles: true,
    inject: serving("SIGKILL"),
  },
];

const STOPPING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Signals to the driver, at each step. */
export const SIGNAL_FAULTS: readonly BenchFault[] = ofGroup("signals", [
  ...STOPPING.flatMap((signal) => Object.keys(STEPS).map((step) => stopped(signal, step))),
  ...Object.keys(STEPS).filter((step) => step !== "server-start").map(killed),
  ...ODD,
]);
