import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Missed } from "./fault.ts";
import { linesIn } from "./small-runs.ts";
import type { Stage } from "./stage.ts";

/** The one run of a stage, once it has a folder. */
export function runIn({ results }: Stage): string | undefined {
  const name = existsSync(results) ? readdirSync(results)[0] : undefined;
  return name === undefined ? undefined : join(results, name);
}

/** True if a server of the suite of faults runs. */
export const serverRuns = (stage: Stage): boolean =>
  stage.processes().some(({ command }) => command.includes("faulty-app.ts"));

const load = (stage: Stage, warming: boolean) =>
  stage.processes().some(({ command, environment }) =>
    command.includes("wrk.lua") && environment.includes("LEVELFIELD_WATCH=1") === warming
  );

/** True if a measured load is under way. */
export const windowIsOpen = (stage: Stage): boolean => load(stage, false);

/** Sends a signal to the agent of a host once a window is open. Throws a {@link Missed} without one. */
export async function killAgent(stage: Stage, side: string, signal: NodeJS.Signals): Promise<void> {
  await stage.until("a window", () => windowIsOpen(stage));
  const agent = stage.processes().find(({ command, environment }) =>
    command.includes("agent --no-config") && environment.includes(`SIDE=${side}`)
  );
  if (agent === undefined) throw new Missed("there is no agent");
  process.kill(agent.pid, signal);
}

/** Steps of a run in which something may happen, and how each is seen from outside. */
export const STEPS: Readonly<Record<string, (stage: Stage) => boolean>> = {
  "set-up": (stage) => existsSync(join(stage.tmp, "levelfield.lock")),
  "server-start": serverRuns,
  "warm-up": (stage) => load(stage, true),
  "window": windowIsOpen,
  "between": (stage) => linesIn(runIn(stage) ?? "").length > 0,
  "publishing": (stage) => existsSync(join(runIn(stage) ?? "", "cells")),
};
