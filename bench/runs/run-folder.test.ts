import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folderTest } from "../../tests/testing.ts";
import { BenchError } from "../basics/errors.ts";
import { resultsFolder } from "../runtimes/project-folders.ts";
import { checkResultsFolder, createRunFolder, openJournal, resumeCommand } from "./run-folder.ts";

folderTest("a journal holds one line a record and goes on where it was left", (folder) => {
  const file = join(folder, "journal.ndjson");
  for (const n of [1, 2]) {
    const journal = openJournal(file);
    journal.append({ n, text: "é\n雪" });
    assert.equal(readFileSync(file, "utf8").split("\n").length, n + 1, "each line is there at once");
    journal.close();
  }
  const lines = readFileSync(file, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines, [{ n: 1, text: "é\n雪" }, { n: 2, text: "é\n雪" }]);
});

folderTest("a run's folder is named after its start, a second one of that second gets a name of its own", (folder) => {
  const start = new Date("2026-03-04T05:06:07.890Z");
  const names = [1, 2, 3].map(() => {
    const run = createRunFolder(join(folder, "results"), start);
    run.journal.close();
    return run.name;
  });
  assert.deepEqual(names, ["2026-03-04-050607", "2026-03-04-050607-2", "2026-03-04-050607-3"]);
});

folderTest("a JSON file is there whole or not at all", (folder) => {
  const run = createRunFolder(folder, new Date(0));
  run.writeJson("run.json", { state: "running" });
  run.writeJson("run.json", { state: "finished" });
  run.writeJson("cells/any/a.json", [1]);
  run.journal.close();
  assert.deepEqual(JSON.parse(readFileSync(join(run.path, "run.json"), "utf8")), { state: "finished" });
  assert.deepEqual(readdirSync(join(run.path, "cells", "any")), ["a.json"]);
  assert.deepEqual(readdirSync(run.path).sort(), ["cells", "journal.ndjson", "run.json"]);
});

folderTest("a link among a run's folders is refused, and nothing is written behind it", (folder) => {
  const run = createRunFolder(folder, new Date(0));
  const others = join(folder, "others");
  mkdirSync(join(others, "any"), { recursive: true });
  writeFileSync(join(others, "any", "a.json"), "theirs");
  const cells = join(run.path, "cells");
  const refused = (link: string) =>
    assert.throws(() => run.writeJson("cells/any/a.json", [1]), (error) => {
      assert.ok(error instanceof BenchError);
      assert.equal(error.message, `cannot write into "${link}": it is a link`);
      assert.match(error.hint!, /^move it away, or /);
      return true;
    });
  symlinkSync(others, cells);
  refused(cells);
  rmSync(cells);
  mkdirSync(cells);
  symlinkSync(join(others, "any"), join(cells, "any"));
  refused(join(cells, "any"));
  assert.equal(readFileSync(join(others, "any", "a.json"), "utf8"), "theirs");
  assert.deepEqual(readdirSync(join(others, "any")), ["a.json"]);
  run.journal.close();
});

folderTest("a folder that cannot be written is refused by name, with what to try", (folder) => {
  writeFileSync(join(folder, "file"), "");
  assert.throws(() => checkResultsFolder(join(folder, "file", "results")), (error) => {
    assert.ok(error instanceof BenchError);
    assert.match(error.message, /cannot write results to ".*file\/results": E/);
    assert.match(error.hint!, /--results/);
    return true;
  });
  assert.throws(() => checkResultsFolder(join(folder, "file")), BenchError);
});

folderTest("a journal that was removed while it was written is named: its lines would be nobody's", (folder) => {
  const run = createRunFolder(folder, new Date(0));
  run.journal.append({ n: 1 });
  rmSync(run.path, { recursive: true });
  assert.throws(() => run.journal.append({ n: 2 }), /journal\.ndjson" was removed while the run was measured/);
  run.journal.close();
});

folderTest("a file of a run that cannot be written is named, with how to go on", (folder) => {
  const run = createRunFolder(folder, new Date(0));
  writeFileSync(join(run.path, "cells"), "");
  assert.throws(() => run.writeJson("cells/any/a.json", [1]), (error) => {
    assert.ok(error instanceof BenchError);
    assert.match(error.message, /cannot write ".*a\.json": E/);
    assert.match(error.hint!, /bench run --resume /);
    return true;
  });
  run.journal.close();
});

test("the command that goes on with a run names its folder of runs where that is not the default one", () => {
  assert.equal(resumeCommand(join(resultsFolder(), "night")), "bench run --resume night");
  assert.equal(resumeCommand("/runs of mine/night"), "bench run --resume night --results '/runs of mine'");
});
