/** Which tests there are and where they run, told from their folders alone. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Code that an app or a store runs in: tests beside it run on Node, Deno and Bun. */
export const ON_THREE = ["servers", "stores", "suites", "tests/every-runtime"] as const;

/** Rooms of the driver that start processes, open sockets or read the machine: on Node, with `--all` on the other two as well. */
export const DRIVER = [
  ...["bench/machine", "bench/files", "bench/runtimes", "bench/process", "bench/sources", "bench/doctor", "bench/runs"],
  ...["bench/pipe", "bench/generators", "bench/observe", "bench/apps"],
] as const;

/** All other code: tests beside it run on Node alone. */
const OTHERS = ["bench", "lab", "site", "tests/runner"] as const;

const inOneOf = (folders: readonly string[]) => (path: string) =>
  folders.some((folder) => path.startsWith(`${folder}/`));

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
  /** On each of the three runtimes. */
  readonly onThree: readonly string[];
  /** Of the driver's rooms that touch the machine: on Node, with `--all` on the others as well. */
  readonly driver: readonly string[];
  /** Next to all other code, and those of `tests/` itself: on Node, several steps at once. */
  readonly others: readonly string[];
  /** In a real browser. */
  readonly browser: readonly string[];
  /** Real benchmarks: one after the other, with the machine to themselves. */
  readonly alone: readonly string[];
  /** Long tests, and environments few machines have: as `alone`, with `--all`. */
  readonly long: readonly string[];
}

/** Finds all test files. */
export function testFiles(): TestFiles {
  const apart = inOneOf([...ON_THREE, ...DRIVER]);
  return {
    onThree: ON_THREE.flatMap((folder) => testsIn(folder, true)),
    driver: DRIVER.flatMap((folder) => testsIn(folder, true)),
    others: [
      ...OTHERS.flatMap((folder) => testsIn(folder, true)).filter((path) => !apart(path)),
      ...testsIn("tests", false),
    ],
    browser: testsIn("tests/browser", true),
    alone: testsIn("tests/alone", true),
    long: [...testsIn("tests/long", true), ...testsIn("tests/environments", true)],
  };
}
