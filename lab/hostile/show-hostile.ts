/**
 * Shows hostile runs by every command that shows runs, in this one process: `node --import … FOLDER`. It prints a line of
 * JSON for each: who starts it looks at what was run, loaded, asked and read meanwhile.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { runCommandLine } from "../../bench/command-line.ts";

/** The outcome of one command. */
export interface CommandOutcome {
  readonly args: readonly string[];
  readonly code: number;
  readonly said: string;
}

/** Commands for one run, which stands next to one that holds. */
const commandsFor = (run: string, sound: string): string[][] => [
  ["verify", run],
  ["show", run, "--verdicts"],
  ["show", run, "--json"],
  ["report", run],
  ["report", run, "--format", "csv"],
  ["report", run, "--format", "markdown"],
  ["compare", sound, run],
  ["report", sound, run, "--output", join(run, "..", "..", "both.html")],
];

/** Runs one command line in this process. */
export async function showRuns(args: readonly string[]): Promise<CommandOutcome> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const said = [stdout, stderr].map((stream) => text(stream));
  const terminal = { stdout, stderr, env: process.env } as unknown as Parameters<typeof runCommandLine>[1];
  const code = await runCommandLine(args, terminal);
  for (const stream of [stdout, stderr]) stream.end();
  return { args, code, said: (await Promise.all(said)).join("") };
}

if (import.meta.main) {
  const [results, sound] = process.argv.slice(2) as [string, string];
  const print = (shown: CommandOutcome) => process.stdout.write(JSON.stringify(shown) + "\n");
  for (const name of readdirSync(results).sort()) {
    for (const args of commandsFor(join(results, name), sound)) print(await showRuns(args));
  }
  print(await showRuns(["show", "--list"]));
  print(await showRuns(["compare", results, sound, "--output", join(results, "..", "track.html")]));
}
