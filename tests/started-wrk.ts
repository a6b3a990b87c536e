/** wrk with its script, for a plan: one thread and no end but a signal's, where it says nothing else. */
import type { LoadPlan } from "../bench/generators/generator.ts";
import { wrk } from "../bench/generators/wrk.ts";
import { type Child, startChild } from "../bench/machine/child.ts";
import { findProgram } from "../bench/machine/programs.ts";
import { programFolder } from "../bench/process/program-files.ts";

/** A load at work. */
export interface StartedWrk {
  readonly plan: LoadPlan;
  readonly child: Child;
  /** Removes its program, once it has ended. */
  remove(): void;
}

/** Starts it; with more variables than it needs where these are given. */
export function startWrk(
  wish: Pick<LoadPlan, "targets"> & Partial<LoadPlan>,
  env: Readonly<Record<string, string>> = {},
): StartedWrk {
  const plan: LoadPlan = { threads: 1, durationMs: 600_000, timeoutMs: 60_000, seed: 1, load: 0, ...wish };
  const folder = programFolder(wrk.input(plan));
  const child = startChild({
    file: findProgram("wrk")!,
    args: wrk.args(plan, folder.path),
    cpus: null,
    env: { PATH: process.env["PATH"]!, ...wrk.env(plan), ...env },
    handles: folder.handles,
  });
  folder.close();
  return { plan, child, remove: () => folder.remove() };
}
