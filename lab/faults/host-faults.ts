import { fileURLToPath } from "node:url";
import { counted } from "../../bench/basics/units.ts";
import { locateRuntime } from "../../bench/runtimes/runtimes.ts";
import { type BenchFault, type FaultRow, Missed, ofGroup } from "./fault.ts";
import { becomesWhole, commandOf, harmIn, linesIn, planOf, SOUND, SOUND_TOO, stateOf } from "./small-runs.ts";
import { clockAhead, HOUR_MS } from "./clock-faults.ts";
import { withPreload } from "./preloaded.ts";
import { expectEnd, type Stage } from "./stage.ts";
import { killAgent, runIn, windowIsOpen } from "./steps.ts";

const SLOW_PIPE = fileURLToPath(new URL("./slow-pipe.ts", import.meta.url));
const STEPS = 2;

/** A run of two steps whose sides are on separate hosts. */
async function across(stage: Stage, server: string, load = "env SIDE=load"): Promise<string[]> {
  const command = commandOf(stage, await planOf([SOUND, SOUND_TOO]));
  return [...command, "--server-host", server, "--load-host", load];
}

/** A command that leads to the agent through a piece of shell, where `"$@"` is the way there. */
const through = (shell: string) => `sh -c '${shell}' sh`;
/** The same only for the first time: a run that goes on has a sound way. */
const once = (shell: string) =>
  through(`if mkdir "$LEVELFIELD_FAULT/once" 2>/dev/null; then ${shell}; else exec "$@"; fi`);

/** A stopped run has an end in one line, leaves nothing running, and goes on on the same hosts until it is whole. */
async function stopsAndGoesOn(stage: Stage, ended: Parameters<typeof expectEnd>[0], says: RegExp): Promise<void> {
  expectEnd(ended, 1, says, "the run");
  await stage.nothingLeft();
  const path = runIn(stage)!;
  const state = stateOf(path);
  if (state !== "interrupted") throw new Missed(`the run is "${state}"`);
  await becomesWhole(stage, path, linesIn(path), STEPS);
}

async function isMeasured(stage: Stage, server: string): Promise<void> {
  await stage.expect(await across(stage, server), [0, 3], /results in/, { limitMs: 180_000 });
  const lines = linesIn(runIn(stage)!);
  if (lines.length !== STEPS) throw new Missed(`${counted(lines.length, "step")} in the end, not ${STEPS}`);
  const harm = lines.map((line) => harmIn(JSON.parse(line))).find((found) => found !== undefined);
  if (harm !== undefined) throw new Missed(`a step is marked: ${harm.text}`);
  await stage.expect(["verify", runIn(stage)!], 0, /all published figures follow/);
}

const GOES_ON = "a line that names the host, nothing left running; the run goes on and becomes whole";

/** Agents that get a signal inside a window. */
const signalled = ["server", "load"].flatMap((side) =>
  (["SIGKILL", "SIGSTOP"] as const).map((signal): FaultRow => ({
    name: `agent-${side}-${signal.slice(3).toLowerCase()}`,
    injected: `${signal} to the agent of the ${side === "server" ? "servers" : "load generator"}`,
    expected: GOES_ON,
    leavesFiles: true,
    async inject(stage) {
      const running = stage.start(await across(stage, "env SIDE=server"), { limitMs: 180_000 });
      await killAgent(stage, side, signal);
      await stopsAndGoesOn(stage, await running.ended, /error: host "env SIDE=\w+" is gone: /);
    },
  }))
);

/** Ways to an agent that break. */
const BREAKS: readonly (readonly [name: string, injected: string, shell: string, says: RegExp])[] = [
  ["pipe-cut", "a way that breaks after so many lines", '"$@" | sed -u 25q', /host ".*" is gone/],
  [
    "pipe-garbled",
    "a way on which others write",
    '(for _ in $(seq 600); do ls "$LEVELFIELD_FAULT"/results/*/run.json >/dev/null 2>&1 && break; sleep 0.1; done; echo no message) & exec "$@"',
    /"no message" is no message of an agent/,
  ],
];

const broken = BREAKS.map(([name, injected, shell, says]): FaultRow => ({
  name,
  injected,
  expected: GOES_ON,
  async inject(stage) {
    const ended = await stage.bench(await across(stage, once(shell)));
    await stopsAndGoesOn(stage, ended, says);
  },
}));

/** A process that was started an hour ahead of the true time. */
const AN_HOUR_AHEAD = `${clockAhead(String(HOUR_MS))}
const origin = performance.timeOrigin;
Object.defineProperty(performance, "timeOrigin", { get: () => origin + ${HOUR_MS} });
`;

const HARMLESS: readonly FaultRow[] = [
  {
    name: "agent-clock-ahead",
    injected: "a clock an hour ahead where the servers are",
    expected: "measured all the same",
    async inject(stage) {
      const { env } = withPreload(stage, AN_HOUR_AHEAD);
      await isMeasured(stage, `env ${Object.entries(env!).map(([name, value]) => `${name}=${value}`).join(" ")}`);
    },
  },
  {
    name: "pipe-slow",
    injected: "a way that takes 10 ms in each direction",
    expected: "measured all the same",
    async inject(stage) {
      await isMeasured(stage, `${locateRuntime("node").file} ${SLOW_PIPE} 10`);
    },
  },
];

/** Drivers of two hosts that get a signal inside a window. */
const drivers = (["SIGINT", "SIGKILL"] as const).map((signal): FaultRow => ({
  name: `driver-across-${signal.slice(3).toLowerCase()}`,
  injected: `${signal} to the driver of two hosts`,
  expected: "nothing left running on either; the run goes on and becomes whole",
  leavesFiles: signal === "SIGKILL",
  async inject(stage) {
    const running = stage.start(await across(stage, "env SIDE=server"));
    await stage.until("a window", () => windowIsOpen(stage));
    const before = linesIn(runIn(stage)!);
    process.kill(running.pid, signal);
    const ended = await running.ended;
    if (signal === "SIGINT") expectEnd(ended, 130, /go on with: bench run --resume/, "the run");
    await stage.nothingLeft();
    await becomesWhole(stage, runIn(stage)!, before, STEPS);
  },
}));

/** Hosts behind pipes: agents that die or stand still, and the ways to them. */
export const HOST_FAULTS: readonly BenchFault[] = ofGroup("hosts", [
  ...signalled,
  ...drivers,
  ...broken,
  ...HARMLESS,
]);
