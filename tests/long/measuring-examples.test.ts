/** The library's examples that measure, run as they stand. */
import assert from "node:assert/strict";
import { locateRuntime } from "../../bench/runtimes/runtimes.ts";
import { libraryExamples, withExamples } from "../library-examples.ts";
import { onSite, toolTest } from "../run-bench.ts";
import { ranToEnd } from "../testing.ts";

toolTest("the examples that measure run as they stand", async () => {
  const measuring = libraryExamples().filter(({ measures }) => measures);
  const once = measuring.filter(({ code }, n) => measuring.findIndex((other) => other.code === code) === n);
  assert.ok(once.length >= 4, `only ${once.length} examples were found`);
  await onSite(async (site) => {
    process.env["LEVELFIELD_RESULTS"] = site.results;
    process.env["LEVELFIELD_DATA"] = site.data;
    try {
      await withExamples(once, async (folder, files) => {
        for (const [n, file] of files.entries()) {
          const ended = await ranToEnd(locateRuntime("node").file, [file], folder);
          assert.equal(ended.code, 0, `${once[n]!.where}: ${ended.stderr}`);
        }
      });
    } finally {
      delete process.env["LEVELFIELD_RESULTS"];
      delete process.env["LEVELFIELD_DATA"];
    }
  });
});
