/** A published run repeated, as a stranger would. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runRecord } from "../bench/core/result/run-record.ts";
import { bench, benchTest, onSite, runsIn } from "./run-bench.ts";

benchTest(
  "a published run is measured again by its own plan, and one without verdicts is not called reproduced",
  async () => {
    await onSite(async (site) => {
      const args = [
        "--runtime",
        "deno,bun",
        "--store",
        "map",
        "--duration",
        "1s",
        "--duets",
        "runtime",
        "--seed",
        "11",
      ];
      const first = await bench(site, ["run", "--size", "1k", "--rounds", "1", "--warmup", "1s", ...args]);
      assert.ok(first.code === 0 || first.code === 3, first.stderr);
      const [published] = runsIn(site);
      const again = await bench(site, ["reproduce", published!, "--json"]);
      assert.equal(again.code, 3, "one round proves nothing");
      const { reproduced, sentence, verdicts, environment } = JSON.parse(again.stdout);
      assert.equal(reproduced, false);
      // How busy the machine was, which the grade tells, is its own affair.
      assert.deepEqual(environment.filter((text: string) => !text.startsWith("grade: ")), []);
      assert.match(sentence, /^Nothing could be compared: /);
      assert.deepEqual(verdicts.map(({ outcome }: { outcome: string }) => outcome), ["unknown"]);
      const [plan, repeated] = runsIn(site).map((name) =>
        runRecord.parse(JSON.parse(readFileSync(join(site.results, name, "run.json"), "utf8"))).plan
      );
      assert.deepEqual(repeated, plan);
      const names = runsIn(site);
      const lines = names.map((name) =>
        readFileSync(join(site.results, name, "journal.ndjson"), "utf8").trim().split("\n")
      );
      assert.deepEqual(lines.map(({ length }) => length), [6, 6], "ceiling, two cells, one of them again, two duets");

      const held = await bench(site, ["reproduce", names[0]!, "--with", names[1]!]);
      assert.equal(held.code, 3, held.stderr);
      assert.match(held.stdout, /^(The environments are the same\.|Their environments differ in .*)$/m);
      assert.ok(held.stdout.endsWith(`${sentence}\n`), held.stdout);
      const absent = await bench(site, ["reproduce", "no-such-run"]);
      assert.equal(absent.code, 2, absent.stderr);
      assert.match(absent.stderr, /^error: there is no run "no-such-run"/);
    });
  },
);
