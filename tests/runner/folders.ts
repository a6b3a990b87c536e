/** Which tests there are and where they run, told from their folders alone. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Code here starts processes, opens sockets or reads the machine: tests beside it run on Node, Deno and Bun. */
export const TOUCHING = [
  "servers",
  "stores",
  "suites",
  "bench/generators",
  "bench/host",
  "bench/input/own",
  "bench/observe",
] as const;

/** All other code: tests beside it run on Node alone. */
const OTHERS = ["bench", "lab", "tests/runner"] as const;

const touches = (path: string) => TOUCHING.some((folder) => path.startsWith(`${folder}/`));

function testsIn(folder: string, deep: boolean): string[] {
  try {
    return readdirSync(join(ROOT, folder), { recursive: deep, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Test files from the project's folder, by how they are run. */
export interface TestFiles {
  /** Beside code that touches a runtime, and digits and exports of all other: on each of the three. */
  readonly touching: readonly string[];
  /** Beside all other code, and those of `tests/` itself: on Node, several steps at once. */
  readonly others: readonly string[];
  /** In a real browser. */
  readonly browser: readonly string[];
  /** Real benchmarks: one after the other, with the machine to themselves. */
  readonly alone: readonly string[];
  /** What takes long, and environments few machines have: as `alone`, with `--all`. */
  readonly long: readonly string[];
}

/** Finds all test files. */
export function testFiles(): TestFiles {
  return {
    touching: [...TOUCHING, "tests/every-runtime"].flatMap((folder) => testsIn(folder, true)),
    others: [
      ...OTHERS.flatMap((folder) => testsIn(folder, true)).filter((path) => !touches(path)),
      ...testsIn("tests", false),
    ],
    browser: testsIn("tests/browser", true),
    alone: testsIn("tests/alone", true),
    long: [...testsIn("tests/long", true), ...testsIn("tests/environments", true)],
  };
}
