/** How test files are run on each runtime: in one process, which loads everything once. */
import { join } from "node:path";
import type { RuntimeName } from "../../servers/runtime.ts";
import { ROOT } from "./folders.ts";

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]];

/** A program that npm has installed. */
export const tool = (name: string): string => join(ROOT, "node_modules", ".bin", name);

const ARGS: Readonly<Record<RuntimeName, (files: readonly string[]) => readonly string[]>> = {
  node: (files) => [
    ...["--test", "--test-isolation=none", "--test-reporter=spec", "tests/runner/must-assert.ts"],
    ...files,
  ],
  deno: (files) => [
    ...["test", "--allow-all", "--no-check", "--cached-only", "tests/runner/in-one-process.ts", "--"],
    ...files,
  ],
  // Bun alone has a limit for each test, which 0 takes away.
  bun: (
    files,
  ) => ["test", "--timeout", "0", ...["tests/runner/expected-runtime.ts", ...files].map((file) => `./${file}`)],
};

/** The command that runs test files, named from the project's folder. */
export const testCommand = (runtime: RuntimeName, files: readonly string[]): Command => [
  tool(runtime),
  ...ARGS[runtime](files),
];
