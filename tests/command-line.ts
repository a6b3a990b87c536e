/** A command line in this process, for all but starting, signals and drivers: what a process costs is saved. */
import { Writable } from "node:stream";
import type { ExitCode } from "../bench/basics/errors.ts";
import { present } from "../bench/basics/present.ts";
import { contextOf, runCommandLine } from "../bench/command-line.ts";
import type { Context } from "../bench/commands/context.ts";
import { assertCommands } from "./printed-commands.ts";
import { type Ended, environmentOf, type Site } from "./run-bench.ts";

/** A stream that is no terminal and keeps what is written to it. */
function stream() {
  let text = "";
  const to = new Writable({ decodeStrings: false, write: (chunk: string, _, done) => (text += chunk, done()) });
  return { to: to as NodeJS.WriteStream, text: () => text };
}

/** A command in place of the one that a line asks for. */
type Command = (context: Context) => Promise<ExitCode>;

/** Runs a command line where this process stands, with its environment. */
async function inThisProcess(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  command?: Command,
) {
  const [stdout, stderr] = [stream(), stream()];
  const terminal = { stdout: stdout.to, stderr: stderr.to, env };
  const code = command === undefined
    ? await runCommandLine(words, terminal)
    : await command(await contextOf(words, terminal));
  assertCommands(stdout.text());
  assertCommands(stderr.text());
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Runs something in another folder and environment, of which this process takes its own up again. */
async function standingIn<T>(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
  work: () => Promise<T>,
): Promise<T> {
  const before = { folder: process.cwd(), env: { ...process.env } };
  const become = (all: Readonly<Record<string, string | undefined>>) => {
    for (const name of Object.keys(process.env)) if (all[name] === undefined) delete process.env[name];
    Object.assign(process.env, present(all));
  };
  process.chdir(folder);
  become(env);
  try {
    return await work();
  } finally {
    process.chdir(before.folder);
    become(before.env);
  }
}

/** What `bench` with these words prints, without colour, and its exit code; in as many columns as a terminal has, or any number. */
export async function commandLine(
  words: readonly string[],
  results: string,
  columns?: number,
): Promise<{ readonly code: ExitCode; readonly stdout: string; readonly stderr: string }> {
  const env = { NO_COLOR: "1", ...(columns === undefined ? {} : { COLUMNS: String(columns) }) };
  return await standingIn(
    process.cwd(),
    { ...process.env, LEVELFIELD_RESULTS: results },
    () => inThisProcess(words, env),
  );
}

/**
 * What `bench` of tests/run-bench.ts does, in this process: in the site's folder, with its environment. A module that was
 * imported once is not read again, so a config that changes needs another file.
 *
 * @param command run in place of the one the line asks for; what it throws is thrown
 */
export async function benchHere(
  site: Site,
  words: readonly string[],
  env?: Readonly<Record<string, string | undefined>>,
  command?: Command,
): Promise<Ended> {
  const whole = environmentOf(site, env ?? {});
  return await standingIn(
    site.folder,
    whole,
    async () => ({ ...await inThisProcess(words, whole, command), signal: null }),
  );
}
