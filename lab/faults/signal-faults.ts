import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type BenchFault, Missed } from "./fault.ts";
import {
  becomesWhole,
  commandOf,
  type FaultPoint,
  FAULTY_SUITE,
  linesIn,
  planOf,
  SOUND,
  SOUND_TOO,
} from "./small-runs.ts";
import { expectEnd, type Running, type Stage } from "./stage.ts";
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

/** What a stopped bench leaves: its run marked as interrupted, its lines, the machine given back. */
async function assertGivenUp(stage: Stage, before: readonly string[]): Promise<void> {
  if (existsSync(join(stage.tmp, "levelfield.lock"))) throw new Missed("the lock is still there");
  const path = runIn(stage);
  if (path === undefined) return;
  const after = linesIn(path);
  const gone = before.filter((line) => !after.includes(line)).length;
  stage.lost += gone;
  if (gone > 0) throw new Missed(`${gone} finished steps are gone`);
  const { state } = JSON.parse(readFileSync(join(path, "run.json"), "utf8"));
  if (state !== (after.length === 2 ? "finished" : "interrupted")) throw new Missed(`the run is "${state}"`);
  await stage.expect(["verify", path], 0, /all published figures follow/);
}

const QUICK = ["sigint-window"];

/** A bench that is asked to stop keeps what it has and leaves nothing; one that is killed can be gone on with. */
const signalled = (signal: Signal, step: string): BenchFault => ({
  kind: "bench",
  group: "signals",
  name: `${signal.toLowerCase()}-${step}`,
  injected: `${signal} at ${step}`,
  expected: signal === "SIGKILL" ? "nothing left running; the run goes on and becomes whole" : "exit 130, lines kept",
  quick: QUICK.includes(`${signal.toLowerCase()}-${step}`),
  ...(signal === "SIGKILL" ? { leavesFiles: true } : {}),
  async inject(stage) {
    const { running, before } = await at(stage, step);
    process.kill(running.pid, signal);
    const ended = await running.ended;
    if (signal !== "SIGKILL") {
      // Before it listens for them a signal ends it as it ends any program, and after its last step it has finished.
      const early = ended.signal === signal && !existsSync(stage.results);
      const late = step === "publishing" && ended.signal === signal;
      if (!early && !late) {
        expectEnd(ended, step === "publishing" ? [0, 3, 130] : 130, /^/, `a run that got ${signal}`);
      }
      if (!early) await assertGivenUp(stage, before);
      return;
    }
    const left = await stage.orphans();
    if (left.length > 0) throw new Missed(`${left.length} processes stayed: ${left[0]!.command.slice(0, 80)}`);
    const path = runIn(stage);
    if (path === undefined) return void await stage.expect(["runs"], 0, /no run yet/);
    if (JSON.parse(readFileSync(join(path, "run.json"), "utf8")).state === "finished") {
      // It was killed after its last step: what is left to do is to publish, which reading does too.
      await stage.expect(["show", path], 0, /sound/);
      stage.lost += 2 - linesIn(path).length;
      return;
    }
    await becomesWhole(stage, path, before, 2);
  },
});

const ODD: readonly BenchFault[] = [
  {
    kind: "bench",
    group: "signals",
    name: "sigint-twice",
    injected: "Ctrl-C twice in a row",
    expected: "exit 130, lines kept",
    async inject(stage) {
      const { running, before } = await at(stage, "window");
      process.kill(running.pid, "SIGINT");
      process.kill(running.pid, "SIGINT");
      expectEnd(await running.ended, 130, /^/, "a run");
      await assertGivenUp(stage, before);
    },
  },
  {
    kind: "bench",
    group: "signals",
    name: "sigint-to-all",
    injected: "Ctrl-C in a terminal: to the bench and all it started",
    expected: "exit 130, lines kept",
    async inject(stage) {
      const { running, before } = await at(stage, "window");
      for (const { pid } of stage.processes()) {
        try {
          process.kill(pid, "SIGINT");
        } catch (error) {
          // One that the others' end has ended meanwhile needs none.
          if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
        }
      }
      expectEnd(await running.ended, 130, /^/, "a run");
      await assertGivenUp(stage, before);
    },
  },
  {
    kind: "bench",
    group: "signals",
    name: "sigstop-window",
    injected: "the bench stopped for two seconds in a window (Ctrl-Z, fg)",
    expected: "the run ends; what it measured is sound or marked",
    async inject(stage) {
      const { running } = await at(stage, "window");
      process.kill(running.pid, "SIGSTOP");
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      process.kill(running.pid, "SIGCONT");
      expectEnd(await running.ended, [0, 3], /results in/, "a run");
      await stage.expect(["verify"], 0, /all published figures follow/);
    },
  },
  {
    kind: "bench",
    group: "signals",
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
    kind: "bench",
    group: "signals",
    name: "sigkill-forked",
    injected: "SIGKILL while a server runs that has started another process",
    expected: "nothing left running",
    leavesFiles: true,
    async inject(stage) {
      const { running } = await at(stage, "window", [{ behaviour: "forks-with-output", runtime: "bun", as: "own" }]);
      process.kill(running.pid, "SIGKILL");
      await running.ended;
      const left = await stage.orphans();
      if (left.length > 0) throw new Missed(`${left[0]!.command.slice(0, 80)} stayed`);
    },
  },
  {
    kind: "bench",
    group: "signals",
    name: "sigterm-serve",
    injected: "SIGTERM to bench serve",
    expected: "it ends, its server with it",
    async inject(stage) {
      const running = stage.start(["serve", FAULTY_SUITE, "--port", "0"]);
      await stage.until(
        "the server",
        () => stage.processes().some(({ command }) => command.includes("servers/main.ts")),
      );
      process.kill(running.pid, "SIGTERM");
      expectEnd(await running.ended, [0, 130], /^/, "bench serve");
    },
  },
  {
    kind: "bench",
    group: "signals",
    name: "sigkill-serve",
    injected: "SIGKILL to bench serve",
    expected: "its server ends with it",
    leavesFiles: true,
    async inject(stage) {
      const running = stage.start(["serve", FAULTY_SUITE, "--port", "0"]);
      await stage.until(
        "the server",
        () => stage.processes().some(({ command }) => command.includes("servers/main.ts")),
      );
      process.kill(running.pid, "SIGKILL");
      await running.ended;
    },
  },
];

/** Signals to the driver, at each step. */
export const SIGNAL_FAULTS: readonly BenchFault[] = [
  ...(["SIGINT", "SIGTERM", "SIGHUP"] as const).flatMap((signal) =>
    ["set-up", "server-start", "warm-up", "window", "between", "publishing"].map((step) => signalled(signal, step))
  ),
  ...["set-up", "warm-up", "window", "between", "publishing"].map((step) => signalled("SIGKILL", step)),
  ...ODD,
];
