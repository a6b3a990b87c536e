/** A published run repeated, as a stranger would. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runRecord } from "../bench/core/result/run-record.ts";
import { bench, benchTest, onSite, runsIn } from "./run-bench.ts";

const SHORT = ["--size", "1k", "--rounds", "1", "--duration", "1s", "--warmup", "1s", "--seed", "11"];

benchTest(
  "a published run is measured again by its own plan, and without verdicts it is not called reproduced",
  () =>
    onSite(async (site) => {
      const first = await bench(site, ["duet", "deno/map", "bun/map", ...SHORT]);
      assert.ok(first.code === 0 || first.code === 3, first.stderr);
      const [published] = runsIn(site) as [string];
      const again = await bench(site, ["reproduce", published, "--json"]);
      assert.equal(again.code, 3, "one round proves nothing");
      const { reproduced, sentence, verdicts, environment } = JSON.parse(again.stdout);
      assert.equal(reproduced, false);
      // How busy the machine was, which the grade tells, is its own affair.
      assert.deepEqual(environment.filter((text: string) => !text.startsWith("grade: ")), []);
      assert.match(sentence, /^Nothing could be compared: /);
      assert.deepEqual(verdicts.map(({ outcome }: { outcome: string }) => outcome), ["unknown"]);
      const names = runsIn(site);
      const [plan, repeated] = names.map((name) =>
        runRecord.parse(JSON.parse(readFileSync(join(site.results, name, "run.json"), "utf8"))).plan
      );
      assert.deepEqual(repeated, plan);
      const made = names.map((name) =>
        readFileSync(join(site.results, name, "journal.ndjson"), "utf8").trim().split("\n").length
      );
      assert.deepEqual(made, [1, 1], "the two and one of them again, at once");

      const held = await bench(site, ["reproduce", names[0]!, "--with", names[1]!]);
      assert.equal(held.code, 3, held.stderr);
      assert.match(held.stdout, /^(The environments are the same\.|Their environments differ in .*)$/m);
      assert.ok(held.stdout.endsWith(`${sentence}\n`), held.stdout);
    }),
);

benchTest("a run that is not there cannot be reproduced, and is named", async () => {
  await onSite(async (site) => {
    const absent = await bench(site, ["reproduce", "no-such-run"]);
    assert.equal(absent.code, 2, absent.stderr);
    assert.match(absent.stderr, /^error: there is no run "no-such-run"/);
  });
});
