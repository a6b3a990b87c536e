/** How test files are run on each runtime: all of them in one process, which loads the code under test once. */
import { join } from "node:path";
import type { RuntimeName } from "../../servers/runtime.ts";
import { ROOT } from "./folders.ts";

/** A program, its arguments, and what is added to its environment. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A program that npm has installed. */
export const tool = (name: string): string => join(ROOT, "node_modules", ".bin", name);

/** The file that loads the others; Bun takes a path for a pattern unless it begins with a dot. */
const LOADER = "./tests/runner/in-one-process.ts";

/** A pattern that matches this text and nothing else, for runners that take one. */
const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

const ARGS: Readonly<Record<RuntimeName, (name: string | undefined) => readonly string[]>> = {
  node: (name) => [
    ...["--test", "--test-isolation=none", "--test-reporter=spec"],
    ...(name === undefined ? [] : [`--test-name-pattern=${literal(name)}`]),
    LOADER,
  ],
  deno: (name) => [
    ...["test", "--allow-all", "--no-check", "--cached-only"],
    ...(name === undefined ? [] : ["--filter", name]),
    LOADER,
  ],
  // Bun alone has a limit for each test, which 0 takes away.
  bun: (name) => ["test", "--timeout", "0", ...(name === undefined ? [] : ["-t", literal(name)]), LOADER],
};

/** The command that runs test files, named from the project's folder; with a name, only tests whose names hold it. */
export function testCommand(runtime: RuntimeName, files: readonly string[], name?: string): Command {
  return {
    program: tool(runtime),
    args: ARGS[runtime](name),
    env: { LEVELFIELD_EXPECT_RUNTIME: runtime, LEVELFIELD_TEST_FILES: JSON.stringify(files) },
  };
}
