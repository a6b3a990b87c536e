/**
 * Runs the test files given as arguments in this one process. Deno loads everything anew for each file otherwise, which
 * takes nearly twice the CPU time: `deno test … tests/runner/in-one-process.ts -- FILE…`.
 */
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import "./expected-runtime.ts";

for (const file of process.argv.slice(2)) {
  try {
    await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    // Deno says nothing of it.
    test(`${file} can be loaded`, () => {
      throw error;
    });
  }
}
