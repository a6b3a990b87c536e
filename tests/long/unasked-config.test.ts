/** Commands that measure nothing, each started as a person does, on every driver. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { makeFixture } from "../fixtures/made-up-run.ts";
import { filesOf } from "../fixtures/run-files.ts";
import { writeRunFiles } from "../fixtures/write-fixture.ts";
import { bench, DRIVERS, onSite } from "../run-bench.ts";
import { LINES, trapIn } from "../trap-folder.ts";

test("on every driver commands that measure nothing run nothing of the folder they stand in", () =>
  onSite(async (site) => {
    const { isSprung } = trapIn(site);
    writeRunFiles(join(site.results, "theirs"), filesOf(makeFixture()));
    for (const driver of DRIVERS) {
      for (const line of [...LINES, ["runs"]]) {
        await bench(site, line, { LEVELFIELD_DRIVER: driver });
        assert.ok(!isSprung(), `${line.join(" ")} on ${driver}`);
      }
    }
    // What runs the config on purpose leaves the marker, so these traps are traps.
    await bench(site, ["run", "--suites-of-nobody"]);
    assert.ok(isSprung());
  }));
