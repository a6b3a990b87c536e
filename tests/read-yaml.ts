/** YAML as Bun reads it, whichever runtime runs the test, and the parts of workflows that tests ask for. */
import assert from "node:assert/strict";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { ranToEnd } from "./testing.ts";

export interface Step {
  readonly name?: string;
  readonly shell?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
}

export interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

export interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** What each of one or more texts says; a text of several documents is a list of them. */
export async function readYaml<T>(...texts: readonly string[]): Promise<[T, ...T[]]> {
  const program = "console.log(JSON.stringify(process.argv.slice(1).map((text) => Bun.YAML.parse(text))))";
  const { code, stdout, stderr } = await ranToEnd(locateRuntime("bun").file, ["-e", program, ...texts]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}
