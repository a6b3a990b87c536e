import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderTest } from "../../tests/testing.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { inspectModule } from "./user-module.ts";

const SCRIPT = join(PROJECT_ROOT, "suites", "calls", "main.ts");

const inspect = (folder: string, text: string, mostCpuMs?: number) => {
  const file = join(folder, "mine.mjs");
  writeFileSync(file, text);
  return inspectModule(SCRIPT, { value: "mine", file }, mostCpuMs === undefined ? {} : { mostCpuMs });
};

folderTest(
  "a module that loops while it loads is given up for its CPU time, and one that waits is not",
  async (folder) => {
    await assert.rejects(
      inspect(folder, "while (true);\n", 300),
      /it does not end loading: it used more than 0\.3 s of CPU time/,
    );
    const waits = "await new Promise((done) => setTimeout(done, 1_500));\nexport const one = () => 1;\n";
    assert.equal((await inspect(folder, waits, 60_000)).facts["title"], "one");
  },
);
