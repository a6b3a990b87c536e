/** Runs some test files with their output as it comes, for somebody who works on them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { FilesWanted } from "./arguments.ts";
import { ROOT } from "./folders.ts";
import { testEnvironment } from "./run-step.ts";
import { testCommand } from "./test-command.ts";

/** Runs files on each runtime, one after the other; 0 if all tests passed, 1 if not, 2 for a file that is not there. */
export async function runHere({ files, on, name }: FilesWanted, scratch: string): Promise<number> {
  const fromRoot = files.map((file) => relative(ROOT, resolve(ROOT, file)).replaceAll("\\", "/"));
  const missing = fromRoot.find((file) => !existsSync(join(ROOT, file)));
  if (missing !== undefined) {
    process.stderr.write(`error: there is no "${missing}"\n  try: a path from the project's folder\n`);
    return 2;
  }
  let failed = 0;
  for (const runtime of on) {
    const folder = join(scratch, runtime);
    mkdirSync(folder);
    const { program, args, env } = testCommand(runtime, fromRoot, name);
    const child = spawn(program, args, {
      cwd: ROOT,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...env, ...testEnvironment(folder) },
    });
    const [code] = await once(child, "close");
    if (code !== 0) failed = 1;
  }
  return failed;
}
