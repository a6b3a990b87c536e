/** A command line in this process: for what is decided before anything is started, and what is only read and printed. */
import { Writable } from "node:stream";
import { runCommandLine } from "../bench/command-line.ts";
import type { ExitCode } from "../bench/basics/errors.ts";

/** A stream that is no terminal and keeps what is written to it. */
function stream() {
  let text = "";
  const to = new Writable({ decodeStrings: false, write: (chunk: string, _, done) => (text += chunk, done()) });
  return { to: to as NodeJS.WriteStream, text: () => text };
}

/** What `bench` with these words prints, without colour, and its exit code; in as many columns as a terminal has, or any number. */
export async function commandLine(
  words: readonly string[],
  results: string,
  columns?: number,
): Promise<{ readonly code: ExitCode; readonly stdout: string; readonly stderr: string }> {
  const env = { NO_COLOR: "1", ...(columns === undefined ? {} : { COLUMNS: String(columns) }) };
  const [stdout, stderr] = [stream(), stream()];
  const before = process.env["LEVELFIELD_RESULTS"];
  process.env["LEVELFIELD_RESULTS"] = results;
  try {
    const code = await runCommandLine(words, { stdout: stdout.to, stderr: stderr.to, env });
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    if (before === undefined) delete process.env["LEVELFIELD_RESULTS"];
    else process.env["LEVELFIELD_RESULTS"] = before;
  }
}
